/*
 * nvToolsExt.h - names and ranges for a profiler, of which there is none here: each call does
 * nothing, as if no tool were attached.
 */
#ifndef NVTX_VERSION
#define NVTX_VERSION 3

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_SIZEOF_EVENTATTRIBUTES_V2 ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE  ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_SUCCESS                   0
#define NVTX_NO_PUSH_POP_TRACKING      ((int)-2)

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#ifdef __cplusplus
#define SHFLVIZ_NVTX static inline
#else
#define SHFLVIZ_NVTX static inline __attribute__((unused))
#endif

SHFLVIZ_NVTX void nvtxInitialize(const void *reserved) {
    (void)reserved;
}

SHFLVIZ_NVTX void nvtxMarkEx(const nvtxEventAttributes_t *event) {
    (void)event;
}
SHFLVIZ_NVTX void nvtxMarkA(const char *message) {
    (void)message;
}
SHFLVIZ_NVTX void nvtxMarkW(const wchar_t *message) {
    (void)message;
}
SHFLVIZ_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *event) {
    (void)event;
    return NVTX_NO_PUSH_POP_TRACKING;
}
SHFLVIZ_NVTX int nvtxRangePushA(const char *message) {
    (void)message;
    return NVTX_NO_PUSH_POP_TRACKING;
}
SHFLVIZ_NVTX int nvtxRangePushW(const wchar_t *message) {
    (void)message;
    return NVTX_NO_PUSH_POP_TRACKING;
}
SHFLVIZ_NVTX int nvtxRangePop(void) {
    return NVTX_NO_PUSH_POP_TRACKING;
}
SHFLVIZ_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event) {
    (void)event;
    return 0;
}
SHFLVIZ_NVTX nvtxRangeId_t nvtxRangeStartA(const char *message) {
    (void)message;
    return 0;
}
SHFLVIZ_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t *message) {
    (void)message;
    return 0;
}
SHFLVIZ_NVTX void nvtxRangeEnd(nvtxRangeId_t range) {
    (void)range;
}

SHFLVIZ_NVTX void nvtxNameCategoryA(uint32_t category, const char *name) {
    (void)category, (void)name;
}
SHFLVIZ_NVTX void nvtxNameOsThreadA(uint32_t thread, const char *name) {
    (void)thread, (void)name;
}

SHFLVIZ_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
    (void)name;
    return NULL;
}
SHFLVIZ_NVTX nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name) {
    (void)name;
    return NULL;
}
SHFLVIZ_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) {
    (void)domain;
}
SHFLVIZ_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain,
                                                          const char *string) {
    (void)domain, (void)string;
    return NULL;
}
SHFLVIZ_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category,
                                          const char *name) {
    (void)domain, (void)category, (void)name;
}
SHFLVIZ_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *event) {
    (void)domain, (void)event;
}
SHFLVIZ_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain,
                                       const nvtxEventAttributes_t *event) {
    (void)domain, (void)event;
    return NVTX_NO_PUSH_POP_TRACKING;
}
SHFLVIZ_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
    (void)domain;
    return NVTX_NO_PUSH_POP_TRACKING;
}
SHFLVIZ_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain,
                                                  const nvtxEventAttributes_t *event) {
    (void)domain, (void)event;
    return 0;
}
SHFLVIZ_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
    (void)domain, (void)range;
}
#undef SHFLVIZ_NVTX

#ifdef UNICODE
#define nvtxMark         nvtxMarkW
#define nvtxRangePush    nvtxRangePushW
#define nvtxRangeStart   nvtxRangeStartW
#define nvtxDomainCreate nvtxDomainCreateW
#else
#define nvtxMark         nvtxMarkA
#define nvtxRangePush    nvtxRangePushA
#define nvtxRangeStart   nvtxRangeStartA
#define nvtxDomainCreate nvtxDomainCreateA
#endif
#define nvtxNameCategory         nvtxNameCategoryA
#define nvtxNameOsThread         nvtxNameOsThreadA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory   nvtxDomainNameCategoryA

#endif

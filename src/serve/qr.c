#include "serve/qr.h"

#include "base/memory.h"
#include "base/unused.h"

#include <stdlib.h>

#ifdef SHFLVIZ_QRENCODE
#include "serve/libraries.h"

bool qr_is_built(void) {
    return true;
}

void qr_make(struct qr *qr, const char *text) {
    const struct libraries *libraries = libraries_load(NULL);
    QRcode *code = libraries ? libraries->qr_encode(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) : NULL;
    *qr = (struct qr){0};
    if (!code)
        return;
    const size_t modules = (size_t)code->width * (size_t)code->width;
    qr->width = code->width;
    qr->black = memory_alloc(modules);
    for (size_t i = 0; i < modules; i++)
        qr->black[i] = code->data[i] & 1;
    libraries->qr_free(code);
}
#else
bool qr_is_built(void) {
    return false;
}

void qr_make(struct qr *qr, const char *text UNUSED) {
    *qr = (struct qr){0};
}
#endif

void qr_release(struct qr *qr) {
    free(qr->black);
    *qr = (struct qr){0};
}

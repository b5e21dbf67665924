#include "export/json/json_parts.h"

#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>

/* Checks the result of json-c, which may be out of memory: json-c itself takes NULL as a null. */
static json_object *json_checked(json_object *object) {
    if (!object)
        memory_exhausted();
    return object;
}

void json_put(json_object *object, const char *key, json_object *value) {
    if (json_object_object_add_ex(
            object, key, value, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY) != 0)
        memory_exhausted();
}

void json_append(json_object *array, json_object *value) {
    if (json_object_array_add(array, value) != 0)
        memory_exhausted();
}

json_object *json_new(void) {
    return json_checked(json_object_new_object());
}

json_object *json_list(void) {
    return json_checked(json_object_new_array());
}

json_object *json_int(int64_t number) {
    return json_checked(json_object_new_int64(number));
}

json_object *json_uint(uint64_t number) {
    return json_checked(json_object_new_uint64(number));
}

json_object *json_flag(bool truth) {
    return json_checked(json_object_new_boolean(truth));
}

json_object *json_string(const char *string) {
    return string ? json_checked(json_object_new_string(string)) : NULL;
}

json_object *json_visible(const char *string, enum utf8_layout layout) {
    struct text text = TEXT_INIT;
    text_append_visible(&text, string ? string : "", layout);
    json_object *made = string ? json_string(text.data) : NULL;
    text_release(&text);
    return made;
}

json_object *json_mask(uint32_t bits) {
    char text[16];
    snprintf(text, sizeof(text), "0x%08" PRIx32, bits);
    return json_string(text);
}

json_object *json_triple(const uint32_t values[3]) {
    json_object *array = json_list();
    for (int i = 0; i < 3; i++)
        json_append(array, json_int(values[i]));
    return array;
}

/* Writes the object without its text's last `cut` bytes, and releases it. */
static void write_cut(FILE *out, json_object *object, size_t cut) {
    size_t length;
    errno = 0; /* the only way to learn that a part of the string is missing */
    const char *string = json_object_to_json_string_length(
        object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &length);
    if (!string || errno == ENOMEM)
        memory_exhausted();
    fwrite(string, 1, length - cut, out);
    json_object_put(object);
}

void json_write(FILE *out, json_object *object) {
    write_cut(out, object, 0);
}

void json_write_open(FILE *out, json_object *object) {
    write_cut(out, object, 1);
}

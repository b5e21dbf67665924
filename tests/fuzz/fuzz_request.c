/*
 * Any bytes may be sent to a class. The first byte chooses their kind: an answer, a URL, a code
 * typed at the door, a cookie, an address to listen on. Accepted input can be shown, and fits.
 */
#include "require.h"
#include "serve/outside_input.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_answer(const char *bytes, size_t size) {
    char answer[ANSWER_TEXT];
    unsigned round;
    if (!serve_answer_parse(bytes, size, &round, answer))
        return;
    const size_t length = strlen(answer);
    require(length > 0 && length < ANSWER_TEXT, "an answer of a wrong length");
    require(!strchr(answer, '\n') && answer[0] != ' ' && answer[length - 1] != ' ',
            "an answer that is not trimmed");
    require_shown(answer, length);
}

static void try_address(const char *text) {
    struct serve_address address;
    struct error err = ERROR_INIT;
    if (serve_address_parse(&address, text, &err) == 0)
        require(address.host[0] && strlen(address.host) < sizeof address.host, "no host");
    else
        require(err.kind == ERROR_USAGE && err.text[0], "a failure that says nothing");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    char *text = memory_alloc(size); /* the exact size, so that a read beyond it is found */
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    switch (data[0] % 5) {
    case 0:
        try_answer(text, size - 1);
        break;
    case 1:
        require(serve_route_of(text, "k7mqp") <= ROUTE_ANSWER, "no route");
        break;
    case 2:
        serve_is_code(text, "k7mqp");
        break;
    case 3:
        require(!serve_is_token(text) || strlen(text) == ROOM_TOKEN - 1,
                "a token of a wrong length");
        break;
    default:
        try_address(text);
    }
    free(text);
    return 0;
}

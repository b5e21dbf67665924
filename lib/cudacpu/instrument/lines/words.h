/* words.h - the two types that the structs of simt/lines.h consist of. */
#ifndef CUDACPU_INSTRUMENT_LINES_WORDS_H
#define CUDACPU_INSTRUMENT_LINES_WORDS_H

#include "cudacpu/instrument/instrument.h"

static inline LLVMTypeRef words_pointer(struct unit *u) {
    return LLVMPointerType(LLVMInt8TypeInContext(u->context), 0);
}
static inline LLVMTypeRef words_int64(struct unit *u) {
    return LLVMInt64TypeInContext(u->context);
}

#endif

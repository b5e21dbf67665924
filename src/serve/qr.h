/*
 * qr.h - an address as a QR code (ISO/IEC 18004), where libqrencode was there when this was built.
 */
#ifndef SHFLVIZ_SERVE_QR_H
#define SHFLVIZ_SERVE_QR_H

#include <stdbool.h>

struct qr {
    int width;            /* modules on a side; 0: there is no code */
    unsigned char *black; /* width * width, row by row: whether the module is black */
};

/* Whether this program can make any. */
bool qr_is_built(void);
/* Makes it; width 0 where it cannot. The caller releases. */
void qr_make(struct qr *qr, const char *text);
void qr_release(struct qr *qr);

#endif

/* qr.h - an address as a QR code (ISO/IEC 18004), if this was built with libqrencode. */
#ifndef SHFLVIZ_SERVE_QR_H
#define SHFLVIZ_SERVE_QR_H

#include <stdbool.h>

struct qr {
    int width;            /* modules on a side; 0 if there is no code */
    unsigned char *black; /* width * width, row by row: true if the module is black */
};

/* True if this program can make QR codes. */
bool qr_is_built(void);
/* Makes a code; its width is 0 on failure. The caller releases it. */
void qr_make(struct qr *qr, const char *text);
void qr_release(struct qr *qr);

#endif

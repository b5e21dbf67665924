#include "view/moment.h"

void draw_help(struct area area) {
    (void)area;
}

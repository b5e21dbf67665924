#include "view/moment.h"

void draw_wires(struct area area, const struct moment *moment) {
    draw_lanes(area, moment);
}

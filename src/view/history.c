#include "view/moment.h"

void draw_history(struct area area, const struct moment *moment) {
    draw_lanes(area, moment);
}

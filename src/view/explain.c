#include "view/moment.h"

void draw_explain(struct area area, const struct moment *moment) {
    draw_lanes(area, moment);
}

#include "measure/bench.h"
#include "measure/measure.h"
#include "measure/run.h"

#include "base/message.h"

#define ROUNDS_GPU 4096
#define ROUNDS_CPU 64

int bench_shuffle(const struct bench_options *options, struct bench_shuffle_report *report,
                  struct error *err) {
    *report = (struct bench_shuffle_report){.rounds = ROUNDS_CPU};
    if (bench_device_choose(options, &report->device, &report->repeats, err) != 0)
        return -1;
    if (report->device.kind == DEVICE_GPU)
        report->rounds = ROUNDS_GPU;
    return bench_device_run(&report->device, shflviz_cpu_measure_shuffle,
                            SHFLVIZ_MEASURE_GPU(shuffle), report, err);
}

bool bench_shuffle_correct(const struct bench_shuffle_report *report) {
    for (unsigned r = 0; r < report->row_count; r++)
        if (!report->rows[r].correct)
            return false;
    return true;
}

void bench_shuffle_text(const struct bench_shuffle_report *report, struct text *text) {
    const char *unit = report->device.kind == DEVICE_GPU ? _("cycles") : "ns";
    const char *const headings[] = {"", unit, _("sums/s"), _("ratio"), _("sums")};
    text_append_format(text, _("The sum of a warp in all its lanes; the median of %u runs.\n"),
                       report->repeats);
    bench_device_text(&report->device, text);
    bench_headings(text, headings, (const int[]){24, -12, -14, -8, 0}, 5);
    for (unsigned r = 0; r < report->row_count; r++) {
        const struct bench_shuffle_row *row = &report->rows[r];
        text_append_column(text, message(row->name), 24);
        text_append_format(text, " %12.1f %14.3e %8.2f  %s\n", row->cycles, row->rate,
                           report->rows[0].rate > 0 ? row->rate / report->rows[0].rate : 0,
                           row->correct ? _("right") : _("WRONG"));
    }
    text_append_format(text,
                       _("\n%-6s         per sum: one warp alone, %u dependent sums\nsums/s        "
                         " the same sums in every warp of a grid that fills the device\nratio      "
                         "    sums per second, relative to shuffles\n"),
                       unit, report->rounds);
}

#include "launch/number.h"

#include "base/complaint.h"
#include "base/message.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Reads a number and nothing else: returns a description of the error in `text`, or NULL. */
static const char *whole_number(const char *text, uint64_t *number) {
    const char *end;
    enum number_problem problem = number_scan(text, &end, number);
    if (problem != NUMBER_FINE)
        return number_problem_text(problem);
    return *end ? number_problem_text(NUMBER_MISSING) : NULL;
}

int number_parse_u64(const char *option, const char *text, uint64_t minimum, uint64_t maximum,
                     uint64_t *number, struct error *err) {
    uint64_t value;
    const char *wrong = whole_number(text, &value);
    if (!wrong && (value < minimum || value > maximum))
        wrong = _("is out of range");
    if (!wrong) {
        *number = value;
        return 0;
    }
    return error_set(err, ERROR_USAGE,
                     _("%s: '%s' %s\nallowed: %" PRIu64 " to %" PRIu64
                       ", in decimal, 0x hexadecimal or 0b binary"),
                     option, text, wrong, minimum, maximum);
}

int number_parse_u32(const char *option, const char *text, uint32_t minimum, uint32_t maximum,
                     uint32_t *number, struct error *err) {
    uint64_t value = 0; /* gcc cannot know that a failure is never 0 */
    if (number_parse_u64(option, text, minimum, maximum, &value, err) < 0)
        return -1;
    *number = (uint32_t)value;
    return 0;
}

int number_parse_i64(const char *option, const char *text, int64_t minimum, int64_t maximum,
                     int64_t *number, struct error *err) {
    bool negative = text[0] == '-';
    uint64_t magnitude;
    const char *wrong = whole_number(text + negative, &magnitude);
    /* The most negative number has no positive counterpart. */
    uint64_t limit = negative ? UINT64_C(1) << 63 : (uint64_t)INT64_MAX;
    int64_t value = wrong ? 0 : (int64_t)(negative ? 0 - magnitude : magnitude);
    if (!wrong && (magnitude > limit || value < minimum || value > maximum))
        wrong = _("is out of range");
    if (!wrong) {
        *number = value;
        return 0;
    }
    return error_set(err, ERROR_USAGE,
                     _("%s: '%s' %s\nallowed: %" PRId64 " to %" PRId64
                       ", in decimal, 0x hexadecimal or 0b binary"),
                     option, text, wrong, minimum, maximum);
}

int number_parse_size(const char *option, const char *value, uint64_t least, uint64_t *size,
                      struct error *err) {
    static const char letters[] = "KMG";
    const char *end;
    char allowed[96], attempt[48];
    uint64_t number = 0;
    enum number_problem problem = number_scan(value, &end, &number);
    const char *letter = problem == NUMBER_FINE && *end ? strchr(letters, *end) : NULL;
    unsigned shift = letter ? 10 * (unsigned)(letter - letters + 1) : 0;
    if (problem == NUMBER_FINE && end[letter != NULL] == '\0' && number <= UINT64_MAX >> shift &&
        number << shift >= least) {
        *size = number << shift;
        return 0;
    }
    snprintf(allowed, sizeof(allowed), _("bytes, or a number with K, M or G; at least %dM"),
             (int)(least >> 20));
    snprintf(attempt, sizeof(attempt), "--%s 256M", option);
    return complain(err, option, value, _("is not a usable size"), allowed, attempt);
}

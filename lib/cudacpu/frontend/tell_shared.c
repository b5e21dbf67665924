#include "cudacpu/frontend/tell_shared.h"

#include "cudacpu/frontend/declared_names.h"

struct telling {
    struct text *text;
    const struct tell_shared *told;
};

static void tell(void *context, const char *name, size_t length) {
    const struct telling *telling = context;
    const int n = (int)length;
    if (telling->told->region)
        text_append_format(telling->text, " ::cpu_shared_variable((void *)&%.*s, sizeof(%.*s));", n,
                           name, n, name);
    if (telling->told->name)
        text_append_format(telling->text,
                           " static const int shflviz_told_%.*s __attribute__((unused)) = "
                           "::shflviz::tell_shared<decltype(%.*s), %s>(\"%.*s\", (void *)&%.*s);",
                           n, name, n, name, telling->told->dynamic ? "true" : "false", n, name, n,
                           name);
}

void tell_shared_append(struct text *text, const char *from, const char *end,
                        const struct tell_shared *told) {
    struct telling telling = {text, told};
    declared_names(from, end, tell, &telling);
}

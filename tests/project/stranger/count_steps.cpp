// count_steps FILE - prints how many steps a recording has.
#include <shflviz/trace/trace.h>

#include <iostream>

int main(int argc, char **argv) {
    error err = ERROR_INIT;
    trace *recording = nullptr;
    if (argc != 2 || trace_open(&recording, argv[1], &err) != 0) {
        std::cerr << err.text << "\n";
        return 2;
    }
    std::cout << trace_step_count(recording) << " steps\n";
    trace_close(recording);
    return 0;
}

// An instruction that does not exist.
// status 4
int main() {
    __builtin_trap();
}

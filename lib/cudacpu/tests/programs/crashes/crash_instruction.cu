// An instruction that no processor has.
// status 4
int main() {
    __builtin_trap();
}

#!/bin/sh
# check_apart.sh SHFLVIZ - checks that the process that runs the kernels determines its outputs and
# nothing else.
#
# No answer can run its own code on the host. Here the test's harness runs such code instead, only in
# the process that ran its kernel.
set -u
program=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir own
printf -- '---\ntitle: T\nteaches: nothing\n---\nTask\n' >own/en.md
printf '__device__ int answer(int value) { return value + 1; }\n' >own/solution.cu
cp own/solution.cu own/skeleton.cu
failed=0

# try WANTED NAME <CODE: runs CODE in the process that ran the kernel; in it, `file` names the program's results and
# `outputs` its outputs.
try() {
    cat >own/harness.cu <<END
#include <shflviz/exercise.cuh>
#include <errno.h>
#include <string>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
__device__ int answer(int value);
__global__ void call(int *out) { out[threadIdx.x] = answer(threadIdx.x); }
static std::string word(int number) { /* a word of the command line; the words follow each other */
    const char *at = program_invocation_name;
    for (; number > 0; number--)
        at += strlen(at) + 1;
    return at;
}
void test(exercise::trial &t) {
    t.begin("one");
    auto out = t.output<int>(32);
    call<<<1, 32>>>(out.gpu());
    cudaDeviceSynchronize();
    int seen[32] = {0};
    cudaMemcpy(seen, out.gpu(), sizeof seen, cudaMemcpyDeviceToHost);
    const std::string file = word(1), outputs = word(4);
    for (int i = 0; i < 32; i++)
        out.want(i, $wanted);
    if (seen[0] == 1) {
        $(cat)
    }
    t.compare(out, 32);
}
END
    "$program" exercise check own/solution.cu --name own --lang en >said 2>&1
    status=$?
    if [ "$status" != "$1" ] || ! grep -q "$3" said; then
        echo "wrong: $2: status $status"
        cat said
        failed=1
    fi
}

wanted='i + 1'
try 0 'nothing' 'passed: 4 cases' </dev/null
wanted='i + 2'
try 1 'nothing, and wrong values' 'lane 0 of warp 0 in block 0 returned 1; expected 2' </dev/null
try 4 'results that it writes itself' 'left no results of this case' <<'END'
FILE *f = fopen(file.c_str(), "w");
fputs("case\tone\nend\n", f);
fclose(f);
exit(0);
END
try 4 'and outputs that are something else' 'left no results of this case' <<'END'
FILE *f = fopen(outputs.c_str(), "w");
fputs("out\t128\nend\n", f);
fclose(f);
exit(0);
END
try 4 'a pipe in their place' 'ended before the test did' <<'END'
unlink(outputs.c_str());
mkfifo(outputs.c_str(), 0600);
_exit(0);
END
try 4 'a link to a file that never ends' 'ended before the test did' <<'END'
unlink(outputs.c_str());
if (symlink("/dev/zero", outputs.c_str()) == 0)
    _exit(0);
END
try 4 'another program in the place of the one that compares' 'has replaced itself with another' <<'END'
const char *path = (const char *)getauxval(AT_EXECFN);
const std::string other = std::string(path) + "2";
FILE *f = fopen(other.c_str(), "w");
fprintf(f, "#!/bin/sh\nprintf 'case\\tone\\nend\\n' >'%s'\n", file.c_str());
fclose(f);
if (rename(other.c_str(), path) == 0)
    _exit(0);
END
exit $failed

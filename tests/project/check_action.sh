#!/bin/sh
# check_action.sh SOURCE SHFLVIZ - tests the script of the GitHub Action and the pre-commit hook: it
# checks each file separately, and returns the worst status and all findings in one SARIF run.
set -u
check=$1/packaging/action/check
PATH=$(dirname "$2"):$PATH
command -v jq >/dev/null || {
    echo 'no jq on this machine: what the GitHub Action runs is not tested'
    exit 77
}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
printf '__global__ void wrong(int *out) {\n    if (threadIdx.x < 16)\n        out[threadIdx.x] = __shfl_down_sync(0xffff, 1, 16);\n}\n' >wrong.cu
sed 's/wrong/other/' wrong.cu >other.cu
printf '__global__ void right(int *out) { out[threadIdx.x] = __shfl_xor_sync(0xffffffff, 1, 1); }\n' >right.cu
echo '__global__ void broken() { no; }' >broken.cu
status=0
expect() { # STATUS ARGUMENTS...
    wanted=$1
    shift
    "$check" "$@" >said 2>&1
    got=$?
    [ $got = "$wanted" ] || {
        echo "check $*: status $got instead of $wanted"
        cat said
        status=1
    }
}
expect 0 - right.cu
expect 1 - right.cu wrong.cu
grep -q 'source_lane_not_in_mask: wrong.cu:3' said || {
    echo 'the hook does not print the finding'
    cat said
    status=1
}
FAIL=false expect 0 - wrong.cu
expect 2 - broken.cu wrong.cu
GITHUB_OUTPUT=$work/outputs expect 2 all.sarif right.cu wrong.cu broken.cu other.cu
files=$(jq -r '[.runs[].results[].locations[0].physicalLocation.artifactLocation.uri] | unique | join(" ")' all.sarif)
[ "$files $(jq '.runs | length' all.sarif)" = 'other.cu wrong.cu 1' ] || {
    echo "the SARIF file has findings in: $files"
    status=1
}
grep -qx 'sarif=all.sarif' outputs || {
    echo 'the SARIF file is not an output of the action'
    status=1
}
expect 2 none.sarif broken.cu
[ ! -e none.sarif ] || status=1
exit $status

#!/bin/sh
# check_claims.sh FOLDER COMPILER... - checks the statements in FOLDER/claims.cu about which code
# compiles. COMPILER is nvcc or cudacpu, with options; it gets the file's name and, if it is nvcc,
# -DNVCC.
set -u
folder=$1
shift
command -v "$1" >/dev/null || { echo "$1 is no longer here: statements about nvcc are not checked"; exit 77; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

cp "$folder/claims.cu" claims.cu
sed '/\/\/ refused$/d' claims.cu >accepted.cu

nvcc=no
case ${1##*/} in
nvcc)
    nvcc=yes
    set -- "$@" -DNVCC -ptx -o claims.ptx
    ;;
esac

if ! "$@" accepted.cu >said 2>&1 </dev/null; then
    echo 'claims.cu without its refused lines does not compile:'
    head -20 said
    exit 1
fi

# nvcc compiles all sections; other compilers skip those of the toolkit.
awk -v nvcc=$nvcc '
    /^#ifdef NVCC/ { toolkit = 1 }
    /\/\/ refused$/ && (nvcc == "yes" || !toolkit) { print NR }
    /^#endif/ { toolkit = 0 }' claims.cu >expected
"$@" claims.cu >said 2>&1 </dev/null && echo 'claims.cu compiles, including its refused lines'

# An error in a header counts for the line that includes it.
grep -E 'claims\.cu[(:][0-9]+(\)|:[0-9]+)?: error|at line [0-9]+ of .*claims\.cu|claims\.cu:[0-9]+:.*requested here' said |
    sed -E 's/.*at line ([0-9]+) of .*/\1/; s/.*claims\.cu[(:]([0-9]+).*/\1/' | sort -nu >found
sort -n expected | diff - found && [ "$(wc -l <expected)" -ge 8 ] && exit 0
echo '(<: refused only according to claims.cu; >: refused only by the compiler)'
head -20 said
exit 1

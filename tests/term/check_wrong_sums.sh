#!/bin/sh
# check_wrong_sums.sh SHFLVIZ - tests ten wrong sums on a terminal: at most three keys lead to the lane and the line.
#
# The keys are those in the key list: G goes to the last operation, Enter to a finding, `o` shows
# the origins of values. The sentence at the bottom names the line and the lane, and the source line is
# highlighted.
set -u
program=$1
. "$(dirname "$0")/panes.sh"
environment="env -u TMUX LC_ALL=C.UTF-8 TERM=tmux-256color"

cat >"$work/sums.cu" <<'EOF'
#include <cstdlib>
__global__ void twice(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  v += in[31 - t];
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_down_sync(~0u, v, o);
  if (t == 0) out[0] = v;
}
__global__ void tail(const int *in, int *out, int n) {
  int t = threadIdx.x, v = 0;
  for (int i = t; i < n / 32 * 32; i += 32)
    v += in[i];
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_down_sync(~0u, v, o);
  if (t == 0) out[0] = v;
}
__global__ void mask(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  if (t < 31)
    for (int o = 16; o > 0; o /= 2)
      v += __shfl_down_sync(0x7fffffff, v, o);
  if (t == 0) out[0] = v;
}
__global__ void leaves(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  if (t == 31) return;
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_down_sync(~0u, v, o);
  if (t == 0) out[0] = v;
}
__global__ void width(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_down_sync(~0u, v, o, 16);
  if (t == 0) out[0] = v;
}
__global__ void stale(const int *in, int *out) {
  __shared__ int s[1];
  int t = threadIdx.x, v = in[t];
  for (int o = 16; o > 0; o /= 2) {
    if (t == 0) s[0] = v;
    v += __shfl_down_sync(~0u, v, o);
  }
  __syncwarp();
  if (t == 0) out[0] = s[0];
}
__global__ void up(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_up_sync(~0u, v, o);
  if (t == 0) out[0] = v;
}
__global__ void minus(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  for (int o = 16; o > 0; o /= 2)
    v -= __shfl_down_sync(~0u, v, o);
  if (t == 0) out[0] = v;
}
__global__ void few(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  for (int o = 16; o > 1; o /= 2)
    v += __shfl_xor_sync(~0u, v, o);
  if (t == 0) out[0] = v;
}
__global__ void other(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  for (int o = 16; o > 0; o /= 2)
    v += __shfl_down_sync(~0u, v, o);
  v = __shfl_sync(~0u, v, 1);
  if (t == 0) out[0] = v;
}
int main(int, char **arguments) {
  const int which = atoi(arguments[1]), n = which == 2 ? 40 : 32;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof *in);
  cudaMallocManaged(&out, sizeof *out);
  for (int i = 0; i < n; i++) in[i] = i;
  switch (which) {
  case 1: twice<<<1, 32>>>(in, out); break;
  case 2: tail<<<1, 32>>>(in, out, n); break;
  case 3: mask<<<1, 32>>>(in, out); break;
  case 4: leaves<<<1, 32>>>(in, out); break;
  case 5: width<<<1, 32>>>(in, out); break;
  case 6: stale<<<1, 32>>>(in, out); break;
  case 7: up<<<1, 32>>>(in, out); break;
  case 8: minus<<<1, 32>>>(in, out); break;
  case 9: few<<<1, 32>>>(in, out); break;
  case 10: other<<<1, 32>>>(in, out); break;
  }
  return cudaDeviceSynchronize();
}
EOF

# finds NUMBER KEYS LINE SENTENCE
finds() {
    where=sum$1
    pane new-session -d -x 100 -y 32 -s "$where" -c "$work" "$environment '$program' run sums.cu --lang en -- $1"
    case $2 in
    Enter*) shows 'times  line' ;;
    *) shows '1 lanes' ;;
    esac
    for key in $2; do
        pane send-keys -t "$where" "$key"
        [ "$key" = Enter ] && shows '1 lanes'
    done
    shows "$4"
    shows "▸ $(printf "%3d" "$3")"
    pane kill-session -t "$where"
}

finds 1 'G o' 4 'out[0]: line 4 reads in[0..31] a second time, in lane 31, after lane 0 on line 3'
finds 2 'G o' 12 'out[0]: line 12 reads its last element in lane 31: in[32..39] is left out'
finds 3 'Enter o' 21 'out[0]: line 21 is undefined: lane 15 reads lane 31, which takes no part'
finds 4 'Enter o' 26 'out[0]: line 26 loses in[31]: lane 31 ends on that line, and lane 15 reads that lane on line 28'
finds 5 'G o' 34 'out[0]: line 34 adds in[0..15] a second time: lane 0 reads itself'
finds 6 'G o' 41 'out[0]: line 41, 5× in the loop on line 40, takes the value of lane 0 before that lane has in[1]'
finds 7 'G o' 50 'out[0]: line 50 adds in[0] a second time: lane 0 reads itself'
finds 8 'G o' 56 'out[0]: line 56 subtracts in[1..2], in[4], ...: lane 0'
finds 9 'G o' 62 'out[0]: line 62, 4× in the loop on line 61, never gives lane 0 in[1], in[3], ...'
finds 10 'G o' 69 'out[0]: line 69 loses in[0], which lane 0 held: that lane takes the value of lane 1'

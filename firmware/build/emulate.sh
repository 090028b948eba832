#!/usr/bin/env bash
# Has this kernel run arm64 programs by qemu-aarch64-static, or not: emulate.sh on|off
set -euo pipefail
at=/proc/sys/fs/binfmt_misc
[ -e $at/register ] || mount -t binfmt_misc binfmt_misc $at
case ${1:-} in
on)
  [ -e $at/qemu-aarch64 ] && exit 0
  printf %s "$(cat /usr/lib/binfmt.d/qemu-aarch64.conf)" >$at/register ;;
off) [ ! -e $at/qemu-aarch64 ] || echo -1 >$at/qemu-aarch64 ;;
*) sed -n 2p "$0" >&2; exit 2 ;;
esac

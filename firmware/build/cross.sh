#!/usr/bin/env bash
# Builds the program for a 64-bit Raspberry Pi on any Debian machine: in a Debian of its own with the arm64 compiler and
# OpenCV, kept in $DAVAR_CACHE (1.5 GB, a few minutes, once).
#
#   cross.sh prepare            make that Debian if it is not there
#   cross.sh build OUT [VERSION] build cmd/davar into the file OUT; the programs without C beside it
#   cross.sh run PROGRAM ARGS   run an arm64 program in it by user emulation
#
# Root is needed (mounts in a name space of their own, chroot). The network is asked for packages alone.
set -euo pipefail
cache=${DAVAR_CACHE:-/var/cache/davar}
suite=${DAVAR_SUITE:-bookworm}
root=$cache/cross-$suite
here=$(cd "$(dirname "$0")/../.." && pwd)

prepare() {
  [ -f "$root/.ready" ] && return
  mkdir -p "$cache"
  exec 9>"$cache/lock-cross"
  flock 9
  [ -f "$root/.ready" ] && return
  rm -rf "$root"
  echo "preparing a Debian $suite that builds for arm64 in $root" >&2
  mmdebstrap --quiet --variant=apt --architectures=amd64,arm64 --dpkgopt=force-unsafe-io \
    --include=ca-certificates,crossbuild-essential-arm64,pkg-config,libopencv-dev:arm64 \
    "$suite" "$root"
  mkdir -p "$root"/{src,out,gomod,gocache,usr/local/go}
  touch "$root/.ready"
}

# inside runs a command in the Debian, with the sources, Go and its caches mounted where only this command sees them.
inside() {
  export root here
  gomod=$(go env GOMODCACHE) goroot=$(go env GOROOT) unshare -m bash -euc '
    mount --bind "$goroot" "$root/usr/local/go"
    mount --bind "$gomod" "$root/gomod"
    mount --bind "$here" "$root/src"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/local/go/bin:/usr/bin:/bin HOME=/root GOFLAGS="-buildvcs=false -trimpath" \
      GOPROXY=off GOMODCACHE=/gomod GOCACHE=/gocache GOTOOLCHAIN=local GOOS=linux GOARCH=arm64 \
      CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ \
      PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig "$@"' inside "$@"
}

build() {
  local out=$1 version=${2:-0.0.0}
  prepare
  inside bash -euc 'cd /src
    CGO_ENABLED=1 go build -ldflags "-s -w -X main.version=$1" -o /out/davar ./cmd/davar
    CGO_ENABLED=0 go build -ldflags "-s -w" -o /out/ ./firmware/davar-launch ./firmware/davar-firstboot' build "$version"
  mkdir -p "$(dirname "$out")"
  install -m 755 "$root/out/davar" "$out"
  install -m 755 -t "$(dirname "$out")" "$root/out/davar-launch" "$root/out/davar-firstboot"
}

run() {
  prepare
  "$(dirname "$0")/emulate.sh" on
  inside "$@"
}

case ${1:-} in
prepare) prepare ;;
build) build "${@:2}" ;;
run) run "${@:2}" ;;
*) sed -n '2,9p' "$0" >&2; exit 2 ;;
esac

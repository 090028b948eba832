#!/usr/bin/env bash
# Builds the program in a Debian of another age, with that one's OpenCV, and runs there the tests of what sees:
#
#   debian.sh SUITE [PACKAGE...]      e.g.  debian.sh trixie ./vision/...
#
# The Debian is kept in $DAVAR_CACHE (1.6 GB, some minutes, once). Root is needed (mounts in a name space of their own,
# chroot). The network is asked for packages alone.
set -euo pipefail
cache=${DAVAR_CACHE:-/var/cache/davar}
suite=$1
shift
root=$cache/native-$suite
here=$(cd "$(dirname "$0")/../.." && pwd)

prepare() {
  mkdir -p "$cache"
  exec 9>"$cache/lock-native"
  flock 9
  [ ! -f "$root/.ready" ] || return 0
  rm -rf --one-file-system "$root"
  echo "preparing a Debian $suite with OpenCV in $root" >&2
  mmdebstrap --quiet --variant=apt --dpkgopt=force-unsafe-io --include=ca-certificates,g++,pkg-config,libopencv-dev "$suite" "$root"
  mkdir -p "$root"/{src,gomod,gocache,usr/local/go}
  touch "$root/.ready"
}

prepare
exec 9>&- # others may begin meanwhile
(cd "$here" && go mod download)
export root here
gomod=$(go env GOMODCACHE) goroot=$(go env GOROOT) exec unshare -m bash -euc '
  mount --bind "$goroot" "$root/usr/local/go"
  mount --bind "$gomod" "$root/gomod"
  mount --bind "$here" "$root/src"
  mount -o remount,bind,ro "$root/src"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  exec chroot "$root" /usr/bin/env -i PATH=/usr/local/go/bin:/usr/bin:/bin HOME=/root GOFLAGS="-buildvcs=false" GOPROXY=off \
    GOMODCACHE=/gomod GOCACHE=/gocache GOTOOLCHAIN=local /bin/bash -euc "
      cd /src
      echo \"debian: \$(. /etc/os-release; echo \$PRETTY_NAME), OpenCV \$(pkg-config --modversion opencv4), \$(go version)\"
      go build -o /tmp/davar ./cmd/davar
      /tmp/davar --version
      /tmp/davar read vision/testdata/oblique.jpg
      go test -count=1 \"\$@\"" test "$@"' debian "$@"

#!/usr/bin/env bash
# Packs the program that was built for this machine, for tests: native.sh DAVAR VERSION OUT.deb
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
install -m755 "$1" "$work/davar"
(cd "$here/../.." && CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o "$work/" ./firmware/davar-launch ./firmware/davar-firstboot)
"$here/build.sh" "$work" "$2" "$(dpkg --print-architecture)" "$3"

#!/usr/bin/env bash
# Reads pictures by the program cross-built for a Pi, by user emulation, and by the one of this machine, and fails where
# they read another thing: same-reading.sh DAVAR PICTURE... after cross.sh build. PICTUREs lie in the checkout. How sure a
# reading is may differ in the last digit: processors round differently.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
native=$(realpath "$1")
for picture in "${@:2}"; do
  inside=$(realpath --relative-to "$top" "$picture")
  ours=$("$native" read "$picture" | sed 's/ ([0-9]* %)//')
  theirs=$("$here/cross.sh" run /out/davar read "/src/$inside" | sed 's/ ([0-9]* %)//')
  if [ "$ours" != "$theirs" ]; then
    echo "same-reading: $inside is read otherwise on arm64:" >&2
    diff <(echo "$ours") <(echo "$theirs") >&2 || true
    exit 1
  fi
  echo "same-reading: $inside: the same on arm64"
done

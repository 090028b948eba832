#!/usr/bin/env bash
# Boots the image in an emulated machine with buttons: test-image.sh IMAGE [FLAGS OF firmware/trial]
set -euo pipefail
image=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
kernel=$(cat "$image.kernel")
"$here/buttons.sh" "$kernel" "$image.buttons"
cd "$here/../.."
exec go run ./firmware/trial -buttons "$image.buttons" "${@:2}" "$image"

#!/usr/bin/env bash
# Makes the appliance's Debian for arm64, without davar itself, in $DAVAR_CACHE (1.4 GB, some minutes, once), and
# prints its folder. Packages come from the mirror alone.
set -euo pipefail
cache=${DAVAR_CACHE:-/var/cache/davar}
suite=${DAVAR_SUITE:-bookworm}
root=$cache/appliance-$suite
here=$(cd "$(dirname "$0")" && pwd)
packages=(systemd-sysv udev kmod dbus adduser systemd-timesyncd linux-image-arm64 raspi-firmware firmware-brcm80211 initramfs-tools zstd
  network-manager wpasupplicant avahi-daemon iproute2 i2c-tools busybox-static e2fsck-static fdisk e2fsprogs
  libopencv-{core,imgproc,imgcodecs,videoio,highgui,calib3d,features2d,objdetect,video,photo,dnn}406)

mkdir -p "$cache"
exec 9>"$cache/lock-root"
flock 9
if [ ! -f "$root/.ready" ]; then
  "$here/emulate.sh" on
  rm -rf --one-file-system "$root"
  echo "preparing the appliance's Debian $suite in $root" >&2
  mmdebstrap --quiet --variant=extract --architectures=arm64 --components="main non-free-firmware" \
    --aptopt='Apt::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --extract-hook="$here/unpack.sh \"\$1\" ${packages[*]}" "$suite" "$root" >&2
  touch "$root/.ready"
fi
echo "$root"

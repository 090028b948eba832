#!/usr/bin/env bash
# Makes the appliance's Debian for arm64, without davar itself, in $DAVAR_CACHE (1.4 GB, some ten minutes, once), and
# prints its folder. Packages come from the mirror alone.
set -euo pipefail
cache=${DAVAR_CACHE:-/var/cache/davar}
suite=${DAVAR_SUITE:-bookworm}
root=$cache/appliance-$suite
packages=systemd-sysv,udev,kmod,dbus,adduser,systemd-timesyncd,linux-image-arm64,raspi-firmware,firmware-brcm80211,initramfs-tools,zstd
packages+=,network-manager,wpasupplicant,avahi-daemon,iproute2,i2c-tools,busybox-static
packages+=,libopencv-core406,libopencv-imgproc406,libopencv-imgcodecs406,libopencv-videoio406,libopencv-highgui406
packages+=,libopencv-calib3d406,libopencv-features2d406,libopencv-objdetect406,libopencv-video406,libopencv-photo406,libopencv-dnn406

mkdir -p "$cache"
exec 9>"$cache/lock-root"
flock 9
if [ ! -f "$root/.ready" ]; then
  "$(dirname "$0")/emulate.sh" on
  rm -rf "$root"
  echo "preparing the appliance's Debian $suite in $root" >&2
  # Under emulation update-initramfs takes longer than all the rest; the image has a small initrd of its own.
  mmdebstrap --quiet --variant=minbase --architectures=arm64 --components="main non-free-firmware" \
    --aptopt='Apt::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --essential-hook='chroot "$1" dpkg-divert --quiet --local --rename --add /usr/sbin/update-initramfs && ln -sf /bin/true "$1/usr/sbin/update-initramfs"' \
    --essential-hook='mkdir -p "$1/boot/firmware"' \
    --include="$packages" "$suite" "$root" >&2
  touch "$root/.ready"
fi
echo "$root"

#!/usr/bin/env bash
# Buttons for the appliance in an emulated machine: buttons.sh KERNEL OUT.cpio. An initrd with what this leaves behind it
# has the kernel's simulated lines under the names of a Pi's header before the system starts, and whatever is written to
# the virtual machine's port "buttons" ("17 pull-down") is done to them from outside. The image itself is not touched.
# The kernel's gpio-sim, which Debian leaves out, is built once from the sources of device/gpio/testvm.sh and kept in
# $DAVAR_CACHE.
set -euo pipefail
kernel=$1 out=$(realpath "$2")
cache=${DAVAR_CACHE:-/var/cache/davar}
here=$(cd "$(dirname "$0")" && pwd)
cross=$cache/cross-${DAVAR_SUITE:-bookworm}
kept=$cache/gpiosim-$kernel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() {
  local version=${kernel%-arm64} sources
  sources=$("$here/../../device/gpio/testvm.sh" prepare)/gpiosim
  "$here/cross.sh" prepare
  (cd "$work" && apt-get -q download "linux-headers-$version-common" linux-kbuild-6.1 >/dev/null && fetch_arm64 "linux-headers-$kernel")
  for package in "$work"/*.deb; do # not over the root: it has ./lib, a link there
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$cross" ./usr
  done
  rm -rf "$cross/src-gpiosim"
  mkdir "$cross/src-gpiosim"
  cp "$sources"/{chip.c,irq.c,gpiolib.h,Makefile} "$cross/src-gpiosim/"
  chroot "$cross" /usr/bin/env -i PATH=/usr/bin:/bin make -s -C "/usr/src/linux-headers-$kernel" M=/src-gpiosim ARCH=arm64 \
    CROSS_COMPILE=aarch64-linux-gnu- modules
  mkdir -p "$kept"
  cp "$cross/src-gpiosim/gpio-sim.ko" "$kept/"
}

# fetch_arm64 downloads a package of arm64 on a machine that has no lists of that architecture.
fetch_arm64() {
  local dir=$work/apt
  mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
  local options=(-q -o Dir::State::Lists="$dir/lists" -o Dir::Cache="$dir/cache" -o Dir::State::Status=/dev/null -o APT::Architecture=arm64 -o APT::Architectures=arm64)
  apt-get "${options[@]}" update >/dev/null
  apt-get "${options[@]}" download "$1" >/dev/null
}

[ -f "$kept/gpio-sim.ko" ] || build
modules=$cache/appliance-${DAVAR_SUITE:-bookworm}
root=$work/root
mkdir -p "$root/mods"
for module in configfs virtio_console; do
  modprobe -d "$modules" -S "$kernel" --show-depends $module | awk '/^insmod/{print $2}' | while read -r file; do
    cp "$file" "$root/mods/"
    basename "$file" >>"$root/before-order"
  done
done
cp "$kept/gpio-sim.ko" "$root/mods/"
echo gpio-sim.ko >>"$root/before-order"
cat >"$root/before" <<'BEFORE'
while read -r module; do insmod "/mods/$module" 2>/dev/null; done </before-order
mkdir -p /config
mount -t configfs none /config
chip=/config/gpio-sim/pi
mkdir -p $chip/bank
echo 54 >$chip/bank/num_lines
echo pinctrl-bcm2711 >$chip/bank/label
i=0
while [ $i -lt 54 ]; do mkdir $chip/bank/line$i; echo GPIO$i >$chip/bank/line$i/name; i=$((i + 1)); done
echo 1 >$chip/live
echo "trial: lines are there: $(ls -d /sys/devices/platform/gpio-sim.0/gpiochip*)" >/dev/kmsg
port=$(ls /dev/vport*p1) # a redirection knows no patterns
(
  cd /sys/devices/platform/gpio-sim.0/gpiochip* || exit
  while read -r line pull; do echo "$pull" >"sim_gpio$line/pull"; done <"$port"
) &
BEFORE
(cd "$root" && find . | cpio -o -H newc --quiet) >"$out"

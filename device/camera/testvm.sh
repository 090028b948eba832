#!/bin/bash
# testvm.sh: run the tests of cameras against the kernel's own video drivers in a throw-away virtual machine.
#
#   device/camera/testvm.sh [TEST FLAGS]      e.g.  -test.v -test.run Unplugged
#
# The machine is the one of device/gpio/testvm.sh (see there), with the driver "vivid", a camera that the kernel draws,
# and "v4l2loopback", a camera that a program feeds. The tests plug both in and out. OpenCV is this machine's, seen from
# within over 9p, for reading only. Its clock counts instructions and skips idling, so a busy host makes it late for
# nothing and a camera that stalls for ten seconds costs none. Exit status: that of the tests; 77 when there can be no such
# machine here, 124 when they took over DAVAR_VM_SECONDS. A table that is to keep up with a film is too slow in here:
# see testfilm.sh.
set -euo pipefail
seconds=${DAVAR_VM_SECONDS:-1800}
top=$(cd "$(dirname "$0")/../.." && pwd)
cache=$("$top/device/gpio/testvm.sh" prepare)
kernel=$(cat "$cache/ready")

# build_loopback makes v4l2loopback, which Debian ships as source.
build_loopback() {
  local build=$cache/loopback
  [ -f "$cache/root/lib/modules/$kernel/updates/v4l2loopback.ko" ] && return
  mkdir -p "$build"
  (cd "$build" && apt-get download v4l2loopback-dkms >/dev/null 2>&1) || { echo "testvm: skipped: cannot download v4l2loopback-dkms" >&2; exit 77; }
  dpkg-deb -x "$build"/v4l2loopback-dkms_*.deb "$build"
  make -s -C "/lib/modules/$kernel/build" M="$(echo "$build"/usr/src/v4l2loopback-*)" modules >"$cache/loopback.log" 2>&1 || { cat "$cache/loopback.log" >&2; exit 1; }
  install -D "$build"/usr/src/v4l2loopback-*/v4l2loopback.ko "$cache/root/lib/modules/$kernel/updates/v4l2loopback.ko"
  depmod -b "$cache/root" "$kernel"
  rm -rf "$build"
}

# modules lists the files of a module and of what it needs, in order.
modules() { modprobe -d "$cache/root" -S "$kernel" --show-depends "$1" | awk '/^insmod/ {print $2}'; }

pack() {
  local root=$work/root m file flag
  mkdir -p "$root"/{bin,proc,sys,dev,tmp,host,modules}
  cp /bin/busybox "$root/bin/"
  cp "$work/camera.test" "$root/"
  for m in virtio_pci 9pnet_virtio 9p vivid v4l2loopback; do
    modules $m | while read -r file; do
      grep -qs "$(basename "$file")" "$root/modules/order" && continue
      cp "$file" "$root/modules/"
      case $file in */vivid.ko | */v4l2loopback.ko) continue ;; esac # the tests plug these in
      basename "$file" >>"$root/modules/order"
    done
  done
  { echo "cd $top/device/camera && exec /tmp/camera.test \\"; for flag in "$@"; do printf '%q ' "$flag"; done; } >"$root/run"
  cat >"$root/init" <<INIT
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mkdir -p /dev/shm; mount -t tmpfs tmpfs /dev/shm
ifconfig lo 127.0.0.1 up
while read -r m; do insmod "/modules/\$m"; done </modules/order
mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=262144,cache=loose,access=any host /host
for d in dev proc sys; do mount --bind /\$d /host/\$d; done
mount -t tmpfs tmpfs /host/tmp
mkdir /host/tmp/modules
cp /modules/*.ko /host/tmp/modules/; cp /camera.test /run /host/tmp/
export DAVAR_CAMERA_MODULES=/tmp/modules PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp GOTRACEBACK=all
status=0
chroot /host sh /tmp/run </dev/null || status=\$?
echo "status \$status" >/dev/ttyS1
poweroff -f
INIT
  chmod 755 "$root/init"
  (cd "$root" && find . | cpio -o -H newc --quiet) >"$work/initrd"
}

build_loopback
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$top" && go test -c -o "$work/camera.test" ./device/camera)
pack "$@"
started=$(date +%s)
set +e
timeout -k 5 "$seconds" qemu-system-x86_64 -M pc -accel tcg,tb-size=256 -icount shift=2,sleep=off -cpu Nehalem,+rdrand -m 1536 \
  -nodefaults -no-user-config -display none -no-reboot -serial stdio -serial "file:$work/status" \
  -fsdev local,id=host,path=/,security_model=none,readonly=on,multidevs=remap -device virtio-9p-pci,fsdev=host,mount_tag=host \
  -kernel "$cache/vmlinux" -initrd "$work/initrd" \
  -append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr no_timer_check random.trust_cpu=on" </dev/null
status=$(sed -n 's/^status \([0-9]*\).*/\1/p' "$work/status")
echo "testvm: emulated, $(($(date +%s) - started)) s"
[ -n "$status" ] || { echo "testvm: the machine reported nothing within $seconds s" >&2; exit 124; }
exit "$status"

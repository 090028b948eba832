#!/bin/bash
# testvm.sh: run the tests of buttons and clock against the real driver in a throw-away virtual machine.
#
#   device/gpio/testvm.sh [TEST FLAGS]      e.g.  -test.v
#   DAVAR_PRESSES=10000 device/gpio/testvm.sh -test.v
#   device/gpio/testvm.sh prepare     only make the cache and print its folder, for device/camera/testvm.sh
#
# The machine runs Debian 12's own kernel with the kernel's simulated GPIO chip (gpio-sim), whose lines a test can
# pull like a finger on a button. QEMU runs it with KVM where that works (DAVAR_VM_ACCEL=tcg does without, kvm insists)
# and else emulates it, so it boots anywhere in a few seconds. The first run installs what is missing (qemu, kernel
# headers, a static busybox) and builds gpio-sim, which Debian's kernel leaves out, from Debian's kernel source into
# $DAVAR_VM_CACHE (default /var/cache/davar-vm); later runs need no network. On a machine that is not Debian 12 on
# amd64, or where nothing can be installed, it says so and exits with 77, "skipped". Otherwise the exit status is that
# of the tests; 124 when they took over DAVAR_VM_SECONDS.
set -euo pipefail
cache=${DAVAR_VM_CACHE:-/var/cache/davar-vm}
seconds=${DAVAR_VM_SECONDS:-600}
top=$(cd "$(dirname "$0")/../.." && pwd)
packages=(device/gpio cmd/davar/panel)

skip() { echo "testvm: skipped: $1" >&2; exit 77; }

# need fills the list of packages that are not installed.
missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }

install_tools() {
  need qemu-system-x86_64 qemu-system-x86
  need cpio cpio
  need modprobe kmod
  need xz xz-utils
  need make make
  need gcc gcc
  { [ -x /bin/busybox ] && ! ldd /bin/busybox >/dev/null 2>&1; } || missing+=(busybox-static)
  [ -d "/usr/src/linux-headers-$1" ] || missing+=("linux-headers-$1")
  [ ${#missing[@]} = 0 ] && return
  [ "$(id -u)" = 0 ] || skip "as root, install ${missing[*]}"
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends \
    "${missing[@]}" >"$cache/install.log" 2>&1 || skip "cannot install ${missing[*]}: see $cache/install.log"
}

# unpack_kernel leaves the kernel's modules in $cache/root and the bare kernel, which starts three seconds sooner
# than one that has to unpack itself, in $cache/vmlinux.
unpack_kernel() {
  local at image="$cache/root/boot/vmlinuz-$1"
  (cd "$cache/deb" && apt-get download "linux-image-$1" linux-source-6.1 >/dev/null 2>&1) || skip "cannot download the kernel"
  dpkg-deb -x "$cache"/deb/linux-image-*.deb "$cache/root"
  for at in $(LC_ALL=C grep -aboP '\xfd7zXZ\x00' "$image" | cut -d: -f1); do
    tail -c +$((at + 1)) "$image" | xz -dc >"$cache/vmlinux" 2>/dev/null || true
    [ "$(head -c 4 "$cache/vmlinux" | tail -c 3)" = ELF ] && return
  done
  echo "testvm: no kernel found inside $image" >&2
  exit 1
}

# build_gpiosim makes one module of gpio-sim and the irq_sim it needs, neither of which Debian builds. irq_sim is
# written to live inside the kernel: two things it uses there are not open to modules and have open twins.
build_gpiosim() {
  local src="$cache/deb/linux-source-6.1" build="$cache/gpiosim"
  mkdir -p "$build"
  dpkg-deb --fsys-tarfile "$cache"/deb/linux-source-6.1_*.deb | tar -xO ./usr/src/linux-source-6.1.tar.xz |
    tar -xJ -C "$cache/deb" linux-source-6.1/drivers/gpio/gpio-sim.c linux-source-6.1/drivers/gpio/gpiolib.h \
      linux-source-6.1/kernel/irq/irq_sim.c
  cp "$src/drivers/gpio/gpiolib.h" "$build/"
  cp "$src/drivers/gpio/gpio-sim.c" "$build/chip.c"
  sed -e 's/handle_simple_irq(irq_to_desc(irqnum));/generic_handle_irq(irqnum);/' -e '/^EXPORT_SYMBOL/d' \
    "$src/kernel/irq/irq_sim.c" >"$build/irq.c"
  printf 'obj-m := gpio-sim.o\ngpio-sim-y := chip.o irq.o\n' >"$build/Makefile"
  make -s -C "/lib/modules/$1/build" M="$build" modules >"$cache/build.log" 2>&1 || { cat "$cache/build.log" >&2; exit 1; }
  install -D "$build/gpio-sim.ko" "$cache/root/lib/modules/$1/updates/gpio-sim.ko"
  depmod -b "$cache/root" "$1"
}

prepare() {
  local kernel
  mkdir -p "$cache/deb" 2>/dev/null || skip "cannot write to $cache: set DAVAR_VM_CACHE"
  exec 9>"$cache/lock"
  flock 9
  [ -f "$cache/ready" ] && return
  [ "$(uname -m)" = x86_64 ] || skip "the virtual machine is an amd64 one"
  command -v apt-cache >/dev/null || skip "needs Debian 12"
  kernel=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: linux-image-\([0-9].*\)/\1/p' | head -1)
  case $kernel in 6.1.*) ;; *) skip "needs Debian 12 with its package lists (apt-get update)" ;; esac
  install_tools "$kernel"
  unpack_kernel "$kernel"
  build_gpiosim "$kernel"
  rm -rf "$cache/deb"
  echo "$kernel" >"$cache/ready"
}

# pack makes the machine's file system in memory: busybox, two modules, the test program and its flags.
pack() {
  local root="$work/root" kernel flag
  kernel=$(cat "$cache/ready")
  mkdir -p "$root"/{bin,proc,sys,dev,tmp,modules}
  cp /bin/busybox "$root/bin/"
  cp -r "$work/tests" "$root/"
  modprobe -d "$cache/root" -S "$kernel" --show-depends gpio-sim | awk '/^insmod/ {print $2}' |
    while read -r m; do cp "$m" "$root/modules/"; basename "$m" >>"$root/modules/order"; done
  for flag in "$@"; do printf '%q ' "$flag"; done >"$root/flags"
  echo "export DAVAR_PRESSES=${DAVAR_PRESSES:-1000}" >"$root/environment"
  cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev; mount -t tmpfs tmpfs /tmp
echo up >/dev/ttyS1
ifconfig lo 127.0.0.1 up
while read -r m; do insmod "/modules/$m"; done </modules/order
mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank; echo 54 >$chip/bank/num_lines; echo pinctrl-bcm2711 >$chip/bank/label
i=0; while [ $i -lt 54 ]; do mkdir $chip/bank/line$i; echo GPIO$i >$chip/bank/line$i/name; i=$((i + 1)); done
echo 1 >$chip/live
cd /tmp
status=0
export GPIOSIM_LIVE=$chip/live
. /environment
for t in /tests/*.test; do eval "$t $(cat /flags)" </dev/null || status=$?; done
echo "status $status" >/dev/ttyS1
poweroff -f
INIT
  chmod 755 "$root/init"
  (cd "$root" && find . | cpio -o -H newc --quiet) >"$work/initrd"
}

# boot runs the machine with the given acceleration; $work/status then says whether it came up and how the tests ended.
boot() {
  : >"$work/status"
  timeout -k 5 "$seconds" qemu-system-x86_64 -M pc "$@" -smp 2 -m 512 \
    -nodefaults -no-user-config -display none -no-reboot -serial stdio -serial "file:$work/status" \
    -kernel "$cache/vmlinux" -initrd "$work/initrd" \
    -append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr no_timer_check random.trust_cpu=on" </dev/null
}

# boot_kvm is boot with KVM; it gives up (1) when the machine has not come up within ten seconds, as on hosts whose KVM
# cannot run a common kernel.
boot_kvm() {
  local machine
  [ -w /dev/kvm ] || return 1
  boot -accel kvm -cpu host 2>"$work/kvm" &
  machine=$!
  for _ in $(seq 100); do
    grep -q up "$work/status" 2>/dev/null && { wait $machine; return 0; }
    kill -0 $machine 2>/dev/null || break
    sleep 0.1
  done
  kill $machine 2>/dev/null || true
  wait $machine 2>/dev/null || true
  return 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prepare
[ "${1:-}" != prepare ] || { echo "$cache"; exit 0; }
mkdir "$work/tests"
for p in "${packages[@]}"; do
  (cd "$top" && CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go test -c -o "$work/tests/$(basename "$p").test" "./$p")
done
pack "$@"
set +e
accel=${DAVAR_VM_ACCEL:-auto}
started=$(date +%s)
if [ "$accel" = tcg ] || ! boot_kvm; then
  [ "$accel" = kvm ] && { echo "testvm: no machine comes up with KVM here" >&2; exit 1; }
  accel=emulated
  started=$(date +%s)
  boot -accel tcg,thread=multi,tb-size=256 -cpu Nehalem,+rdrand
else
  accel=KVM
fi
echo "testvm: $accel, $(($(date +%s) - started)) s"
status=$(sed -n 's/^status \([0-9]*\).*/\1/p' "$work/status")
[ -n "$status" ] || { echo "testvm: the machine reported nothing within $seconds s" >&2; exit 124; }
exit "$status"

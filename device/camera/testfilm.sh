#!/bin/bash
# testfilm.sh: run the tests of a filmed game, shown to a camera of the kernel, in a throw-away virtual machine.
#
#   device/camera/testfilm.sh [TEST FLAGS]      e.g.  -test.v -test.run FilmedGame -watched 60s
#
# In the machine of testvm.sh, which is emulated, no table keeps up with a film. Here a Linux kernel runs as a process of
# this one ("user-mode Linux"), and the programs in it at this processor's own speed. Its time stands while anything
# works in it and jumps to what comes next when all wait: the film passes at its own pace for the table however busy this
# machine is, and costs nobody its five minutes. How fast pictures are read it does not tell. The kernel has V4L2 and
# "v4l2loopback", a camera that a program feeds, and sees this machine's files for reading. Both are built once from
# Debian's sources into $DAVAR_VM_CACHE (default /var/cache/davar-vm; some seven minutes of processor time); later runs
# need no network. Exit status: that of the tests; 77 when there can be no such machine here, 124 when they took over
# DAVAR_VM_SECONDS.
set -euo pipefail
seconds=${DAVAR_VM_SECONDS:-1800}
cache=${DAVAR_VM_CACHE:-/var/cache/davar-vm}
top=$(cd "$(dirname "$0")/../.." && pwd)
film=$cache/film # linux, v4l2loopback.ko

skip() { echo "testfilm: skipped: $1" >&2; exit 77; }

install_tools() {
  local tool missing=()
  for tool in make gcc flex bison bc; do command -v $tool >/dev/null || missing+=($tool); done
  [ -x /bin/busybox ] || missing+=(busybox-static)
  [ ${#missing[@]} = 0 ] && return
  [ "$(id -u)" = 0 ] || skip "as root, install ${missing[*]}"
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}" \
    >"$cache/install.log" 2>&1 || skip "cannot install ${missing[*]}: see $cache/install.log"
}

# configure writes what the kernel is to have, beyond what every kernel has. V4L2 wants memory of devices, which this kind
# of machine has by its PCI of virtual devices alone.
configure() {
  local one
  for one in 64BIT PRINTK BUG MULTIUSER POSIX_TIMERS HIGH_RES_TIMERS NO_HZ_IDLE BINFMT_ELF BINFMT_SCRIPT FUTEX EPOLL SIGNALFD \
    TIMERFD EVENTFD SHMEM AIO ADVISE_SYSCALLS MEMBARRIER FILE_LOCKING SYSVIPC MODULES MODULE_UNLOAD KALLSYMS PROC_FS PROC_SYSCTL SYSFS \
    TMPFS DEVTMPFS INOTIFY_USER HOSTFS TTY STDERR_CONSOLE NULL_CHAN NET UNIX INET IPV6 HW_RANDOM UML_RANDOM UML_TIME_TRAVEL_SUPPORT \
    VIRTIO_MENU VIRTIO_UML UML_PCI_OVER_VIRTIO MEDIA_SUPPORT MEDIA_CAMERA_SUPPORT VIDEO_DEV; do
    echo "CONFIG_$one=y"
  done >config.film
  echo CONFIG_UML_PCI_OVER_VIRTIO_DEVICE_ID=1234 >>config.film # of no device; without a number it warns
  make -s ARCH=um KCONFIG_ALLCONFIG=config.film allnoconfig
}

build() (
  set -e
  local work
  work=$(mktemp -d -p "$cache")
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  chmod 755 .
  apt-get download linux-source-6.1 v4l2loopback-dkms >/dev/null 2>&1 || skip "cannot download the kernel's source"
  echo "testfilm: building a kernel in $cache" >&2
  dpkg-deb --fsys-tarfile linux-source-6.1_*.deb | tar -xO ./usr/src/linux-source-6.1.tar.xz | tar -xJ
  dpkg-deb -x v4l2loopback-dkms_*.deb loopback
  cd linux-source-6.1
  configure
  make -s ARCH=um -j"$(nproc)" linux modules
  make -s ARCH=um M="$(echo "$work"/loopback/usr/src/v4l2loopback-*)" modules
  mkdir -p "$film"
  install "$work"/loopback/usr/src/v4l2loopback-*/v4l2loopback.ko "$film/"
  strip -o "$film/linux.new" linux
  mv "$film/linux.new" "$film/linux" # whole or not at all: it says that all is there
)

prepare() {
  mkdir -p "$cache" 2>/dev/null || skip "cannot write to $cache: set DAVAR_VM_CACHE"
  exec 9>"$cache/lock-film"
  flock 9
  if [ ! -x "$film/linux" ]; then
    [ "$(uname -m)" = x86_64 ] || skip "the virtual machine is an amd64 one"
    command -v apt-get >/dev/null || skip "needs Debian 12"
    install_tools
    set +e # which would not hold within build where its status is looked at
    build >"$cache/film.log"
    local status=$?
    set -e
    [ $status = 0 ] || { [ $status = 77 ] || tail -30 "$cache/film.log" >&2; exit $status; }
  fi
  exec 9>&-
}

pack() {
  local flag
  cp "$film/v4l2loopback.ko" "$work/"
  { echo "cd $top/cmd/davar && exec $work/film.test \\"; for flag in "$@"; do printf '%q ' "$flag"; done; } >"$work/run"
  # Of busybox nothing before /proc is there: it starts itself by /proc/self/exe, which outside is this kernel.
  cat >"$work/init" <<INIT
#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp GOTRACEBACK=all DAVAR_CAMERA_MODULES=$work
mount -n -t proc proc /proc; mount -n -t sysfs sys /sys; mount -n -t devtmpfs dev /dev; mkdir -p /dev/shm
mount -n -t tmpfs tmpfs /dev/shm; mount -n -t tmpfs tmpfs /tmp
mount -n -t hostfs -o $work out /mnt
busybox ifconfig lo 127.0.0.1 up
status=0
sh $work/run </dev/null || status=\$?
echo "status \$status" >/mnt/status
sync
busybox poweroff -f
INIT
  chmod 755 "$work/init"
}

prepare
work=$(mktemp -d -p "$cache")
trap 'rm -rf "$work"' EXIT
(cd "$top" && go test -c -o "$work/film.test" ./cmd/davar)
pack "$@"
started=$(date +%s)
set +e
timeout -k 5 "$seconds" "$film/linux" mem=2G root=/dev/root rootfstype=hostfs rootflags=/ ro quiet time-travel=inf-cpu init="$work/init" \
  con=null con0=null,fd:1 </dev/null
status=$(sed -n 's/^status \([0-9]*\).*/\1/p' "$work/status" 2>/dev/null)
echo "testfilm: $(($(date +%s) - started)) s"
[ -n "$status" ] || { echo "testfilm: the machine reported nothing within $seconds s" >&2; exit 124; }
exit "$status"

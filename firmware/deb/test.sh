#!/usr/bin/env bash
# Installs the package in a Debian of its own, upgrades, removes and purges it, and looks each time at what there is:
# test.sh PACKAGE.deb NEWER.deb PICTURE. Both are for this machine's architecture; PICTURE shows a board. Root is needed
# (chroot). The Debian and the packages it needs are kept in $DAVAR_CACHE.
set -euo pipefail
deb=$(realpath "$1") newer=$(realpath "$2") picture=$(realpath "$3")
cache=${DAVAR_CACHE:-/var/cache/davar}
suite=${DAVAR_SUITE:-bookworm}
base=$cache/plain-$suite
mkdir -p "$cache/debs/partial"

exec 9>"$cache/lock-plain"
flock 9
if [ ! -f "$base/.ready" ]; then
  rm -rf --one-file-system "$base"
  mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --include=systemd-sysv,udev,adduser "$suite" "$base"
  touch "$base/.ready"
fi
root=$(mktemp -d -p "$cache")
trap 'rm -rf --one-file-system "$root"' EXIT
cp -a --reflink=auto "$base/." "$root/"
cp "$deb" "$root/davar.deb"
cp "$newer" "$root/newer.deb"
cp "$picture" "$root/picture.jpg"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no service is started in here
chmod 755 "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/boot/firmware/overlays" "$root/debs"

inside() {
  unshare -m bash -euc '
    mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mount -t tmpfs tmpfs "$1/run"; mount --bind "$2/debs" "$1/debs"
    root=$1; shift 2
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"' inside "$root" "$cache" "$@"
}
# holds NAME COMMAND...: the command must succeed in there.
holds() {
  local name=$1 out
  shift
  out=$(inside "$@" 2>&1) || { printf 'test-deb: not so: %s\n%s\n' "$name" "$out" >&2; exit 1; }
  echo "ok: $name"
}
fails() {
  local name=$1
  shift
  if inside "$@" >/dev/null 2>&1; then echo "test-deb: not so: $name" >&2; exit 1; fi
  echo "ok: $name"
}
apt() { inside apt-get -qq -o Dir::Cache::archives=/debs -o APT::Keep-Downloaded-Packages=true -o APT::Install-Recommends=false "$@"; }

apt update
holds "it installs with what it depends on" apt-get -qq --yes -o Dir::Cache::archives=/debs -o APT::Install-Recommends=false install /davar.deb
holds "dpkg finds nothing amiss" sh -c '[ -z "$(dpkg --audit)" ] && dpkg --verify davar'
holds "davar is in video, gpio and i2c, and in nothing more" sh -c '[ "$(id -nG davar | tr " " "\n" | sort | xargs)" = "davar gpio i2c video" ]'
holds "davar has no password and no shell" sh -c 'getent passwd davar | grep -q :/usr/sbin/nologin && getent shadow davar | grep -q "^davar:[!*]"'
for unit in davar davar-firstboot; do holds "$unit is enabled" systemctl --root=/ is-enabled $unit; done
holds "systemd finds nothing wrong with the units" sh -c '
  out=$(systemd-analyze verify --man=no /lib/systemd/system/davar.service /lib/systemd/system/davar-firstboot.service /lib/systemd/system/davar-grow.service /lib/systemd/system/davar-kiosk.service 2>&1)
  out=$(echo "$out" | grep davar | grep -v "cage is not executable"); echo "$out"; [ -z "$out" ]'
holds "overlays and the file to fill in are on the boot partition" sh -c 'ls /boot/firmware/overlays/davar-buttons.dtbo /boot/firmware/overlays/davar-clock.dtbo /boot/firmware/davar-setup.txt'
holds "no library is missing" sh -c '! ldd /usr/lib/davar/davar | grep "not found"'
holds "it reads a picture" sh -c 'davar read /picture.jpg --json | grep -q "\"top\""'
holds "davar may write where it works, and nowhere else" sh -c '
  install -d -o davar -g davar /var/lib/davar
  setpriv --reuid davar --regid davar --init-groups sh -c "touch /var/lib/davar/davar.db && ! touch /etc/davar/x 2>/dev/null && ! touch /usr/lib/davar/x 2>/dev/null"'
holds "it examines the table as the user davar" sh -c '
  cd /var/lib/davar && setpriv --reuid davar --regid davar --init-groups timeout 120 davar doctor --json --config /etc/davar/davar.yaml >/tmp/doctor.json; grep -q "\"check\"" /tmp/doctor.json'

inside sh -c 'echo "# mine" >>/etc/davar/davar.yaml; echo secret >/etc/davar/director.password'
holds "a newer one takes its place" apt-get -qq --yes -o Dir::Cache::archives=/debs install /newer.deb
holds "settings of one's own stay" grep -q '# mine' /etc/davar/davar.yaml
holds "the newer version is there" sh -c '[ "$(cat /usr/lib/davar/version)" != "$(dpkg-deb -f /davar.deb Version)" ]'

holds "it can be removed" apt-get -qq --yes remove davar
fails "no program is left" ls /usr/lib/davar/davar
fails "no unit stays enabled" sh -c 'find /etc/systemd -name "davar*" | grep .'
fails "no overlay stays" sh -c 'ls /boot/firmware/overlays/davar-*'
holds "settings stay until they are purged" grep -q '# mine' /etc/davar/davar.yaml
holds "it can be purged" apt-get -qq --yes purge davar
fails "no settings and no password are left" ls /etc/davar
holds "matches are left" ls /var/lib/davar/davar.db
holds "dpkg finds nothing amiss afterwards" sh -c '[ -z "$(dpkg --audit)" ]'

#!/usr/bin/env bash
# Fills a Debian of arm64 that mmdebstrap has begun, as its extract hook: unpack.sh ROOT PACKAGE...
# This machine's own dpkg unpacks, which is most of the work; only the packages' scripts run by user emulation.
set -euo pipefail
root=$1
shift
export APT_CONFIG=$MMDEBSTRAP_APT_CONFIG DEBIAN_FRONTEND=noninteractive DEBCONF_NONINTERACTIVE_SEEN=true LC_ALL=C
debs=$root/var/cache/apt/archives
basic=('?essential' '?priority(required)' usr-is-merged)
said() { printf '%(%T)T %s\n' -1 "$1" >&2; }

said "downloading"
apt-get -qq --print-uris install "${basic[@]}" | cut -d' ' -f2 >"$root/tmp/basic" # before they are there: of those it says nothing
apt-get -qq --yes --download-only install "${basic[@]}" "$@"
said "unpacking $(find "$debs" -name '*.deb' | wc -l) packages"
mkdir -p "$root"/usr/{bin,sbin,lib}
for d in bin sbin lib; do [ -e "$root/$d" ] || ln -s usr/$d "$root/$d"; done
# What scripts of packages may take for granted is laid there before the first of them runs.
while read -r file; do
  dpkg-deb --fsys-tarfile "$debs/$file" | tar -x --keep-directory-symlink -C "$root"
done <"$root/tmp/basic"
rm "$root/tmp/basic"
# Under emulation update-initramfs takes longer than all the rest; the image has a small initrd of its own.
dpkg-divert --root="$root" --quiet --local --rename --add /usr/sbin/update-initramfs
ln -sf /bin/true "$root/usr/sbin/update-initramfs"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # no service is started in here
chmod 755 "$root/usr/sbin/policy-rc.d"
# To this machine's dpkg arm64 is foreign: it is told that it may be there, and need not find dependencies met. The
# Debian's own dpkg, which has the last word below, does.
printf 'amd64\narm64\n' >"$root/var/lib/dpkg/arch"
dpkg --root="$root" --force-depends --force-unsafe-io --no-triggers --recursive \
  --path-exclude='/usr/share/doc/*' --path-exclude='/usr/share/man/*' --path-exclude='/usr/share/locale/*' \
  --unpack "$debs" >"$root/tmp/unpack.log" 2>&1 || { tail -30 "$root/tmp/unpack.log" >&2; exit 1; }
rm -f "$root/var/lib/dpkg/arch" "$root/tmp/unpack.log" "$debs"/*.deb
said "configuring"
unshare -m bash -euc '
  mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mount -t tmpfs tmpfs "$1/run"
  chroot "$1" dpkg --force-depends --force-unsafe-io --configure base-passwd # users, which scripts of others take for granted
  exec chroot "$1" dpkg --force-unsafe-io --configure --pending' configure "$root" >"$root/tmp/configure.log" 2>&1 ||
  { tail -30 "$root/tmp/configure.log" >&2; exit 1; }
rm -f "$root/tmp/configure.log" "$root/usr/sbin/policy-rc.d"
said "done"

#!/usr/bin/env bash
# Packs built programs as a Debian package: build.sh FOLDER VERSION ARCH OUT.deb
# FOLDER holds davar, davar-launch and davar-firstboot. UPDATE_KEY names the public key of releases, if there is one.
set -euo pipefail
from=$1 version=$2 arch=$3 out=$4
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
p=$work/p
umask 022

install -Dm755 -t "$p/usr/lib/davar" "$from/davar" "$from/davar-launch" "$from/davar-firstboot" "$here/systemd/davar-grow"
printf '%s\n' "$version" >"$p/usr/lib/davar/version"
mkdir -p "$p/usr/bin"
ln -s ../lib/davar/davar "$p/usr/bin/davar"
install -Dm644 -t "$p/lib/systemd/system" "$here"/systemd/davar*.service
rm "$p/lib/systemd/system/davar-avahi.service"
install -Dm644 "$here/systemd/davar-avahi.service" "$p/etc/avahi/services/davar.service"
install -Dm644 "$here/systemd/journald-davar.conf" "$p/usr/lib/systemd/journald.conf.d/davar.conf"
install -Dm644 -t "$p/usr/lib/udev/rules.d" "$here/systemd/60-davar.rules"
install -Dm644 "$here/deb/table.yaml" "$p/etc/davar/davar.yaml"
[ -z "${UPDATE_KEY:-}" ] || install -Dm644 "$UPDATE_KEY" "$p/etc/davar/update.pub"
install -Dm644 -t "$p/usr/share/doc/davar" "$here/../config/davar.yaml" "$here/README.md" "$here"/guide/*
install -Dm644 -t "$p/usr/share/davar" "$here/deb/davar-setup.txt"
install -Dm644 "$here/../LICENSE" "$p/usr/share/doc/davar/copyright"
for overlay in "$here"/overlay/*.dts; do
  mkdir -p "$p/usr/share/davar/overlays"
  dtc -@ -q -I dts -O dtb -o "$p/usr/share/davar/overlays/$(basename "$overlay" .dts).dtbo" "$overlay"
done

mkdir "$p/DEBIAN"
install -m755 -t "$p/DEBIAN" "$here"/deb/postinst "$here"/deb/prerm "$here"/deb/postrm
(cd "$p" && find etc -type f -printf '/%p\n' | sort) >"$p/DEBIAN/conffiles"
cat >"$p/DEBIAN/control" <<CONTROL
Package: davar
Version: $version
Architecture: $arch
Maintainer: Davar <davar@localhost>
Section: games
Priority: optional
Installed-Size: $(du -sk "$p" | cut -f1)
Depends: adduser, libc6, libstdc++6, libopencv-core406, libopencv-imgproc406, libopencv-imgcodecs406, libopencv-videoio406, libopencv-highgui406, libopencv-calib3d406, libopencv-features2d406, libopencv-objdetect406, libopencv-video406, libopencv-photo406, libopencv-dnn406
Recommends: avahi-daemon, i2c-tools
Suggests: network-manager, cage, chromium, rpicam-apps, gstreamer1.0-libcamera, gnubg
Description: referee for a real backgammon board
 A camera over the board and a few buttons become a tournament referee: it reads
 checkers and dice, knows the rules, runs the clock, writes the match down and
 shows it live.
CONTROL
mkdir -p "$(dirname "$out")"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1} dpkg-deb --root-owner-group -Zxz -z1 --build "$p" "$out"

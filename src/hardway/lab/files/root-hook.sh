#!/usr/bin/env bash
# What is Debian's own in a fresh root and would be in the way: units it enables (a node enables what its presets
# say), and what must differ from node to node.
set -euo pipefail
root=$1

rm -rf "$root"/etc/systemd/system/*.wants "$root"/etc/systemd/system/dbus-org.freedesktop.nm-dispatcher.service
rm -f "$root"/etc/{machine-id,hostname,resolv.conf} "$root"/var/lib/dbus/machine-id
rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/*.bin "$root"/var/log/{apt,dpkg.log,alternatives.log}
ln -sf bash "$root/usr/bin/sh"

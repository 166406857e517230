"""What firmware, kernel, live system and coreos-installer say on the console when they cannot go on."""

from __future__ import annotations

from hardway.rhcos.console.row import Trouble, trouble

MACHINE: tuple[Trouble, ...] = (
    trouble(
        "cpu-level",
        r"Fatal glibc error: CPU does not support x86-64-v\d",
        "the virtual processor is older than RHCOS needs",
        "give the machine the host's own processor: `hardway infra up` sets host-passthrough",
        "F39",
    ),
    trouble(
        "memory",
        r"Failed to isolate default target|System is deadlocked on memory|Out of memory: Killed process"
        r"|Initramfs unpacking failed",
        "the live system does not fit into the machine's memory",
        "give it 4 GiB or more for the installation: `hardway infra up --size ROLE=VCPUS,MEMORY,DISK`",
        "F40",
    ),
    trouble(
        "space",
        r"No space left on device|ENOSPC",
        "there is too little space: the live system's memory, or the disk, is too small",
        "give the machine more memory and a disk of 120 GiB: `hardway infra up --size ROLE=VCPUS,MEMORY,DISK`",
        "F40",
    ),
    trouble(
        "no-boot",
        r"No bootable (?:option or )?device",
        "the firmware found neither a system on the disk nor a medium",
        "run `hardway install NODE --again`; on your own machine look at the boot order: disk, then the medium",
    ),
    trouble(
        "panic",
        r"Kernel panic - not syncing",
        "the kernel panicked",
        "read the lines before it in the console log; a medium that was cut short does this: remove the cached image",
    ),
    trouble(
        "signature",
        r"gpg: BAD signature|signature not found|expected decompressed size|corrupt input|hash mismatch",
        "the image that coreos-installer reads is not the one that was published",
        "remove the cached image; on a USB stick, write the ISO again",
    ),
    trouble(
        "disk-missing",
        r"checking whether /dev/\S+ is an IBM DASD|getting absolute path to /dev/"
        r"|(?:opening|getting sector size of|checking for exclusive access to) /dev/\S+"
        r"|Timed out waiting for device /dev/(?!disk/by-label)",
        "the disk that the plan names is not in the machine",
        "write the disk it has as hosts.NODE.disk in hosts.yaml, and run `hardway install NODE --again`",
    ),
    trouble(
        "disk-busy",
        r"found busy partitions|checking whether \S+ is in use",
        "the disk is in use by what is on it: LVM, RAID or swap of an earlier system",
        "wipe it with `wipefs -a`, from the live system's shell",
    ),
    trouble(
        "rootfs",
        r"No rootfs image found|Acquire live PXE rootfs image.*[Ff]ail|rootfs.*(?:mismatch|does not match)",
        "the live system's root image is missing, or is of another version than its kernel",
        "serve kernel, initramfs and rootfs of one release: `hardway install --method pxe` writes them into one folder",
    ),
    trouble(
        "network-wait",
        r"Failed to start .*(?:Network Manager Wait Online|NetworkManager-wait-online)",
        "no card got a connection",
        "compare hosts.NODE.mac in hosts.yaml with the machine's card",
        "F16",
        "retried",
    ),
    trouble(
        "live-download",
        r"Error fetching '[^']*'|error sending request for url",
        "the live system cannot fetch the image to install",
        "use the ISO, which contains the image, or check the network that the machines boot in",
        weight="retried",
    ),
    trouble(
        "hostname",
        r"^localhost(\.localdomain)? login:(?!.*automatic)",
        "the machine has no host name",
        "check that its Ignition file is its own: `hardway verify 08`, then `hardway install NODE --again`",
        "F15",
        after="rebooted",
    ),
)

WIDE: tuple[Trouble, ...] = (
    trouble(
        "installer",
        r"coreos-installer(?:-service)?(?:\[\d+\])?: (?:Error: |Caused by: )|^Error: install failed",
        "coreos-installer failed in the live system",
        "read the lines around it in the console log",
    ),
    trouble(
        "emergency",
        r"(?:in|Entering) emergency mode|Started Emergency Shell|Reached target .*Emergency Mode",
        "the machine stopped and waits at a shell",
        "read the lines before it in the console log; press Enter in `virsh console` for a shell",
    ),
)
"""What comes after almost every other trouble: told only if nothing narrower fits the line."""

# SPDX-License-Identifier: Apache-2.0
"""Images of instances: as the system metadata of an instance keeps one, and as a request has it.

Required traits are in the order of their names: Nova compares the texts of two lists, so that another order of the same
traits is another value.
"""

from . import releases

# Texts of image services, of which several may mean one value, and what Nova's object makes of each.
_TEXTS = {
    "hw_architecture": {"x86_64": "x86_64", "amd64": "x86_64", "AMD64": "x86_64", "i386": "i686", "aarch64": "aarch64"},
    "img_hv_type": {"kvm": "kvm", "KVM": "kvm", "xapi": "xen", "xen": "xen"},
    "hw_vm_mode": {"hvm": "hvm", "hv": "hvm", "pv": "xen", "xen": "xen"},
    "os_type": {"linux": "linux", "Linux": "linux", "windows": "windows"},
    "os_distro": {"ubuntu": "ubuntu", "debian": "debian", "Debian": "Debian", "ünï": "ünï"},
    "hw_scsi_model": {"virtio-scsi": "virtio-scsi", "lsiLogicsas": "lsisas1068", "paraVirtual": "vmpvscsi"},
    "hw_vif_model": {"virtio": "virtio", "VirtualE1000": "e1000", "e1000": "e1000", "VirtualVmxnet3": "vmxnet3"},
    "hw_disk_bus": {"virtio": "virtio", "scsi": "scsi", "ide": "ide"},
    "hw_machine_type": {"q35": "q35", "pc-i440fx-6.2": "pc-i440fx-6.2"},
    "hw_boot_menu": {"yes": True, "True": True, "1": True, " on ": True, "no": False, "false": False, "maybe": False},
    "hw_qemu_guest_agent": {"yes": True, "TRUE": True, "off": False},
    "os_require_quiesce": {"t": True, "n": False},
    "hw_cpu_cores": {"4": 4, " 4 ": 4, "+4": 4, "2": 2, "04": 4},
    "hw_video_ram": {"64": 64, "-1": -1},
    "hw_mem_page_size": {"large": "large", "2048": "2048"},
    "img_hv_requested_version": {">=6.0": ">=6.0", "==7.2.0": "==7.2.0"},
}
if releases.has("caracal"):
    _TEXTS["hw_maxphysaddr_bits"] = {"42": 42, "47": 47}
if releases.has("dalmatian"):
    _TEXTS["hw_firmware_stateless"] = {"true": True, "false": False}
if releases.has("flamingo"):
    _TEXTS["hw_sound_model"] = {"ich9": "ich9", "ac97": "ac97"}
    _TEXTS["hw_redirected_usb_ports"] = {"2": 2, "3": 3}

_FORMER = {"hw_architecture": "architecture", "img_hv_type": "hypervisor_type", "hw_vm_mode": "vm_mode",
           "os_distro": "vmware_ostype", "img_hv_requested_version": "hypervisor_version_requires"}
# Lists of a request, by the text of the metadata that they stand in.
_MEMORY = [{"hw_numa_mem.0": "512", "hw_numa_mem.1": "1024"}, {"hw_numa_mem.0": "512"}, {"hw_numa_mem.0": " 512"},
           {"hw_numa_mem.1": "512"}]
_CPUS = [{"hw_numa_cpus.0": "0-1", "hw_numa_cpus.1": "2"}, {"hw_numa_cpus.0": "1,0", "hw_numa_cpus.1": "2"},
         {"hw_numa_cpus.0": "0-3,^2"}, {"hw_numa_cpus.0": "0,1,3"}]
_LISTS = {"hw_numa_mem": [[512, 1024], [512], [1024]],
          "hw_numa_cpus": [[{"_set": [0, 1]}, {"_set": [2]}], [{"_set": [0, 1, 3]}], [{"_set": [0]}]]}
_TRAITS = ["CUSTOM_A", "CUSTOM_B", "HW_CPU_X86_AVX"]
_ADAPTERS = {"ide": ("ide", None), "lsiLogicsas": ("scsi", "lsisas1068"), "busLogic": ("scsi", "buslogic")}


def metadata(dice):
    """The system metadata of an instance, beside what is not of its image."""
    made = {}
    for name in dice.some(sorted(_TEXTS), 6):
        text = dice.one(list(_TEXTS[name]))
        if name in _FORMER and dice.chance(0.3):
            made[_FORMER[name]] = text
            if dice.chance(0.7):
                continue
        made[name] = dice.one(list(_TEXTS[name]))
    if dice.chance(0.15):
        made["vmware_adaptertype"] = dice.one(list(_ADAPTERS))
    if dice.chance(0.2):
        made |= dice.one(_MEMORY)
    if dice.chance(0.2):
        made |= dice.one(_CPUS)
    for trait in sorted(dice.some(_TRAITS, 2)):
        made["trait:" + trait] = dice.one(["required", "required", "required", "forbidden"])
    if dice.chance(0.3):
        made |= {"min_ram": "64", "disk_format": "qcow2", "base_image_ref": dice.uuid(), "custom": "x"}
    keys = list(made)
    return {"image_" + key: made[key] for key in keys} | ({"boot_roles": "reader"} if dice.chance(0.3) else {})


def properties(dice, of_instance):
    """A request's properties, as Nova's object has them: mostly those of an instance, and some others."""
    made = {}
    for name in sorted(_TEXTS):
        text = of_instance.get("image_" + name)
        if text is not None and dice.chance(0.8):
            made[name] = _TEXTS[name][text]
        elif dice.chance(0.15):
            made[name] = dice.one(list(_TEXTS[name].values()))
    for name, choices in _LISTS.items():
        if dice.chance(0.25):
            made[name] = dice.one(choices)
    traits = [key[len("image_trait:"):] for key in of_instance if key.startswith("image_trait:")]
    if dice.chance(0.4):
        made["traits_required"] = sorted(traits if dice.chance(0.7) else dice.some(_TRAITS, 2))
    adapter = of_instance.get("image_vmware_adaptertype")
    if adapter is not None and dice.chance(0.7):
        bus, model = _ADAPTERS[adapter]
        made["hw_disk_bus"] = bus
        if model is not None:
            made["hw_scsi_model"] = model
    return made


def setting(dice):
    """Factors by property; their sums are exact in every order. Repeated names, what is no item, none at all."""
    names = sorted(_TEXTS) + ["traits_required", "hw_numa_mem", "hw_numa_cpus", "unknown"]
    items = [f"{name}={dice.one(['1', '2', '-1', '0', '0.5', '-2.25', ' 4 ', '+3', '1e3'])}"
             for name in dice.some(names, 8)]
    if items and dice.chance(0.2):
        items.append(items[0].split("=")[0] + "=8")
    if dice.chance(0.2):
        items += dice.some(["os_distro", "=1", "hw_boot_menu=many", ""], 2)
    return items

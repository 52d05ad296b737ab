// SPDX-License-Identifier: Apache-2.0
#include "nova/image_names.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace filter_driver {
namespace {

constexpr auto architectures = std::to_array<std::string_view>(
    {"alpha",    "armv6",      "armv7l",       "armv7b",    "aarch64", "cris",   "i686",     "ia64",     "lm32",
     "m68k",     "microblaze", "microblazeel", "mips",      "mipsel",  "mips64", "mips64el", "openrisc", "parisc",
     "parisc64", "ppc",        "ppcle",        "ppc64",     "ppc64le", "ppcemb", "s390",     "s390x",    "sh4",
     "sh4eb",    "sparc",      "sparc64",      "unicore32", "x86_64",  "xtensa", "xtensaeb"});

constexpr auto hypervisor_types = std::to_array<std::string_view>(
    {"baremetal", "bhyve", "docker", "fake", "hyperv", "ironic", "kqemu", "kvm",    "lxc", "lxd", "openvz",
     "parallels", "phyp",  "qemu",   "test", "uml",    "vbox",   "vz",    "vmware", "xen", "zvm", "prsm"});

constexpr auto vm_modes = std::to_array<std::string_view>({"hvm", "xen", "uml", "exe"});

struct alias {
  std::string_view name;
  std::string_view meant;
};

constexpr std::array architecture_aliases = {alias{"i386", "i686"},    alias{"i486", "i686"},
                                             alias{"i586", "i686"},    alias{"x86_32", "i686"},
                                             alias{"x86_32p", "i686"}, alias{"amd64", "x86_64"}};
constexpr std::array hypervisor_aliases = {alias{"xapi", "xen"}};
constexpr std::array vm_mode_aliases = {alias{"pv", "xen"}, alias{"hv", "hvm"}, alias{"baremetal", "hvm"}};

std::string lower_case(std::string_view name) {
  std::string text(name);
  for (char& character : text) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return text;
}

// Returns the known name for a name or an alias. Empty if there is none.
std::string known(std::string name, std::span<const alias> aliases, std::span<const std::string_view> names) {
  const auto alias = std::find_if(aliases.begin(), aliases.end(), [&](const auto& each) { return each.name == name; });
  if (alias != aliases.end()) name = alias->meant;
  return std::find(names.begin(), names.end(), name) != names.end() ? name : "";
}

raised unknown(std::string kind, const std::string& what, std::string_view name) {
  return {std::move(kind), what + " '" + std::string(name) + "' is not recognised"};
}

}  // namespace

outcome<std::string> architecture_named(std::string_view name) {
  std::string meant = known(lower_case(name), architecture_aliases, architectures);
  if (meant.empty()) return unknown("InvalidArchitectureName", "Architecture name", name);
  return meant;
}

outcome<std::string> hypervisor_type_named(std::string_view name) {
  std::string meant = known(lower_case(name), hypervisor_aliases, hypervisor_types);
  if (meant.empty()) return unknown("InvalidHypervisorVirtType", "Hypervisor virtualization type", name);
  return meant;
}

outcome<std::string> vm_mode_named(std::string_view name) {
  std::string meant = known(lower_case(name), vm_mode_aliases, vm_modes);
  if (meant.empty()) return unknown("InvalidVirtualMachineMode", "Virtual machine mode", lower_case(name));
  return meant;
}

}  // namespace filter_driver

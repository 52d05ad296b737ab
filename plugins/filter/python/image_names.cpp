// SPDX-License-Identifier: Apache-2.0
#include "image_names.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace filter_driver {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array architectures = {
    "alpha"sv,  "armv6"sv,    "armv7l"sv,    "armv7b"sv,     "aarch64"sv,      "cris"sv,    "i686"sv,
    "ia64"sv,   "lm32"sv,     "m68k"sv,      "microblaze"sv, "microblazeel"sv, "mips"sv,    "mipsel"sv,
    "mips64"sv, "mips64el"sv, "openrisc"sv,  "parisc"sv,     "parisc64"sv,     "ppc"sv,     "ppcle"sv,
    "ppc64"sv,  "ppc64le"sv,  "ppcemb"sv,    "s390"sv,       "s390x"sv,        "sh4"sv,     "sh4eb"sv,
    "sparc"sv,  "sparc64"sv,  "unicore32"sv, "x86_64"sv,     "xtensa"sv,       "xtensaeb"sv};

constexpr std::array hypervisor_types = {"baremetal"sv, "bhyve"sv, "docker"sv, "fake"sv, "hyperv"sv, "ironic"sv,
                                         "kqemu"sv,     "kvm"sv,   "lxc"sv,    "lxd"sv,  "openvz"sv, "parallels"sv,
                                         "phyp"sv,      "qemu"sv,  "test"sv,   "uml"sv,  "vbox"sv,   "vz"sv,
                                         "vmware"sv,    "xen"sv,   "zvm"sv,    "prsm"sv};

constexpr std::array vm_modes = {"hvm"sv, "xen"sv, "uml"sv, "exe"sv};

struct alias {
  std::string_view name;
  std::string_view meant;
};

constexpr std::array architecture_aliases = {alias{"i386", "i686"},    alias{"i486", "i686"},
                                             alias{"i586", "i686"},    alias{"x86_32", "i686"},
                                             alias{"x86_32p", "i686"}, alias{"amd64", "x86_64"}};
constexpr std::array hypervisor_aliases = {alias{"xapi", "xen"}};
constexpr std::array vm_mode_aliases = {alias{"pv", "xen"}, alias{"hv", "hvm"}, alias{"baremetal", "hvm"}};

std::string lower(std::string_view name) {
  std::string text(name);
  for (char& character : text) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return text;
}

// The known name that is meant; empty: none.
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
  std::string meant = known(lower(name), architecture_aliases, architectures);
  if (meant.empty()) return unknown("InvalidArchitectureName", "Architecture name", name);
  return meant;
}

outcome<std::string> hypervisor_type_named(std::string_view name) {
  std::string meant = known(lower(name), hypervisor_aliases, hypervisor_types);
  if (meant.empty()) return unknown("InvalidHypervisorVirtType", "Hypervisor virtualization type", name);
  return meant;
}

outcome<std::string> vm_mode_named(std::string_view name) {
  std::string meant = known(lower(name), vm_mode_aliases, vm_modes);
  if (meant.empty()) return unknown("InvalidVirtualMachineMode", "Virtual machine mode", lower(name));
  return meant;
}

}  // namespace filter_driver

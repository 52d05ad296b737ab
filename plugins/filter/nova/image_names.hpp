// SPDX-License-Identifier: Apache-2.0
//
// Nova's names of architectures, hypervisor types and virtual machine modes, with their aliases.
#pragma once

#include <string>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// i386, i486, i586, x86_32 and x86_32p are i686, amd64 is x86_64. Raises InvalidArchitectureName.
outcome<std::string> architecture_named(std::string_view name);

// xapi is xen. Raises InvalidHypervisorVirtType.
outcome<std::string> hypervisor_type_named(std::string_view name);

// pv is xen, hv and baremetal are hvm. Raises InvalidVirtualMachineMode.
outcome<std::string> vm_mode_named(std::string_view name);

}  // namespace filter_driver

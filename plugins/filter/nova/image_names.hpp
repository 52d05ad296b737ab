// SPDX-License-Identifier: Apache-2.0
//
// Nova's names of architectures, hypervisor types and virtual machine modes, with their aliases. Each function returns
// the name that Nova uses for a name or an alias, in lower case. Upper and lower case are not distinguished. A name
// that Nova does not know raises the exception that is stated at the function.
#pragma once

#include <string>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Aliases: i386, i486, i586, x86_32 and x86_32p for i686, amd64 for x86_64. Raises InvalidArchitectureName.
outcome<std::string> architecture_named(std::string_view name);

// Alias: xapi for xen. Raises InvalidHypervisorVirtType.
outcome<std::string> hypervisor_type_named(std::string_view name);

// Aliases: pv for xen, hv and baremetal for hvm. Raises InvalidVirtualMachineMode.
outcome<std::string> vm_mode_named(std::string_view name);

}  // namespace filter_driver

// SPDX-License-Identifier: Apache-2.0
//
// The scheduler's name and the options of its queues, as nova.conf has them.
#pragma once

#include <string>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/rpc/declarations.hpp"

namespace gantry::nova {

// Returns the host of nova.conf, or else the machine's name.
std::string host_of(const config::NovaSettings& settings);

// Returns the options of [oslo_messaging_rabbit]. The transport URL overrules them: see with_options_of().
QueueOptions queue_options_of(const config::NovaSettings& settings);

}  // namespace gantry::nova

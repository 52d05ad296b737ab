// SPDX-License-Identifier: Apache-2.0
//
// The scheduler's name and the options of its queues, as nova.conf has them.
#pragma once

#include <cstdint>
#include <string>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/rpc/declarations.hpp"

namespace gantry::nova {

// Returns the host of nova.conf, or else the machine's name.
std::string host_of(const config::NovaSettings& settings);

// Returns the seconds between heartbeats that the broker is asked for, as many as the protocol can say. 0: none.
std::uint16_t heartbeat_of(const config::NovaSettings& settings);

// Returns the options of [oslo_messaging_rabbit].
QueueOptions queue_options_of(const config::NovaSettings& settings);

}  // namespace gantry::nova

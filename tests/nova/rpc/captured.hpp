// SPDX-License-Identifier: Apache-2.0
//
// Recorded words of Nova 26.2.2: oslo_wire_capture.json (client and server over kombu's memory transport) and
// nova_rpc_zed.json (a running deployment over RabbitMQ).
#pragma once

#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::nova {

// The events of oslo_wire_capture.json in order.
json::array wire_events();
// The events of one phase, such as "call:NoValidHost", with the given "op".
std::vector<json::object> wire_events(std::string_view phase, std::string_view op);
// The messages of nova_rpc_zed.json by name.
json::object zed_messages();

// The inner object of an envelope.
json::object inner_of(const json::value& body);

}  // namespace gantry::nova

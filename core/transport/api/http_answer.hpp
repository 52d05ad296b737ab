// SPDX-License-Identifier: Apache-2.0
//
// Replies and refusals as HTTP answers: statuses, bodies and heads as sdk/methods.md lays them down.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/scheduling/manager.hpp"
#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

// The status of each error code.
unsigned status_of(ErrorCode code);

// 200 with {"result", "request_id"}, or the error's status with {"error": {...}}.
HttpAnswer answer_to(const scheduling::Answer& given, std::string_view request_id);

// An error under the status of its code, or under `status`.
HttpAnswer error_answer(const Error& error, std::string_view request_id);
HttpAnswer error_answer(const Error& error, std::string_view request_id, unsigned status);

enum class ConnectionToken { none, keep_alive, close };

// Status line and headers, up to and with the empty line.
std::string head_of(const HttpAnswer& answer, ConnectionToken token);

// What a client sent, fit to stand in a message: in quotes, bounded, other than printable ASCII escaped.
std::string in_quotes(std::string_view text);

}  // namespace gantry::transport

// SPDX-License-Identifier: Apache-2.0
//
// Results and errors as HTTP answers. sdk/methods.md specifies the statuses, bodies and headers.
#pragma once

#include <string>
#include <string_view>

#include "core/encoding/in_quotes.hpp"
#include "core/result.hpp"
#include "core/scheduling/manager.hpp"
#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

// Returns the HTTP status of an error code.
unsigned status_of(ErrorCode code);

// Returns the HTTP answer for a method's answer: 200 with {"result", "request_id"}, or the error's status with
// {"error": {...}}.
HttpAnswer answer_to(const scheduling::Answer& given, std::string_view request_id);

// Returns the HTTP answer for an error. Its status is `status`, or else the status of the error's code.
HttpAnswer error_answer(const Error& error, std::string_view request_id);
HttpAnswer error_answer(const Error& error, std::string_view request_id, unsigned status);

// Returns a new request id: "req-<uuid>".
std::string new_request_id();

// Returns the status line and the headers, with the empty line at their end.
std::string head_of(const HttpAnswer& answer, ConnectionToken token);

}  // namespace gantry::transport

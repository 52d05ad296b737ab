// SPDX-License-Identifier: Apache-2.0
//
// Reads a placement request from a file that is written by hand or captured from Nova's message bus.
#pragma once

#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

struct FiledRequest {
  json::object args;     // for select_destinations: request_spec or spec_obj, filter_properties, instance_uuids
  json::object context;  // the request's context without its token
};

// Accepts a message of Nova's RPC (select_destinations or schedule_run_instance, with or without its envelopes), the
// args of a message, {request_spec, filter_properties}, a bare RequestSpec object or dictionary, or {"messages": {NAME:
// ...}} with the NAME in `message`. `source` is the file's name in errors. Drops return_objects and return_alternates,
// since the command line decides the form of the answer.
Result<FiledRequest> read_request(std::string_view text, const std::string& message, const std::string& source);

}  // namespace gantry::cli

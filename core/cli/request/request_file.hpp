// SPDX-License-Identifier: Apache-2.0
//
// A placement request as it lies in a file: written by hand, or captured from Nova's message bus.
#pragma once

#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

struct FiledRequest {
  json::object args;     // for select_destinations: request_spec or spec_obj, filter_properties, instance_uuids
  json::object context;  // the request's own, without its token
};

// Takes a message of Nova's RPC (select_destinations or schedule_run_instance; with or without its envelopes), the
// args of one, {request_spec, filter_properties}, a bare RequestSpec object or dictionary, or {"messages": {NAME: ...}}
// of which `message` picks one. `source` is what messages call the file. How the answer is to look is the command
// line's to say, so return_objects and return_alternates are dropped.
Result<FiledRequest> read_request(std::string_view text, const std::string& message, const std::string& source);

}  // namespace gantry::cli

// SPDX-License-Identifier: Apache-2.0
//
// Reads a placement request from a file that is written by hand or captured from Nova's message bus.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::cli {

// A request that was read from a file.
struct FiledRequest {
  json::object args;     // args of select_destinations: request_spec or spec_obj, filter_properties, instance_uuids
  json::object context;  // context of the request, without its token
};

// Reads a request from a JSON text, which holds one of these:
//   - a message of Nova's RPC for select_destinations or schedule_run_instance, with or without its envelopes,
//   - the args of such a message, or {request_spec, filter_properties},
//   - a request spec alone, as a RequestSpec object or as a dictionary,
//   - a decision as `gantry decision show -o json` prints it, if its request had no scheduler hints, which are not shown,
//   - {"messages": {NAME: ...}} with several messages. `message` chooses one by its NAME, and may be empty if there is
//     only one.
// `source` is the file's name in errors. return_objects and return_alternates are dropped, since the command line
// decides the form of the answer.
Result<FiledRequest> read_request(std::string_view text, const std::string& message, const std::string& source);

// Reads every request of such a text. A request of {"messages": ...} has its name there, and any other has an empty name.
// If `message` is not empty, only the message of this name is read.
Result<std::vector<std::pair<std::string, FiledRequest>>> read_requests(std::string_view text,
                                                                        const std::string& message,
                                                                        const std::string& source);

}  // namespace gantry::cli

// SPDX-License-Identifier: Apache-2.0
//
// The web page over HTTP.
#pragma once

#include <string_view>

#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

// Returns the answer to a request for a path of the page: the file, that the caller has it already (304), the way from /ui
// to /ui/, or that there is no such file (404).
HttpAnswer page_answer(const HttpRequest& request, std::string_view path, std::string_view request_id);

}  // namespace gantry::transport

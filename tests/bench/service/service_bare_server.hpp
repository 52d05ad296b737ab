// SPDX-License-Identifier: Apache-2.0
//
// What Gantry's HTTP is compared with: Beast used well and nothing behind it. Parses each body as JSON and answers a
// constant one.
#pragma once

#include <cstddef>
#include <string>

namespace gantry::bench {

// Serves until SIGTERM.
int run_bare_server(const std::string& socket, std::size_t answer_bytes, unsigned workers);

}  // namespace gantry::bench

// SPDX-License-Identifier: Apache-2.0
//
// A numeric address and port to listen on, and whether only this machine can reach it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::config {

struct ListenAddress {
  std::string address;       // "127.0.0.1", "::1"
  std::uint16_t port = 0;    // 0: any free port
  bool is_loopback = false;  // true: only this machine can reach the address
};

// Reads "127.0.0.1:8774" or "[::1]:8774". Refuses host names, since their address may change between two starts.
Result<ListenAddress> parse_listen_address(std::string_view text);

}  // namespace gantry::config

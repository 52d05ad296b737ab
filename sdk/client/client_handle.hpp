// SPDX-License-Identifier: Apache-2.0
//
// What stands behind the opaque types of client.h.
#pragma once

#include <gantry/client.h>

#include <chrono>
#include <string>

#include "caller.hpp"

struct gantry_client {
  gantry::client_library::Caller caller;
  std::chrono::milliseconds timeout;
  std::string context;
};

namespace gantry::client_library {

// The reply owns its texts; gantry_reply_free takes it back. nullptr: no memory.
gantry_reply* reply_of(Outcome outcome) noexcept;

}  // namespace gantry::client_library

// SPDX-License-Identifier: Apache-2.0
//
// The objects behind the opaque types of client.h.
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

// Makes a reply that owns its texts. gantry_reply_free releases it. Returns nullptr if memory has run out.
gantry_reply* reply_of(Outcome outcome) noexcept;

}  // namespace gantry::client_library

// SPDX-License-Identifier: Apache-2.0
//
// Every method of the service: its name, its arguments and the function that does it. One straight read.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/scheduling/state.hpp"

namespace gantry::scheduling {

enum class Effect {
  reads,       // changes nothing
  idempotent,  // changes state, but twice is the same as once: no idempotency key is kept
  changes,
};

struct Method {
  std::string_view name;
  Effect effect;
  std::vector<std::string_view> args;
  Outcome (*handle)(State& state, const Call& call);
};

// Sorted by name. receive_casts is not among them: it waits, so the manager does it itself.
std::span<const Method> method_table();
const Method* find_method(std::string_view name);

}  // namespace gantry::scheduling

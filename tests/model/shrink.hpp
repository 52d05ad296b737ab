// SPDX-License-Identifier: Apache-2.0
//
// A sequence that fails made shorter, for as long as it still does: delta debugging by leaving calls out.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "tests/model/step.hpp"

namespace gantry::model {

using Fails = std::function<bool(const std::vector<Step>&)>;

// `steps` fail. What is returned fails too; if there was time enough, leaving out any one step of it does not.
std::vector<Step> shrink(std::vector<Step> steps, const Fails& fails, std::chrono::steady_clock::duration patience);

}  // namespace gantry::model

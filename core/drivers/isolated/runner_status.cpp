// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner_status.hpp"

namespace gantry::drivers::isolated {

std::string_view name_of(RunnerState state) {
  switch (state) {
    case RunnerState::starting: return "starting";
    case RunnerState::ready: return "ready";
    case RunnerState::waiting: return "waiting";
  }
  return {};
}

}  // namespace gantry::drivers::isolated

// SPDX-License-Identifier: Apache-2.0
//
// Tries everything that Gantry needs in the place of nova-scheduler, and changes nothing.
#pragma once

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/check/finding.hpp"

namespace gantry::nova {

struct CheckEnd {
  Level worst = Level::ok;
  // False: a thread of the check still waits for an answer. The process should end without waiting for it.
  bool has_ended = true;
};

// Calls `say` with each finding as it comes. Takes less than a minute: a part that is away hides no other part.
CheckEnd run_check(const config::NovaSettings& settings, const SayFinding& say);

}  // namespace gantry::nova

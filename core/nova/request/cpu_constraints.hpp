// SPDX-License-Identifier: Apache-2.0
//
// CPU policies of a flavor and an image, with Nova's checks of them.
#pragma once

#include <cstdint>
#include <string>

#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct PinnedCpus {
  bool is_requested = false;               // some CPU is dedicated
  bool is_mixed = false;                   // other CPUs are shared
  std::int64_t dedicated = 0;              // with one for the emulator's threads if those are isolated
  std::int64_t shared = 0;                 // in a mixed guest
  OptionalText hyperthreading_trait_type;  // required or forbidden
};

// Returns the CPUs that the flavor and the image want dedicated. Fails as Nova does where the image contradicts the
// flavor, or a value is none of Nova's.
Result<PinnedCpus> pinned_cpus(const Flavor& flavor, const Image& image);

}  // namespace gantry::nova

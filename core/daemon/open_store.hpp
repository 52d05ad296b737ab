// SPDX-License-Identifier: Apache-2.0
//
// Opens the store that the configuration names.
#pragma once

#include <memory>

#include "core/config/settings.hpp"
#include "core/result.hpp"
#include "core/store/store.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::daemon {

// `is_ahead`: another process still uses the store, and this one takes it over later.
Result<std::unique_ptr<store::Store>> open_store(const config::Settings& settings,
                                                 const std::shared_ptr<telemetry::Logger>& logger,
                                                 const std::shared_ptr<telemetry::Counters>& counters, bool is_ahead);

}  // namespace gantry::daemon

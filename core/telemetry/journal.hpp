// SPDX-License-Identifier: Apache-2.0
//
// Recognises the systemd journal behind standard error.
#pragma once

namespace gantry::telemetry {

// Returns whether standard error goes to the journal, which adds the time to each line itself.
bool standard_error_is_the_journal();

}  // namespace gantry::telemetry

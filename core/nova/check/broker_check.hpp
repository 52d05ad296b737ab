// SPDX-License-Identifier: Apache-2.0
//
// Tries the brokers of transport_url, and looks at the queues of nova-scheduler there. Makes nothing: a queue that is
// absent stays absent. A queue that is there is declared again as configured, by which the broker compares arguments and
// changes none.
#pragma once

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/check/finding.hpp"

namespace gantry::nova {

void check_brokers(const config::NovaSettings& settings, const Report& report);

}  // namespace gantry::nova

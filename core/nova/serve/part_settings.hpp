// SPDX-License-Identifier: Apache-2.0
//
// The settings of the parts, from the configuration.
#pragma once

#include "core/config/settings.hpp"
#include "core/nova/facts/fact_keeper.hpp"
#include "core/nova/request/options.hpp"
#include "core/nova/rpc/rpc_server.hpp"
#include "core/nova/serve/shadow_endpoint.hpp"
#include "core/result.hpp"

namespace gantry::nova {

FactSettings fact_settings(const config::NovaSettings& nova);
RequestOptions request_options(const config::NovaSettings& nova);
// Error invalid_configuration: the broker's URL cannot be read.
Result<RpcServerSettings> rpc_settings(const config::Settings& settings);
// Error invalid_configuration: the database's URL cannot be read.
Result<ShadowSettings> shadow_settings(const config::Settings& settings);

}  // namespace gantry::nova

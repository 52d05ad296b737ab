// SPDX-License-Identifier: Apache-2.0
//
// The login of an OpenStack service as nova.conf describes it, and the settings of its client.
#pragma once

#include <memory>
#include <string>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/http/http_client.hpp"
#include "core/nova/http/service_login.hpp"
#include "core/nova/http/timers.hpp"
#include "core/result.hpp"

namespace gantry::nova {

struct ServiceSetup {
  std::unique_ptr<ServiceLogin> login;
  HttpClientOptions http;
};

// `section` names the settings in errors: "[placement]". `type` is the service's in Keystone's catalogue. `timers` must
// outlive the login. invalid_configuration: an option is missing or cannot be used.
Result<ServiceSetup> set_up_service(const config::NovaServiceSettings& settings, const std::string& section,
                                    const std::string& type, std::size_t connections, const Strand& strand,
                                    Timers& timers);

}  // namespace gantry::nova

// SPDX-License-Identifier: Apache-2.0
//
// The login that a section of nova.conf such as [placement] configures.
#pragma once

#include <memory>
#include <string>

#include "core/config/nova/nova_settings.hpp"
#include "core/nova/http/http_client.hpp"
#include "core/nova/http/service_login.hpp"
#include "core/nova/http/timers.hpp"

namespace gantry::nova {

struct ConfiguredLogin {
  std::unique_ptr<ServiceLogin> login;
  HttpClientOptions http;  // for the client of the service, too
};

// `section` is the name for messages, `type` the service's in Keystone's catalogue. `timers` must outlive the login.
// invalid_configuration: names the option and what was expected.
Result<ConfiguredLogin> configured_login(const Strand& strand, Timers& timers,
                                         const config::NovaServiceSettings& settings, const std::string& section,
                                         const std::string& type);

}  // namespace gantry::nova

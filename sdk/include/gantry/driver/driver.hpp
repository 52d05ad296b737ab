// SPDX-License-Identifier: Apache-2.0
//
// The base class of a driver. The overriding functions must be public. An exception that leaves one of these functions
// becomes a failure of the call.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/request.hpp>

#include <string_view>

namespace gantry {

class driver {
 public:
  driver() = default;
  driver(const driver&) = delete;
  driver& operator=(const driver&) = delete;
  virtual ~driver() = default;

  // A driver overrides both of the two select functions. A driver of methods alone overrides neither.
  // [worker] Calls call.pick for every instance and returns ok, or returns no_valid_host.
  virtual code select_destinations(call& call, const request&) { return not_offered(call); }
  // [worker] Calls call.pick or call.refuse for each instance and returns ok.
  virtual code schedule_run_instance(call& call, const request&) { return not_offered(call); }

  // The functions below are optional. The host's default applies to a function that is not overridden (driver.h).
  // [worker] Adds the rows that are up to the bitmap, which is empty at first.
  virtual code hosts_up(call& call, const view&, bitmap&) { return not_offered(call); }
  // [worker] Adds the rows that hold members of the group to the bitmap, which is empty at first.
  virtual code group_hosts(call& call, const gantry_group&, const view&, bitmap&) { return not_offered(call); }
  // [worker] Handles the capabilities that a service reports. Arguments: service, host, capabilities (JSON). After ok
  // the host stores the JSON given to call.reply, or the capabilities if there was no reply.
  virtual code update_service_capabilities(call& call, std::string_view, std::string_view, std::string_view) {
    return not_offered(call);
  }
  // [worker] Runs a custom method, one of the manifest's [methods].
  virtual code call_method(call& call, const method_call&) { return not_offered(call); }
  // [any] Returns the driver's table of an extension, nullptr if it offers none of that id.
  virtual const void* extension(std::string_view) noexcept { return nullptr; }

 private:
  static code not_offered(call& call) { return call.fail(code::unsupported, "this driver does not offer that"); }
};

}  // namespace gantry

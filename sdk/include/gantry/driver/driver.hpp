// SPDX-License-Identifier: Apache-2.0
//
// The base class of a driver. Overrides are public; an exception that leaves one becomes a failure of that call.
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

  // [worker] Mandatory: call.pick for each instance and ok, or no_valid_host. All or nothing.
  virtual code select_destinations(call& call, const request& request) = 0;
  // [worker] Mandatory: call.pick or call.refuse for each instance, each on its own, and ok.
  virtual code schedule_run_instance(call& call, const request& request) = 0;

  // The rest is the host's to do unless it is overridden; driver.h says what it does then.
  // [worker] Sets the rows that are up; `rows` comes empty.
  virtual code hosts_up(call& call, const view&, bitmap&) { return not_offered(call); }
  // [worker] Sets the rows that hold members of the group; `rows` comes empty.
  virtual code group_hosts(call& call, const gantry_group&, const view&, bitmap&) { return not_offered(call); }
  // [worker] ok: what the service said is kept, or what was given to call.reply instead.
  virtual code update_service_capabilities(call& call, std::string_view, std::string_view, std::string_view) {
    return not_offered(call);
  }
  // [worker] The methods that the manifest names under [methods].
  virtual code call_method(call& call, const method_call&) { return not_offered(call); }
  // [any] A table of further operations; nullptr: none.
  virtual const void* extension(std::string_view) noexcept { return nullptr; }

 private:
  static code not_offered(call& call) { return call.fail(code::unsupported, "this driver does not offer that"); }
};

}  // namespace gantry

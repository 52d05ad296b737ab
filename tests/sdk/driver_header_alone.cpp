// SPDX-License-Identifier: Apache-2.0
#include <gantry/driver.hpp>
#include <gantry/testing/fake_host.hpp>

namespace {

class nothing final : public gantry::driver {
 public:
  gantry::code select_destinations(gantry::call& call, const gantry::request&) override {
    return call.fail(gantry::code::no_valid_host, "");
  }
  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    return select_destinations(call, request);
  }
};

}  // namespace

GANTRY_DRIVER(nothing, R"(
id = 'nothing'
version = '1.0.0'
)");

// SPDX-License-Identifier: Apache-2.0
#include <gantry/driver.hpp>

namespace {

class nameless final : public gantry::driver {
 public:
  gantry::code select_destinations(gantry::call&, const gantry::request&) override { return gantry::code::ok; }
  gantry::code schedule_run_instance(gantry::call&, const gantry::request&) override { return gantry::code::ok; }
};

}  // namespace

GANTRY_DRIVER(nameless, R"(
version = '1.0.0'
topics = ['compute']
)");

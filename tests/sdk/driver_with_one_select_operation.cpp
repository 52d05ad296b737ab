// SPDX-License-Identifier: Apache-2.0
#include <gantry/driver.hpp>

namespace {

class half final : public gantry::driver {
 public:
  gantry::code select_destinations(gantry::call&, const gantry::request&) override { return gantry::code::ok; }
};

}  // namespace

GANTRY_DRIVER(half, R"(
id = 'half'
version = '1.0.0'
topics = ['compute']
)");

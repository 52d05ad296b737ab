// SPDX-License-Identifier: Apache-2.0
//
// Chance: each instance on a host chosen at random among those that are up, as Nova's ChanceScheduler did. It looks at
// no capacity and sets no limits; several instances of one request may land on one host.
#include <gantry/driver.hpp>

namespace {

// The hosts that a request may use: up, not disabled, not ignored.
class usable_hosts {
 public:
  usable_hosts(gantry::call& call, const gantry::request& request)
      : choice_(narrow(call, request)), wanted_(request.alternates()) {}

  gantry::code place(std::uint32_t instance) { return choice_.place(instance, wanted_); }
  std::string_view reason() const {
    return any_up_ ? "Could not find another compute" : "Is the appropriate service running?";
  }

 private:
  gantry::random_choice narrow(gantry::call& call, const gantry::request& request) {
    gantry::narrowing found(call, request.view());
    any_up_ = found.left() != 0;
    if (request.ignore_hosts().count != 0) {
      gantry::drop_ignored_hosts(found.rows(), request);
      found.step("ignore_hosts", "the request ignores them");
    }
    return {call, found.rows()};
  }

  bool any_up_ = false;
  gantry::random_choice choice_;
  std::uint32_t wanted_;
};

class chance final : public gantry::driver {
 public:
  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    usable_hosts hosts(call, request);
    return gantry::place_all(call, request, hosts);
  }

  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    usable_hosts hosts(call, request);
    return gantry::place_each(call, request, hosts);
  }
};

}  // namespace

GANTRY_DRIVER(chance, R"(
id = 'chance'
version = '1.0.0'
description = 'a host at random among those that are up'
license = 'Apache-2.0'
vendor = 'Gantry'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['host', 'up', 'disabled']
)");

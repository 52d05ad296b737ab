// SPDX-License-Identifier: Apache-2.0
//
// Chance: each instance on a host chosen at random among those that are up, as Nova's ChanceScheduler did. It looks at
// no capacity and sets no limits; several instances of one request may land on one host.
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>

namespace {

class placer {
 public:
  placer(gantry::call& call, const gantry::request& request)
      : found_(gantry::usable_hosts(call, request)), choice_(call, found_.rows()), wanted_(request.alternates()) {
    found_.explain_all();
  }

  gantry::code place(std::uint32_t instance) { return choice_.place(instance, wanted_); }
  void count(gantry::row_counts counts) const {
    found_.rows().for_each([&](std::uint32_t row) { counts[row] = gantry::any_number; });
  }
  // Nova's sentence, and the step behind it.
  std::string reason() const {
    std::string sentence = found_.any_up() ? "Could not find another compute" : "Is the appropriate service running?";
    if (!found_.emptied_by().empty()) sentence += " (" + found_.emptied_by() + ")";
    return sentence;
  }

 private:
  gantry::narrowing found_;
  gantry::random_choice choice_;
  std::uint32_t wanted_;
};

class chance final : public gantry::driver {
 public:
  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    placer hosts(call, request);
    return gantry::place_all(call, request, hosts);
  }

  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    placer hosts(call, request);
    return gantry::place_each(call, request, hosts);
  }

  gantry::code count_capacity(gantry::call& call, const gantry::request& request, gantry::row_counts counts) {
    placer(call, request).count(counts);
    return gantry::code::ok;
  }
  const void* extension(std::string_view id) noexcept override { return gantry::capacity_extension<chance>(id); }
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

// SPDX-License-Identifier: Apache-2.0
//
// A driver in C++: the first host that is up and has the memory. Rename it, then change first_fit_hosts.
#include <gantry/driver.hpp>

namespace {

// The hosts that a request may use, in the order of the view.
class first_fit_hosts {
 public:
  first_fit_hosts(gantry::call& call, const gantry::request& request, std::int64_t reserve_mb)
      : call_(call),
        found_(gantry::candidates(call, request)),
        memory_mb_(request.view().integers("memory_mb")),
        reserve_mb_(reserve_mb) {
    const gantry::column<double> used = request.view().reals("memory_mb_used");
    const auto wanted = static_cast<double>(request.memory_mb());
    found_.rows().keep_if([&](std::uint32_t row) { return used[row] + wanted <= limit(row); });
    found_.step("memory_mb", "they have too little memory left");
    found_.explain_all();
  }

  gantry::code place(std::uint32_t instance) {
    while (!found_.rows().none()) {
      const std::uint32_t row = found_.rows().nth(0);
      gantry::limits limits;
      limits.memory_mb = limit(row);  // the claim is held against it
      const gantry::code code = call_.pick(instance, row, limits);
      if (code != gantry::code::claim_lost) return code;
      found_.rows().clear(row);  // full, or taken by somebody faster
    }
    return gantry::code::no_valid_host;
  }

  std::string_view reason() const {
    return found_.emptied_by().empty() ? "no host has the memory any more" : std::string_view(found_.emptied_by());
  }

 private:
  double limit(std::uint32_t row) const { return static_cast<double>(memory_mb_[row] - reserve_mb_); }

  gantry::call& call_;
  gantry::narrowing found_;
  gantry::column<std::int64_t> memory_mb_;
  std::int64_t reserve_mb_;
};

// One instance. A reload makes a second one with other options while the first one works, and ends the first one then:
// all that an instance knows is in its members, and nothing is in static variables.
class first_fit_driver final : public gantry::driver {
 public:
  explicit first_fit_driver(std::int64_t reserve_mb) : reserve_mb_(reserve_mb) {}
  static std::unique_ptr<first_fit_driver> create(gantry::call&, const gantry::options& options) {
    return std::make_unique<first_fit_driver>(options.integer("reserve_mb"));
  }

  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    first_fit_hosts hosts(call, request, reserve_mb_);
    return gantry::place_all(call, request, hosts);
  }

  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    first_fit_hosts hosts(call, request, reserve_mb_);
    return gantry::place_each(call, request, hosts);
  }

 private:
  std::int64_t reserve_mb_;
};

}  // namespace

GANTRY_DRIVER(first_fit_driver, R"(
id = 'first_fit'
version = '0.1.0'
description = 'the first host that is up and has the memory'
license = 'Apache-2.0'
vendor = 'Example'
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['up', 'disabled', 'host', 'memory_mb', 'memory_mb_used']
uses = ['hypervisor_hostname']
[options.reserve_mb]
type = 'integer'
default = 0
minimum = 0
maximum = 1048576
help = 'MiB kept free on each host'
)");

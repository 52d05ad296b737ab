// SPDX-License-Identifier: Apache-2.0
//
// The rules without a daemon. Any test framework will do; this needs none.
#include <cstdio>
#include <gantry/testing/fake_offer.hpp>
#include <gantry/testing/manifest.hpp>

namespace {

using hosts = std::vector<std::string>;

int failures = 0;

void expect(const char* what, bool holds) {
  if (holds) return;
  std::printf("expected %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  gantry::testing::fake_host host({{"host-1"}, {"host-2"}, {"host-3"}});
  for (std::size_t row = 0; row < 2; ++row) {
    host.rows()[row].columns["stats.power_left_w"] = std::int64_t{row == 0 ? 100 : 900};
    host.rows()[row].columns["stats.rack"] = std::string(row == 0 ? "r1" : "r2");
  }
  const gantry_offers_info& info = *gantry_offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  gantry::testing::fake_request request;

  const auto manifest = gantry::testing::manifest::of_program();
  gantry::testing::fake_options options = manifest.offer("PowerFilter").options();
  options.integer("reserve_w", 50);
  // As `gantry reload` does: a second instance with other options begins while the first one works, which ends then.
  auto earlier =
      std::make_unique<gantry::testing::fake_offer>(host, info, "PowerFilter", manifest.offer("PowerFilter").options());
  gantry::testing::fake_offer power(host, info, "PowerFilter", std::move(options));
  power.needs = earlier->needs = manifest.offer("PowerFilter").needs();
  request.extra_specs["site:power_w"] = "51";
  expect("the first instance to have no reserve", earlier->keep(request).hosts == hosts{"host-1", "host-2"});
  earlier.reset();
  request.extra_specs["site:power_w"] = "50";
  expect("both hosts that report their power", power.keep(request).hosts == hosts{"host-1", "host-2"});
  request.extra_specs["site:power_w"] = "51";
  expect("the reserve to be kept", power.keep(request).hosts == hosts{"host-2"});
  request.extra_specs["site:power_w"] = "much";
  expect("watts to be numbers", power.keep(request).code == GANTRY_INVALID_ARGUMENT);

  gantry::testing::fake_offer rack(host, info, "RackFilter");
  expect("any rack without a hint", rack.keep({}).hosts.size() == 3);
  request.hints["rack"] = {"r1"};
  expect("the rack of the hint", rack.keep(request).hosts == hosts{"host-1"});
  expect("a reason", rack.keep(request).reason == "their rack differs");

  gantry::testing::fake_offer weigher(host, info, "PowerWeigher", manifest.offer("PowerWeigher").options());
  weigher.needs = manifest.offer("PowerWeigher").needs();
  expect("more power to weigh more", weigher.weigh({}).scores.at("host-2") > weigher.weigh({}).scores.at("host-1"));
  expect("no score for a host that reports nothing", weigher.weigh({}).scores.count("host-3") == 0);
  return failures == 0 ? 0 : 1;
}

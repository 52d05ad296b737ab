// SPDX-License-Identifier: Apache-2.0
//
// The filter without a daemon: a C++ program that is linked with the C source.
// Any test framework will do; this needs none.
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
  gantry::testing::fake_host host({{"cold"}, {"cool"}, {"hot"}, {"silent"}});
  const double celsius[] = {10, 17, 36};
  for (std::size_t row = 0; row < 3; ++row) host.rows()[row].columns["stats.inlet_celsius"] = celsius[row];
  const gantry_offers_info& info = *gantry_offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  const auto manifest = gantry::testing::manifest::of_program().offer("CoolFilter");
  auto first = std::make_unique<gantry::testing::fake_offer>(host, info, "CoolFilter", manifest.options());
  first->needs = manifest.needs();

  // As `gantry reload` does: the second instance begins while the first one
  // works, which ends then.
  auto options = manifest.options();
  options.real("most_celsius", 12);
  gantry::testing::fake_offer second(host, info, "CoolFilter", std::move(options));
  second.needs = manifest.needs();

  const auto kept = first->keep({});
  expect("cool hosts to pass, and no host that reports nothing", kept.hosts == hosts{"cold", "cool"});
  expect("a reason", kept.reason == "the air at their inlet is too warm");
  first.reset();
  expect("the option to count", second.keep({}).hosts == hosts{"cold"});
  return failures == 0 ? 0 : 1;
}

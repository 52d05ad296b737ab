// SPDX-License-Identifier: Apache-2.0
//
// The weigher without a daemon: a C++ program that is linked with the C source.
// Any test framework will do; this needs none.
#include <cstdio>
#include <gantry/testing/fake_offer.hpp>
#include <gantry/testing/manifest.hpp>

namespace {

int failures = 0;

void expect(const char* what, bool holds) {
  if (holds) return;
  std::printf("expected %s\n", what);
  ++failures;
}

}  // namespace

int main() {
  gantry::testing::fake_host host({{"cold"}, {"cool"}, {"hot"}, {"silent"}});
  const double celsius[] = {10, 17, 30};
  for (std::size_t row = 0; row < 3; ++row) host.rows()[row].columns["stats.inlet_celsius"] = celsius[row];
  const gantry_offers_info& info = *gantry_offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  const auto manifest = gantry::testing::manifest::of_program().offer("CoolWeigher");
  auto first = std::make_unique<gantry::testing::fake_offer>(host, info, "CoolWeigher", manifest.options());
  first->needs = manifest.needs();

  // As `gantry reload` does: the second instance begins while the first one
  // works, which ends then.
  auto options = manifest.options();
  options.real("unminded_celsius", 12);
  gantry::testing::fake_offer second(host, info, "CoolWeigher", std::move(options));
  second.needs = manifest.needs();

  const auto scores = first->weigh({}).scores;
  expect("a cool host to weigh more than a hot one", scores.at("cool") > scores.at("hot"));
  expect("cool hosts to be alike", scores.at("cool") == scores.at("cold"));
  expect("no score for a host that reports nothing", scores.count("silent") == 0);
  first.reset();
  const auto stricter = second.weigh({}).scores;
  expect("the option to count", stricter.at("cold") > stricter.at("cool"));
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
//
// The driver without a daemon. Any test framework will do; this needs none.
#include <cstdio>
#include <gantry/testing/fake_host.hpp>
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
  const auto manifest = gantry::testing::manifest::of_program();
  const gantry_driver_info& info = *gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  gantry::testing::fake_host host({{"host-1"}, {"host-2"}, {"host-3"}}, "seats");
  host.needs = manifest.needs();
  host.options = manifest.options();
  host.rows()[0].columns["stats.seats"] = std::int64_t{2};
  host.rows()[1].columns["stats.seats"] = std::int64_t{8};
  auto first = host.create(info);

  const auto taken = first->call_method("take_seats", R"({"consumer":"a \"quoted\" id","seats":3})");
  expect("the first host with the seats", taken.claims.size() == 1 && taken.claims[0].host == "host-2");
  expect("a cast to its service", taken.casts.size() == 1 && taken.casts[0].method == "seats_taken");
  expect("the caller to be told", taken.replies == std::vector<std::string>{taken.casts[0].args});
  expect("no misuse", taken.misuse.empty());
  expect("no seats twice",
         first->call_method("take_seats", R"({"consumer":"b","seats":6})").code == GANTRY_NO_VALID_HOST);
  expect("a consumer to be named", first->call_method("take_seats", "{}").code == GANTRY_INVALID_ARGUMENT);

  // As `gantry reload` does: the second instance begins while the first one
  // works, which ends then.
  host.options.integer("most_seats", 1);
  const auto second = host.create(info);
  const std::string two = R"({"consumer":"c","seats":2})";
  expect("the first instance to go on", first->call_method("take_seats", two).code == GANTRY_OK);
  first.reset();
  expect("the bound of the second", second->call_method("take_seats", two).code == GANTRY_INVALID_ARGUMENT);
  return failures == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
//
// The driver without a daemon: a C++ program that is linked with the C source. Any test framework will do; this needs
// none.
#include <cstdio>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/manifest.hpp>

namespace {

int failures = 0;

// Checks that the driver gives an instance of 1024 MiB the host that is expected.
void expect(const char* what, gantry::testing::fake_driver& driver, const std::string& expected,
            const std::vector<std::string>& ignored = {}) {
  gantry::testing::fake_request request;
  request.memory_mb = 1024;
  request.ignore_hosts = ignored;
  const auto outcome = driver.select_destinations(request);
  const std::string found = outcome.picks.empty() ? "none" : outcome.picks[0].host;
  if (found == expected && outcome.misuse.empty()) return;
  std::printf("%s: expected %s, found %s\n", what, expected.c_str(), found.c_str());
  ++failures;
}

}  // namespace

int main() {
  const auto manifest = gantry::testing::manifest::of_program();
  const gantry_driver_info& info = *gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  gantry::testing::fake_host host({{"host-1"}, {"host-2"}, {"host-3"}});
  host.needs = manifest.needs();
  host.options = manifest.options();
  host.rows()[0].up = false;
  host.rows()[1].memory_mb_used = 64000.0;
  auto first = host.create(info);
  expect("without a reserve", *first, "host-2");
  expect("away from a host", *first, "host-3", {"host-2"});

  // As `gantry reload` does: the second instance begins while the first one works, which ends then.
  host.options.integer("reserve_mb", 2048);
  const auto second = host.create(info);
  expect("beside a second instance", *first, "host-2");
  first.reset();
  expect("with a reserve", *second, "host-3");
  return failures == 0 ? 0 : 1;
}

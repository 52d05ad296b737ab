// SPDX-License-Identifier: Apache-2.0
//
// The driver without a daemon: a C++ program that is linked with the C source. Any test framework will do; this needs
// none.
#include <cstdio>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/manifest.hpp>

int main() {
  const auto manifest = gantry::testing::manifest::of_program();
  gantry::testing::fake_host host({{"host-1"}, {"host-2"}, {"host-3"}});
  host.needs = manifest.needs();
  host.options = manifest.options();
  host.rows()[0].up = false;
  host.rows()[1].memory_mb_used = 65000.0;
  const auto driver = host.create(*gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));

  gantry::testing::fake_request request;
  request.memory_mb = 1024;
  const auto outcome = driver->select_destinations(request);
  if (outcome.picks.size() == 1 && outcome.picks[0].host == "host-3" && outcome.misuse.empty()) return 0;
  std::printf("expected host-3, found %s\n", outcome.picks.empty() ? "none" : outcome.picks[0].host.c_str());
  return 1;
}

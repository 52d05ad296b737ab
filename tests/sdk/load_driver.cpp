// SPDX-License-Identifier: Apache-2.0
//
// load_driver <file>: loads a starter project's driver and lets it decide once; 0: it chose the host that it should.
#include <dlfcn.h>

#include <cstdio>
#include <gantry/testing/fake_host.hpp>

int main(int, char** arguments) {
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : dlsym(library, "gantry_driver_entry");
  if (entry == nullptr) {
    std::printf("%s: %s\n", arguments[1], dlerror());
    return 1;
  }
  gantry::testing::fake_host host({{"host-1"}, {"host-2"}, {"host-3"}});
  host.needs = {"up", "disabled", "memory_mb", "memory_mb_used"};
  host.rows()[0].up = false;
  host.rows()[1].memory_mb_used = 65000.0;
  gantry::testing::fake_request request;
  request.memory_mb = 1024;
  request.instances = 2;
  const gantry_driver_info* info =
      reinterpret_cast<decltype(&gantry_driver_entry)>(entry)(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  const auto outcome = host.create(*info)->select_destinations(request);
  request.eligible = {0, 1};
  const auto bounded = host.create(*info)->select_destinations(request);
  request.eligible.reset();
  request.memory_mb = 1 << 20;
  const auto none = host.create(*info)->schedule_run_instance(request);
  const bool chose = outcome.picks.size() == 2 && outcome.picks[1].host == "host-3" && outcome.misuse.empty();
  const bool refused = none.code == GANTRY_OK && none.refusals.size() == 2 && none.misuse.empty();
  const bool passed_over = bounded.code == GANTRY_NO_VALID_HOST && bounded.lost.empty() && bounded.misuse.empty();
  std::printf("%s: chose %s, refused %s, %s a host that is not eligible\n", arguments[1], chose ? "host-3" : "wrongly",
              refused ? "rightly" : "wrongly", passed_over ? "passed over" : "tried");
  return chose && refused && passed_over ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
//
// load_driver <file>: loads a starter project's driver and lets two instances of it decide; 0: they chose the hosts that
// they should.
#include <dlfcn.h>

#include <cstdio>
#include <gantry/testing/fake_host.hpp>

namespace {

using namespace gantry::testing;

// Checks a first instance alone: host-1 is down, and host-2 has no room.
bool decides(fake_driver& driver) {
  fake_request request;
  request.memory_mb = 1024;
  request.instances = 2;
  const auto outcome = driver.select_destinations(request);
  request.eligible = {0, 1};
  const auto bounded = driver.select_destinations(request);
  request.eligible.reset();
  request.memory_mb = 1 << 20;
  const auto none = driver.schedule_run_instance(request);
  const bool chose = outcome.picks.size() == 2 && outcome.picks[1].host == "host-3" && outcome.misuse.empty();
  const bool refused = none.code == GANTRY_OK && none.refusals.size() == 2 && none.misuse.empty();
  const bool passed_over = bounded.code == GANTRY_NO_VALID_HOST && bounded.lost.empty() && bounded.misuse.empty();
  std::printf("chose %s, refused %s, %s a host that is not eligible\n", chose ? "host-3" : "wrongly",
              refused ? "rightly" : "wrongly", passed_over ? "passed over" : "tried");
  return chose && refused && passed_over;
}

// Checks that the driver finds room for an instance exactly if it should.
bool finds_room(const char* what, fake_driver& driver, bool expected) {
  fake_request request;
  request.memory_mb = 1024;
  const auto outcome = driver.select_destinations(request);
  const bool found = outcome.picks.size() == 1;
  const bool is_right = found == expected && outcome.misuse.empty();
  if (!is_right) std::printf("%s: expected %s, found %s\n", what, expected ? "room" : "none", found ? "room" : "none");
  return is_right;
}

// Checks two instances with different options, as `gantry reload` makes them: the second one outlives the first.
bool outlives_the_first(fake_host& host, const gantry_driver_info& info) {
  host.options.integer("reserve_mb", 0);
  auto first = host.create(info);
  host.options.integer("reserve_mb", 65536 - 1023);
  const auto second = host.create(info);
  const bool beside = finds_room("the first instance", *first, true);
  first.reset();
  return finds_room("the second instance, whose reserve is larger", *second, false) && beside;
}

}  // namespace

int main(int, char** arguments) {
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : dlsym(library, "gantry_driver_entry");
  if (entry == nullptr) {
    std::printf("%s: %s\n", arguments[1], dlerror());
    return 1;
  }
  fake_host host({{"host-1"}, {"host-2"}, {"host-3"}});
  host.needs = {"up", "disabled", "memory_mb", "memory_mb_used"};
  host.options.integer("reserve_mb", 0);
  host.rows()[0].up = false;
  host.rows()[1].memory_mb_used = 65000.0;
  const gantry_driver_info* info =
      reinterpret_cast<decltype(&gantry_driver_entry)>(entry)(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  const bool decided = decides(*host.create(*info));
  return outlives_the_first(host, *info) && decided ? 0 : 1;
}

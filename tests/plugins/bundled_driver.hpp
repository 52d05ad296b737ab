// SPDX-License-Identifier: Apache-2.0
//
// The bundled drivers as they were built, loaded into a fake host.
#pragma once

#include <dlfcn.h>

#include <gantry/testing/fake_host.hpp>
#include <string>
#include <vector>

namespace gantry::tests {

// The info of lib/gantry/drivers/<id>.so; nullptr if it cannot be loaded. The library stays.
inline const gantry_driver_info* bundled_driver(const std::string& id) {
  void* library = dlopen((std::string(GANTRY_DRIVERS "/") + id + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  void* symbol = dlsym(library, "gantry_driver_entry");
  if (symbol == nullptr) return nullptr;
  return reinterpret_cast<decltype(&gantry_driver_entry)>(symbol)(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
}

inline std::vector<std::string> hosts_of(const std::vector<testing::picked>& picks) {
  std::vector<std::string> hosts;
  for (const testing::picked& pick : picks) hosts.push_back(pick.host);
  return hosts;
}

}  // namespace gantry::tests

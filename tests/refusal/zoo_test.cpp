// SPDX-License-Identifier: Apache-2.0
#include "tests/refusal/zoo_test.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/judge/driver_files.hpp"

namespace gantry::drivers {

ZooTest::ZooTest() {
  settings_.scheduler_driver = {"zoo"};
  settings_.scheduler_driver_origin = "/etc/gantry/gantry.toml:2:1";
  settings_.driver_directories = {directory_.path().string()};
}

std::string ZooTest::built(const std::string& name) {
  return std::string(GANTRY_ZOO_DIRECTORY) + "/" + name;
}

std::string ZooTest::put(const std::string& name) const {
  return directory_.add(built(name + ".so"), "zoo.so");
}

std::string ZooTest::load() {
  Result<DriverSet> set =
      load_drivers(settings_, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), {});
  if (!set) return set.error().message;
  set_.emplace(*std::move(set));
  return "no error";
}

std::string ZooTest::check() const {
  for (const CheckedFile& checked : check_driver_files(settings_)) {
    if (!checked.file) return checked.file.error().message;
  }
  return "no error";
}

testing::Matcher<std::string> mentions(const std::vector<std::string>& words) {
  std::vector<testing::Matcher<std::string>> matchers;
  for (const std::string& word : words) matchers.push_back(testing::HasSubstr(word));
  return testing::AllOfArray(matchers);
}

}  // namespace gantry::drivers

// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>

#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

using FirstFit = ZooTest;

// The command that stands in first_fit.c.
std::string find_command() {
  std::ifstream source(std::string(GANTRY_SOURCE_DIRECTORY) + "/tests/refusal/first_fit.c");
  for (std::string line; std::getline(source, line);) {
    const std::size_t at = line.find("gcc -std=c11");
    if (at != std::string::npos) return line.substr(at);
  }
  return {};
}

TEST_F(FirstFit, LoadsWhenBuiltByTheCommandInItsComment) {
  if (std::system("command -v gcc > /dev/null") != 0) GTEST_SKIP() << "gcc is not installed";
  directory_.add(std::string(GANTRY_SOURCE_DIRECTORY) + "/tests/refusal/first_fit.c", "first_fit.c");
  const std::string command = find_command();
  ASSERT_FALSE(command.empty());
  const std::string in_place = "umask 022 && cd '" + directory_.path().string() + "' && GANTRY_SDK='" +
                               GANTRY_SOURCE_DIRECTORY + "/sdk/include' && " + command;
  ASSERT_EQ(std::system(in_place.c_str()), 0) << in_place;
  settings_.scheduler_driver = {"first_fit"};
  ASSERT_EQ(load(), "no error");
  EXPECT_EQ(set_->for_topic("compute")->manifest().needs.size(), 2U);
}

}  // namespace
}  // namespace gantry::drivers

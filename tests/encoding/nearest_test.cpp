// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/nearest.hpp"

#include <gtest/gtest.h>

namespace gantry {
namespace {

TEST(Nearest, FindsSlipsOfAFewLetters) {
  const std::vector<std::string> known{"socket", "socket_mode", "workers"};
  EXPECT_EQ(nearest("sokcet", known), "socket");
  EXPECT_EQ(nearest("socketmode", known), "socket_mode");
  EXPECT_EQ(nearest("worker", known), "workers");
}

TEST(Nearest, GuessesNothingFarOff) {
  EXPECT_EQ(nearest("banana", {"socket", "workers"}), "");
  EXPECT_EQ(nearest("", {"a"}), "");
  EXPECT_EQ(nearest("x", {"a"}), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), {"socket"}), "");
}

}  // namespace
}  // namespace gantry

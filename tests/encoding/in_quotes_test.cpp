// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/in_quotes.hpp"

#include <gtest/gtest.h>

namespace gantry {
namespace {

TEST(InQuotes, EscapesAllButPrintableAscii) {
  EXPECT_EQ(in_quotes("a\x1b[2J\n\xc2\x9b b"), "'a\\x1b[2J\\x0a\\xc2\\x9b b'");
}

TEST(InQuotes, CutsALongText) {
  EXPECT_EQ(in_quotes(std::string(201, 'a')), "'" + std::string(200, 'a') + "...'");
}

}  // namespace
}  // namespace gantry

// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/text_rules.hpp"

#include <gtest/gtest.h>

namespace gantry {
namespace {

TEST(TextRules, CountCharactersAndNotBytes) {
  std::string name;
  for (int at = 0; at < 255; ++at) name += "\xC5\xBE";
  EXPECT_EQ(fault_of(TextKind::name, name), "");
  EXPECT_EQ(fault_of(TextKind::name, name + "x"), "expected at most 255 characters, found 256");
}

TEST(TextRules, RefuseControlCharactersInNamesAlone) {
  EXPECT_EQ(fault_of(TextKind::name, "ab\x7f"), "expected text without control characters, found 0x7f at byte 2");
  EXPECT_EQ(fault_of(TextKind::sentence, "two\nlines"), "");
  EXPECT_EQ(fault_of(TextKind::sentence, std::string(4097, 'x')), "expected at most 4096 characters, found 4097");
}

TEST(TextRules, LetWhatIsThereAlreadyBeNamedAsItIs) {
  EXPECT_EQ(fault_of(TextKind::known, std::string(1'000'000, '\n')), "");
}

}  // namespace
}  // namespace gantry

// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/text_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "core/encoding/printable.hpp"

namespace gantry::cli {
namespace {

std::string printed(const TextTable& table, bool colour = false) {
  std::ostringstream out;
  table.print(out, colour);
  return out.str();
}

TEST(TextTable, MakesColumnsAsWideAsTheirWidestCell) {
  TextTable table({"HOST", "STATE"});
  table.add({"compute-1", "up"});
  table.add({"c2", "down"});
  EXPECT_EQ(printed(table), "HOST       STATE\ncompute-1  up\nc2         down\n");
}

TEST(TextTable, PutsNumbersToTheRight) {
  TextTable table({"VCPUS", "HOST"});
  table.add({"8", "c1"});
  table.add({"128", "c2"});
  table.add({"-", "c3"});
  EXPECT_EQ(printed(table), "VCPUS  HOST\n    8  c1\n  128  c2\n    -  c3\n");
}

TEST(TextTable, TreatsVersionsAndDashesAsText) {
  TextTable table({"VERSION", "NODE"});
  table.add({"1.0.0", "-"});
  EXPECT_EQ(printed(table), "VERSION  NODE\n1.0.0    -\n");
}

TEST(TextTable, CountsTerminalColumnsNotBytes) {
  EXPECT_EQ(display_width("Zürich"), 6u);
  EXPECT_EQ(display_width("東京"), 4u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  TextTable table({"NAME", "X"});
  table.add({"Zürich", "a"});
  table.add({"東京", "b"});
  EXPECT_EQ(printed(table), "NAME    X\nZürich  a\n東京    b\n");
}

TEST(TextTable, EscapesControlCharactersInCells) {
  EXPECT_EQ(printable("a\x1b[31mb\nc\td\x7f"), "a\\x1b[31mb\\nc\\td\\x7f");
  EXPECT_EQ(printable("\u0085"), "\\x85");
}

TEST(TextTable, ColoursOnlyWhereAsked) {
  TextTable table({"STATE"});
  table.add({"down"});
  EXPECT_EQ(printed(table).find('\x1b'), std::string::npos);
  EXPECT_NE(printed(table, true).find("\x1b[31mdown\x1b[0m"), std::string::npos);
}

TEST(TextTable, SeparatesValuesByTabs) {
  TextTable table({"A", "B"});
  table.add({"1", "x\ty"});
  table.add({"2"});
  std::ostringstream out;
  table.print_values(out);
  EXPECT_EQ(out.str(), "1\tx\\ty\n2\t\n");
}

}  // namespace
}  // namespace gantry::cli

// SPDX-License-Identifier: Apache-2.0
//
// Rows of text with a header, as people read them in a terminal or programs read them separated by tabs.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::cli {

// How many columns of a terminal the UTF-8 text takes.
std::size_t display_width(std::string_view text);

// Control characters as \t, \n or \x1b, so that what a host or a user named cannot steer the terminal.
std::string printable(std::string_view text);

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headers);
  void add(std::vector<std::string> cells);  // missing cells are empty
  bool empty() const { return rows_.empty(); }

  // Columns as wide as their widest cell, two spaces between; numbers to the right; `indent` spaces in front.
  void print(std::ostream& out, bool colour, std::size_t indent = 0) const;
  // One row a line, cells separated by a tab, no header.
  void print_values(std::ostream& out) const;

 private:
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gantry::cli

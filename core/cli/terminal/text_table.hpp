// SPDX-License-Identifier: Apache-2.0
//
// A table of text, printed with aligned columns for people or with tabs for programs.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::cli {

// Returns the number of terminal columns that the UTF-8 text takes.
std::size_t display_width(std::string_view text);

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headers);
  void add(std::vector<std::string> cells);  // adds a row; missing cells are empty
  bool empty() const { return rows_.empty(); }

  // Prints the headers and rows. A column is as wide as its widest cell, columns are two spaces apart, numbers are
  // right-aligned, and each line begins with `indent` spaces.
  void print(std::ostream& out, bool colour, std::size_t indent = 0) const;
  // Prints each row on one line, its cells separated by tabs. Prints no headers.
  void print_values(std::ostream& out) const;

 private:
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gantry::cli

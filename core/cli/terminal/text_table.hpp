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

// Escapes control characters as \t, \n or \x1b, so that names from hosts and users cannot control the terminal.
std::string printable(std::string_view text);

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headers);
  void add(std::vector<std::string> cells);  // missing cells are empty
  bool empty() const { return rows_.empty(); }

  // Prints columns as wide as their widest cell, two spaces apart, numbers right-aligned, indented by `indent` spaces.
  void print(std::ostream& out, bool colour, std::size_t indent = 0) const;
  // Prints one row a line, cells separated by a tab, without the header.
  void print_values(std::ostream& out) const;

 private:
  std::vector<std::string> headers_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace gantry::cli

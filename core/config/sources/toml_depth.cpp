// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/config/sources/toml.hpp"

namespace gantry::config {

namespace {

// The library bounds neither how many parts a dotted key has nor, tightly enough, how deep values nest; both are walked
// recursively.
constexpr std::size_t most_parts = 16;
constexpr std::size_t most_nested = 64;

// Where the string that opens at `open` ends: just behind its closing quote.
std::size_t end_of_string(std::string_view text, std::size_t open) {
  const char quote = text[open];
  const bool has_escapes = quote == '"';
  const std::string_view triple = text.substr(open, 3);
  const bool is_multi_line = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
  for (std::size_t at = open + (is_multi_line ? 3 : 1); at < text.size(); ++at) {
    if (has_escapes && text[at] == '\\') {
      ++at;
    } else if (text[at] == '\n' && !is_multi_line) {
      return at;
    } else if (text[at] == quote && (!is_multi_line || text.substr(at, 3) == triple)) {
      // The text may itself end in one or two quotes.
      at += is_multi_line ? 3 : 1;
      while (is_multi_line && at < text.size() && text[at] == quote) ++at;
      return at;
    }
  }
  return text.size();
}

}  // namespace

Result<void> check_toml_depth(std::string_view text, std::string_view name) {
  const auto refusal = [&](std::size_t at, const std::string& expected, std::string_view found) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return Error{
        ErrorCode::invalid_configuration,
        std::string(name) + ":" + std::to_string(line) + ": expected " + expected + ", found " + std::string(found),
        ""};
  };
  std::size_t dots = 0;
  std::size_t nested = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.') ++dots;
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots = 0;
    if (dots >= most_parts)
      return refusal(at, "keys of at most " + std::to_string(most_parts) + " parts", "a longer one");
    if (c == '[' || c == '{') ++nested;
    if ((c == ']' || c == '}') && nested > 0) --nested;
    if (nested > most_nested)
      return refusal(at, "values nested at most " + std::to_string(most_nested) + " deep", "a deeper one");
    ++at;
  }
  return {};
}

}  // namespace gantry::config

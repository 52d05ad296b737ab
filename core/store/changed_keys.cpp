// SPDX-License-Identifier: Apache-2.0
#include "core/store/changed_keys.hpp"

#include <algorithm>
#include <charconv>

#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

namespace {

// To look up more of them takes longer than to compare all documents.
constexpr std::size_t most = 20'000;
// The text begins and ends with these, so that a part of it cannot pass for all. Between them stands a line for each
// document: "claims 36 KEY", the number being the length of the key, which may be of any characters.
constexpr std::string_view first_line = "changed\n";
constexpr std::string_view last_line = "all\n";

// Takes a word and the blank behind it from the front. Empty: there is none.
std::string_view take_word(std::string_view& text) {
  const auto end = text.find(' ');
  if (end == std::string_view::npos) return {};
  const auto word = text.substr(0, end);
  text.remove_prefix(end + 1);
  return word;
}

}  // namespace

void ChangedKeys::add(const Batch& batch) {
  for (const auto& change : batch) {
    const auto place = static_cast<std::size_t>(change.kind);
    if (place >= kinds || count_ > most) continue;
    keys_[place].push_back(change.key);
    if (++count_ > most) keys_ = {};
  }
}

std::string ChangedKeys::text() const {
  if (count_ > most) return {};
  std::string text(first_line);
  for (std::size_t place = 0; place < kinds; ++place) {
    const auto kind = static_cast<Kind>(place);
    for (const auto& key : of(kind)) {
      text.append(table_of(kind)).append(" ").append(std::to_string(key.size())).append(" ");
      text.append(key).append("\n");
    }
  }
  return text.append(last_line);
}

std::optional<ChangedKeys> ChangedKeys::parse(std::string_view text) {
  if (!text.starts_with(first_line) || !text.ends_with(last_line)) return std::nullopt;
  text.remove_prefix(first_line.size());
  ChangedKeys changed;
  while (text != last_line) {
    const auto table = take_word(text);
    const auto length = take_word(text);
    std::size_t place = 0;
    while (place < kinds && table != table_of(static_cast<Kind>(place))) ++place;
    std::size_t size = 0;
    const auto read = std::from_chars(length.data(), length.data() + length.size(), size);
    if (place == kinds || read.ec != std::errc() || size >= text.size() || text[size] != '\n') return std::nullopt;
    changed.keys_[place].emplace_back(text.substr(0, size));
    text.remove_prefix(size + 1);
  }
  return changed;
}

std::vector<std::string> ChangedKeys::of(Kind kind) const {
  auto keys = keys_[static_cast<std::size_t>(kind)];
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace gantry::store

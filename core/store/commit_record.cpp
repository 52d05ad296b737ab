// SPDX-License-Identifier: Apache-2.0
#include "core/store/commit_record.hpp"

#include <charconv>

namespace gantry::store {

namespace {

constexpr std::size_t record_digits = 20;  // of the largest number
constexpr std::string_view record_word = "commit ";

std::string padded_number(CommitNumber number) {
  const auto text = std::to_string(number);
  return std::string(record_digits - text.size(), '0') + text;
}

}  // namespace

std::string commit_record(CommitNumber number) {
  const auto text = padded_number(number);
  return std::string(record_word) + text + " " + text + "\n";
}

CommitNumber read_commit_record(std::string_view text) {
  if (!text.starts_with(record_word)) return 0;
  CommitNumber number = 0;
  const auto first = text.substr(record_word.size(), record_digits);
  const auto [end, fault] = std::from_chars(first.data(), first.data() + first.size(), number);
  return fault == std::errc() && text == commit_record(number) ? number : 0;
}

Result<void> check_commits(const std::string& store_path, CommitNumber answered, CommitNumber found) {
  if (answered <= found) return {};
  const auto lock = store_path + ".lock";
  return Error{
      ErrorCode::failed_precondition,
      "store " + store_path + ": damaged, or an older copy: expected commit " + std::to_string(answered) +
          ", the last that was answered by " + lock + ", found commit " + std::to_string(found) +
          "; the store and its log " + store_path +
          "-wal were left as they were: put a newer copy of both in their place, or remove " + lock +
          " to go on with the older state and lose the commits between; gantry restore does this with a backup",
      {}};
}

}  // namespace gantry::store

// SPDX-License-Identifier: Apache-2.0
#include "nova/pep440_version.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "nova/version_predicate.hpp"
#include "python/blanks.hpp"

namespace filter_driver {
namespace {

raised no_pep440_version(std::string_view version) {
  return {"InvalidVersion", "Invalid version: '" + std::string(version) + "'"};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_separator(char c) {
  return c == '.' || c == '-' || c == '_';
}

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return read.ec == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : number;
}

// Removes the digits at the front of the text.
std::optional<std::uint64_t> take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (digits.empty()) return std::nullopt;
  text.remove_prefix(digits.size());
  return number_of(digits);
}

std::string_view without_separator(std::string_view text) {
  return !text.empty() && is_separator(text.front()) ? text.substr(1) : text;
}

struct spelling {
  std::string_view word;
  char letter;
};
// A word comes before the words that it begins with.
constexpr std::array<spelling, 8> spellings_of_pre{
    {{"alpha", 'a'}, {"beta", 'b'}, {"preview", 'c'}, {"pre", 'c'}, {"rc", 'c'}, {"a", 'a'}, {"b", 'b'}, {"c", 'c'}}};
constexpr std::array<spelling, 3> spellings_of_post{{{"post", 'p'}, {"rev", 'p'}, {"r", 'p'}}};
constexpr std::array<spelling, 1> spellings_of_dev{{{"dev", 'd'}}};

// Removes a word and its number, each with or without a separator before it.
std::optional<pep440_version::suffix> take_suffix(std::string_view& text, std::span<const spelling> spellings) {
  const std::string_view at = without_separator(text);
  const auto found = std::find_if(spellings.begin(), spellings.end(),
                                  [at](const spelling& each) { return at.starts_with(each.word); });
  if (found == spellings.end()) return std::nullopt;
  text = without_separator(at.substr(found->word.size()));
  return pep440_version::suffix{0, found->letter, take_digits(text).value_or(0)};
}

// Removes "-1", which is "post1".
std::optional<pep440_version::suffix> take_bare_post(std::string_view& text) {
  if (text.size() < 2 || text.front() != '-' || !is_digit(text[1])) return std::nullopt;
  text.remove_prefix(1);
  return pep440_version::suffix{0, 'p', take_digits(text).value_or(0)};
}

std::vector<std::uint64_t> take_numbers(std::string_view& text) {
  std::vector<std::uint64_t> numbers;
  while (const auto number = take_digits(text)) {
    numbers.push_back(*number);
    if (text.size() < 2 || text.front() != '.' || !is_digit(text[1])) break;
    text.remove_prefix(1);
  }
  return numbers;
}

// Reads the text after the plus sign. Empty if the text is not a local version.
std::vector<pep440_version::local_part> local_of(std::string_view text) {
  std::vector<pep440_version::local_part> parts;
  for (;;) {
    const auto end = std::find_if(text.begin(), text.end(), is_separator);
    const auto part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    const bool is_word =
        std::all_of(part.begin(), part.end(), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); });
    if (part.empty() || !is_word) return {};
    const bool is_number = std::all_of(part.begin(), part.end(), is_digit);
    parts.push_back({is_number, is_number ? number_of(part) : 0, is_number ? std::string() : std::string(part)});
    if (end == text.end()) return parts;
    text.remove_prefix(part.size() + 1);
  }
}

}  // namespace

outcome<pep440_version> pep440_version::read(std::string_view text) {
  std::string lowered(without_blanks(text));
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::string_view rest = lowered;
  if (rest.starts_with('v')) rest.remove_prefix(1);
  pep440_version version;
  std::string_view after_epoch = rest;
  if (const auto epoch = take_digits(after_epoch); epoch && after_epoch.starts_with('!')) {
    version.epoch = *epoch;
    rest = after_epoch.substr(1);
  }
  version.numbers = take_numbers(rest);
  if (version.numbers.empty()) return no_pep440_version(text);
  while (!version.numbers.empty() && version.numbers.back() == 0) version.numbers.pop_back();
  const auto pre = take_suffix(rest, spellings_of_pre);
  auto post = take_bare_post(rest);
  if (!post) post = take_suffix(rest, spellings_of_post);
  const auto dev = take_suffix(rest, spellings_of_dev);
  if (rest.starts_with('+')) {
    version.local = local_of(rest.substr(1));
    if (version.local.empty()) return no_pep440_version(text);
    rest = {};
  }
  if (!rest.empty()) return no_pep440_version(text);
  const bool is_before_pre = !post && dev;
  version.pre = pre.value_or(suffix{static_cast<std::int8_t>(is_before_pre ? -1 : 1), 0, 0});
  version.post = post.value_or(suffix{-1, 0, 0});
  version.dev = dev.value_or(suffix{1, 0, 0});
  return version;
}

outcome<pep440_predicate> pep440_predicate::read(std::string_view text) {
  pep440_predicate predicate;
  for (const std::string_view part : parts_of(text, ',')) {
    std::string_view rest = without_blanks(part);
    const std::optional<comparison> by = take_comparison(rest);
    rest = without_blanks(rest);
    if (rest.empty() && (by == comparison::at_most || by == comparison::at_least)) return no_pep440_version("=");
    if (!by || words_of(rest).size() != 1)
      return raised{"ValueError", "bad package restriction syntax: " + std::string(part)};
    auto version = pep440_version::read(rest);
    if (!version.ok()) return version.error();
    predicate.comparisons_.push_back({*by, std::move(version.value())});
  }
  return predicate;
}

outcome<bool> pep440_predicate::satisfied_by(std::string_view version) const {
  const outcome<pep440_version> read = pep440_version::read(version);
  if (!read.ok()) return read.error();
  return std::all_of(comparisons_.begin(), comparisons_.end(),
                     [&](const comparison_with& wanted) { return holds(wanted.by, read.value() <=> wanted.version); });
}

}  // namespace filter_driver

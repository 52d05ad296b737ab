// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/member_reader.hpp"

#include <cstddef>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

constexpr std::int64_t largest = std::int64_t{1} << 53;

std::string text_of(const json::value& value) {
  return {value.get_string().data(), value.get_string().size()};
}

std::string element(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

}  // namespace

void MemberReader::expect(std::string_view what, const std::string& path, const json::value& found) {
  if (*fault_) return;
  *fault_ =
      raised("ValueError", path + ": expected " + std::string(what) + ", found " + std::string(json::type_name(found)));
}

std::optional<std::string> MemberReader::text(std::string_view key) {
  const auto* const member = json::find(*object_, key);
  if (member == nullptr) return std::nullopt;
  if (member->is_string()) return text_of(*member);
  expect("a text", path_to(key), *member);
  return std::nullopt;
}

std::optional<std::int64_t> MemberReader::integer(std::string_view key) {
  const auto* const member = json::find(*object_, key);
  if (member == nullptr) return std::nullopt;
  const auto* const number = member->if_int64();
  if (number != nullptr && *number >= -largest && *number <= largest) return *number;
  expect("a whole number from -2^53 to 2^53", path_to(key), *member);
  return std::nullopt;
}

std::optional<bool> MemberReader::boolean(std::string_view key) {
  const auto* const member = json::find(*object_, key);
  if (member == nullptr) return std::nullopt;
  if (member->is_bool()) return member->get_bool();
  expect("true or false", path_to(key), *member);
  return std::nullopt;
}

std::optional<bool> MemberReader::flexible_boolean(std::string_view key) {
  const auto* const member = json::find(*object_, key);
  if (member != nullptr && member->is_string()) return python_bool(text_of(*member));
  return boolean(key);
}

const json::array* MemberReader::list(std::string_view key) {
  const auto* const member = json::find(*object_, key);
  if (member == nullptr) return nullptr;
  if (!member->is_array()) expect("a list", path_to(key), *member);
  return member->if_array();
}

std::vector<std::string> MemberReader::texts_in(const json::array& list, const std::string& path) {
  std::vector<std::string> texts;
  texts.reserve(list.size());
  for (const auto& each : list) {
    if (each.is_string())
      texts.push_back(text_of(each));
    else
      expect("a text", element(path, texts.size()), each);
  }
  return texts;
}

std::vector<std::string> MemberReader::texts(std::string_view key) {
  const auto* const found = list(key);
  return found == nullptr ? std::vector<std::string>() : texts_in(*found, path_to(key));
}

std::set<std::string> MemberReader::text_set(std::string_view key) {
  auto found = texts(key);
  return {found.begin(), found.end()};
}

std::vector<std::vector<std::string>> MemberReader::text_lists(std::string_view key) {
  std::vector<std::vector<std::string>> lists;
  const auto* const found = list(key);
  if (found == nullptr) return lists;
  for (const auto& each : *found) {
    if (const auto* const inner = each.if_array())
      lists.push_back(texts_in(*inner, element(path_to(key), lists.size())));
    else
      expect("a list of texts", element(path_to(key), lists.size()), each);
  }
  return lists;
}

std::vector<std::pair<std::string, std::string>> MemberReader::text_pairs(std::string_view key) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const auto found = object(key);
  if (!found) return pairs;
  for (const auto& [name, member] : found->members()) {
    if (member.is_string())
      pairs.emplace_back(name, text_of(member));
    else
      expect("a text", path_to(key) + "." + std::string(name), member);
  }
  return pairs;
}

std::map<std::string, std::string> MemberReader::amounts(std::string_view key) {
  std::map<std::string, std::string> amounts;
  const auto found = object(key);
  if (!found) return amounts;
  for (const auto& [name, member] : found->members()) {
    if (member.is_int64())
      amounts.emplace(name, std::to_string(member.get_int64()));
    else if (member.is_uint64())
      amounts.emplace(name, std::to_string(member.get_uint64()));
    else
      expect("a whole number", path_to(key) + "." + std::string(name), member);
  }
  return amounts;
}

std::optional<MemberReader> MemberReader::object(std::string_view key) {
  const auto* const member = json::find(*object_, key);
  if (member == nullptr) return std::nullopt;
  if (member->is_object()) return MemberReader(member->get_object(), path_to(key), *fault_);
  expect("an object", path_to(key), *member);
  return std::nullopt;
}

std::vector<MemberReader> MemberReader::objects(std::string_view key) {
  const auto* const member = json::find(*object_, key);
  if (member != nullptr && member->is_object())
    return MemberReader(member->get_object(), path_to(key), *fault_).objects("objects");
  std::vector<MemberReader> readers;
  const auto* const found = list(key);
  if (found == nullptr) return readers;
  for (const auto& each : *found) {
    const auto path = element(path_to(key), readers.size());
    if (each.is_object())
      readers.emplace_back(each.get_object(), path, *fault_);
    else
      expect("an object", path, each);
  }
  return readers;
}

}  // namespace gantry::nova

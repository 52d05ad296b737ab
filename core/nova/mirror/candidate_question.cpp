// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/candidate_question.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace gantry::nova {

namespace {

constexpr std::size_t longest_amount = 18;  // digits
constexpr std::size_t longest_suffix = 64;
constexpr std::array<std::string_view, 4> group_parameters{"resources", "required", "member_of", "in_tree"};

Error refused_form(std::string_view reason) {
  return {ErrorCode::invalid_argument, std::string(reason), ""};
}

Error unread_form(std::string_view parameter, std::string_view value) {
  return {ErrorCode::unsupported, "parameter " + std::string(parameter) + "=" + std::string(value), ""};
}

bool is_name(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

bool is_suffix(std::string_view text) {
  return text.size() <= longest_suffix && std::ranges::all_of(text, [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

bool is_uuid(std::string_view text) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return std::ranges::equal(text, form, [](char c, char expected) {
    return expected == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// nullopt: a % without two digits behind it.
std::optional<std::string> decode(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at] == '+' ? ' ' : text[at];
      continue;
    }
    unsigned byte = 0;
    const auto digits = text.substr(at + 1, 2);
    const auto end = digits.data() + digits.size();
    if (digits.size() < 2 || std::from_chars(digits.data(), end, byte, 16).ptr != end) return std::nullopt;
    decoded += static_cast<char>(byte);
    at += 2;
  }
  return decoded;
}

// Appends traits of a list such as "A,!B". False: a form that is not read.
bool read_traits(std::string_view value, std::vector<std::string>& required, std::vector<std::string>& forbidden) {
  for (auto trait : split(value, ',')) {
    const bool is_forbidden = trait.starts_with('!');
    if (is_forbidden) trait.remove_prefix(1);
    if (!is_name(trait)) return false;
    (is_forbidden ? forbidden : required).emplace_back(trait);
  }
  return true;
}

bool share_an_element(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return std::ranges::any_of(
      one, [&other](const auto& element) { return std::ranges::find(other, element) != other.end(); });
}

class QuestionReader {
 public:
  Result<CandidateQuestion> read(std::string_view query);

 private:
  Result<void> read_parameter(const std::string& name, std::string_view value);
  Result<void> read_of_group(std::string_view name, QuestionGroup& group, std::string_view value);
  static Result<void> read_resources(std::string_view value, QuestionGroup& group);
  static Result<void> read_member_of(std::string_view value, QuestionGroup& group);
  Result<void> read_same_subtree(std::string_view value);
  Result<void> check() const;
  QuestionGroup& group_of(std::string_view suffix);

  CandidateQuestion question_;
  std::set<std::string, std::less<>> seen_;  // names of parameters
};

Result<CandidateQuestion> QuestionReader::read(std::string_view query) {
  for (const auto parameter : split(query, '&')) {
    const auto equal_sign = parameter.find('=');
    if (equal_sign == std::string_view::npos) return unread_form(parameter, "");
    const auto name = decode(parameter.substr(0, equal_sign));
    const auto value = decode(parameter.substr(equal_sign + 1));
    if (!name || !value) return unread_form(parameter, "");
    if (auto done = read_parameter(*name, *value); !done) return std::move(done.error());
  }
  if (auto done = check(); !done) return std::move(done.error());
  return std::move(question_);
}

Result<void> QuestionReader::read_parameter(const std::string& name, std::string_view value) {
  if (name == "same_subtree") return read_same_subtree(value);
  const bool is_repeated = !seen_.insert(name).second;
  if (is_repeated && !name.starts_with("member_of")) return unread_form(name, value);
  if (name == "limit") {
    const bool is_number = !value.empty() && value.front() != '0' && value.size() <= longest_amount &&
                           std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? Result<void>() : unread_form(name, value);
  }
  if (name == "group_policy") {
    if (value != "none" && value != "isolate") return unread_form(name, value);
    question_.group_policy = value == "none" ? GroupPolicy::none : GroupPolicy::isolate;
    return {};
  }
  if (name == "root_required")
    return read_traits(value, question_.root_required, question_.root_forbidden) ? Result<void>()
                                                                                 : unread_form(name, value);
  for (const auto known : group_parameters) {
    if (!name.starts_with(known)) continue;
    const auto suffix = std::string_view(name).substr(known.size());
    if (!is_suffix(suffix)) break;
    return read_of_group(known, group_of(suffix), value);
  }
  return unread_form(name, value);
}

Result<void> QuestionReader::read_of_group(std::string_view name, QuestionGroup& group, std::string_view value) {
  if (name == "resources") return read_resources(value, group);
  if (name == "member_of") return read_member_of(value, group);
  if (name == "required") {
    const bool is_read = read_traits(value, group.required_traits, group.forbidden_traits);
    return is_read ? Result<void>() : unread_form(name, value);
  }
  if (!is_uuid(value)) return unread_form(name, value);
  group.in_tree = value;
  return {};
}

Result<void> QuestionReader::read_resources(std::string_view value, QuestionGroup& group) {
  for (const auto item : split(value, ',')) {
    const auto colon = std::min(item.find(':'), item.size());
    const auto name = item.substr(0, colon);
    const auto amount = item.substr(std::min(colon + 1, item.size()));
    std::int64_t number = 0;
    const auto end = amount.data() + amount.size();
    if (!is_name(name) || amount.empty() || amount.size() > longest_amount || amount.front() == '-' ||
        std::from_chars(amount.data(), end, number).ptr != end)
      return unread_form("resources", value);
    if (number < 1) return refused_form("an amount of resources is less than 1");
    if (std::ranges::any_of(group.resources, [name](const auto& known) { return known.first == name; }))
      return unread_form("resources", value);
    group.resources.emplace_back(name, number);
  }
  return {};
}

Result<void> QuestionReader::read_member_of(std::string_view value, QuestionGroup& group) {
  auto list = value;
  const bool is_forbidden = list.starts_with('!');
  if (is_forbidden) list.remove_prefix(1);
  const bool has_prefix = list.starts_with("in:");
  if (has_prefix) list.remove_prefix(3);
  const auto uuids = split(list, ',');
  if (!std::ranges::all_of(uuids, is_uuid) || (!has_prefix && uuids.size() > 1)) return unread_form("member_of", value);
  if (is_forbidden) {
    group.forbidden_aggregates.insert(group.forbidden_aggregates.end(), uuids.begin(), uuids.end());
  } else {
    group.member_of.emplace_back(uuids.begin(), uuids.end());
  }
  return {};
}

Result<void> QuestionReader::read_same_subtree(std::string_view value) {
  const auto suffixes = split(value, ',');
  const auto is_sound = [](std::string_view suffix) { return !suffix.empty() && is_suffix(suffix); };
  if (!std::ranges::all_of(suffixes, is_sound)) return unread_form("same_subtree", value);
  question_.same_subtree.emplace_back(suffixes.begin(), suffixes.end());
  return {};
}

QuestionGroup& QuestionReader::group_of(std::string_view suffix) {
  const auto found = std::ranges::find(question_.groups, suffix, &QuestionGroup::suffix);
  if (found != question_.groups.end()) return *found;
  question_.groups.emplace_back().suffix = suffix;
  return question_.groups.back();
}

Result<void> QuestionReader::check() const {
  const auto& groups = question_.groups;
  std::set<std::string_view> named;
  for (const auto& suffixes : question_.same_subtree) named.insert(suffixes.begin(), suffixes.end());
  for (const auto& group : groups) {
    if (group.resources.empty() && !named.contains(group.suffix))
      return refused_form("group '" + group.suffix + "' has no resources and is not named by same_subtree");
    if (share_an_element(group.required_traits, group.forbidden_traits))
      return refused_form("group '" + group.suffix + "' requires and forbids one trait");
  }
  if (std::ranges::none_of(groups, [](const auto& group) { return !group.resources.empty(); }))
    return refused_form("no group has resources");
  for (const auto suffix : named) {
    if (std::ranges::find(groups, suffix, &QuestionGroup::suffix) == groups.end())
      return refused_form("same_subtree names '" + std::string(suffix) + "', which is no group");
  }
  if (share_an_element(question_.root_required, question_.root_forbidden))
    return refused_form("root_required requires and forbids one trait");
  const auto suffixed = std::ranges::count_if(groups, [](const auto& group) { return !group.suffix.empty(); });
  if (suffixed > 1 && !question_.group_policy) return refused_form("several suffixed groups, and no group_policy");
  return {};
}

}  // namespace

Result<CandidateQuestion> read_candidate_question(std::string_view query) {
  return QuestionReader().read(query);
}

}  // namespace gantry::nova

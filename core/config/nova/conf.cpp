// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/conf.hpp"

#include <utility>

#include "core/config/nova/nova_defaults.hpp"

namespace gantry::config::nova {

namespace {

constexpr unsigned deepest_reference = 32;
constexpr unsigned most_references = 1000;
constexpr std::size_t longest_value = std::size_t{1} << 20U;

bool is_name_start(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_name_part(char c) {
  return is_name_start(c) || c == '.' || (c >= '0' && c <= '9');
}

// The option's name behind a $ at the front of the text, and how much of the text it takes. Empty: there is none.
struct Reference {
  std::string_view name;
  std::size_t size = 0;
};
Reference reference_at(std::string_view text) {
  const bool in_braces = text.size() > 1 && text[1] == '{';
  const std::size_t begin = in_braces ? 2 : 1;
  if (begin >= text.size() || !is_name_start(text[begin])) return {};
  std::size_t end = begin;
  while (end < text.size() && is_name_part(text[end])) ++end;
  if (in_braces && (end == text.size() || text[end] != '}')) return {};
  return {text.substr(begin, end - begin), end + (in_braces ? 1 : 0)};
}

// A \$ is as good as $$. oslo.config replaces it before it looks for names.
std::string with_doubled_signs(std::string_view text) {
  std::string doubled(text);
  for (std::size_t at = 0; (at = doubled.find("\\$", at)) != std::string::npos; at += 2) doubled[at] = '$';
  return doubled;
}

Error unresolvable(const std::string& why) {
  return {ErrorCode::invalid_argument, why, ""};
}

}  // namespace

Conf::Conf(std::vector<ConfFile> files) : files_(std::move(files)), index_(files_.size()) {
  for (std::size_t file = 0; file < files_.size(); ++file)
    for (std::size_t number = 0; number < files_[file].assignments.size(); ++number) {
      const Assignment& one = files_[file].assignments[number];
      index_[file][{one.section, one.key}].push_back(number);
    }
}

std::optional<Conf::Raw> Conf::find_raw(const std::vector<OptionName>& names, bool multi) const {
  Raw raw;
  for (std::size_t file = files_.size(); file-- > 0;)
    for (const OptionName& name : names) {
      const auto numbers = index_[file].find({name.section, name.key});
      if (numbers == index_[file].end()) continue;
      const auto& assignments = files_[file].assignments;
      const Assignment& last = assignments[numbers->second.back()];
      if (raw.values.empty()) raw.place = {last.section, last.key, files_[file].name, last.line};
      if (!multi) {
        raw.values.push_back(last.value);
        return raw;
      }
      std::vector<std::string> values;
      values.reserve(numbers->second.size());
      for (const std::size_t number : numbers->second) values.push_back(assignments[number].value);
      raw.values.insert(raw.values.begin(), values.begin(), values.end());
    }
  if (raw.values.empty()) return std::nullopt;
  return raw;
}

Result<std::string> Conf::referred(std::string_view section, std::string_view name, Effort& left) const {
  std::vector<OptionName> names;
  const std::size_t dot = name.find('.');
  names.push_back(dot == std::string_view::npos ? OptionName{section, name}
                                                : OptionName{name.substr(0, dot), name.substr(dot + 1)});
  names.push_back({"DEFAULT", name});
  for (const OptionName& one : names) {
    // $DEFAULT.name names no group for Nova.
    if (name.starts_with("DEFAULT.")) break;
    const auto raw = find_raw({one}, false);
    const auto text = raw ? std::optional(raw->values.back()) : default_of(one.section, one.key);
    if (!text) continue;
    if (left.depth == 0) return unresolvable("expected references that end, found ones that go in a circle");
    if (left.references == 0) return unresolvable("expected at most 1000 references in a value, found more");
    --left.references;
    --left.depth;
    auto value = resolve(one.section, *text, left);
    ++left.depth;
    return value;
  }
  return unresolvable("expected options behind each $ that the files set, or that have a known default, found $" +
                      std::string(name) + "; write its value in its place, or $$ for a plain $");
}

Result<std::string> Conf::resolve(std::string_view section, std::string_view given, Effort& left) const {
  const std::string text = with_doubled_signs(given);
  std::string resolved;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    if (rest.starts_with("$$")) {
      resolved += '$';
      at += 2;
      continue;
    }
    const Reference reference = rest.front() == '$' ? reference_at(rest) : Reference{};
    if (reference.size == 0) {
      resolved += rest.front();
      ++at;
      continue;
    }
    auto value = referred(section, reference.name, left);
    if (!value) return std::move(value).error();
    resolved += *value;
    at += reference.size;
    if (resolved.size() > longest_value) return unresolvable("expected at most 1 MiB in a value, found more");
  }
  return resolved;
}

Result<std::optional<Found>> Conf::find(const std::vector<OptionName>& names, bool multi) const {
  auto raw = find_raw(names, multi);
  if (!raw) return std::optional<Found>();
  Found found{{}, raw->place};
  for (const std::string& value : raw->values) {
    Effort left{deepest_reference, most_references};
    auto resolved = resolve(raw->place.section, value, left);
    if (!resolved) return std::move(resolved).error();
    found.values.push_back(*std::move(resolved));
  }
  return std::optional<Found>(std::move(found));
}

std::optional<Place> Conf::place_of(const std::vector<OptionName>& names) const {
  auto raw = find_raw(names, false);
  if (!raw) return std::nullopt;
  return std::move(raw->place);
}

std::vector<Place> Conf::all() const {
  std::map<std::pair<std::string, std::string>, Place> last;
  for (const ConfFile& file : files_)
    for (const Assignment& one : file.assignments)
      last[{one.section, one.key}] = {one.section, one.key, file.name, one.line};
  std::vector<Place> places;
  places.reserve(last.size());
  for (auto& [name, place] : last) places.push_back(std::move(place));
  return places;
}

}  // namespace gantry::config::nova

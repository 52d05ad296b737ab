// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/documents/document_fields.hpp"

#include <algorithm>

#include "core/encoding/time.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::fleet {

namespace {

constexpr std::size_t longest_shown = 60;

// A value for people, not too much of it.
std::string shown(const json::value& value) {
  if (value.is_object() || value.is_array()) return std::string(json::type_name(value));
  auto text = json::write(value);
  if (text.size() > longest_shown) text = text.substr(0, longest_shown) + "...";
  return std::string(json::type_name(value)) + " " + text;
}

}  // namespace

void Fault::set(const std::string& place, std::string_view what) {
  if (is_set()) return;
  text_ = place.empty() ? std::string(what) : place + ": " + std::string(what);
}

std::string member_of(std::string_view place, std::string_view key) {
  std::string text(place);
  return text.append(text.empty() ? "" : ".").append(key);
}

std::string element_of(std::string_view place, std::size_t index) {
  return std::string(place) + "[" + std::to_string(index) + "]";
}

void Fields::complain(const std::string& place, std::string_view expected, const json::value& found) const {
  fault_.set(place, "expected " + std::string(expected) + ", found " + shown(found));
}

bool Fields::has(std::string_view key) {
  known_.push_back(key);
  return json::find(object_, key) != nullptr;
}

const json::value* Fields::wanted(std::string_view key, boost::json::kind kind, std::string_view expected) {
  if (!has(key)) return nullptr;
  const auto* value = json::find(object_, key);
  if (value->kind() == kind) return value;
  complain(place_of(key), expected, *value);
  return nullptr;
}

std::string Fields::checked(std::string_view text, const std::string& place, TextKind kind) const {
  if (const auto wrong = fault_of(kind, text); !wrong.empty()) fault_.set(place, wrong);
  return std::string(text);
}

std::string Fields::text(std::string_view key, std::string_view otherwise, TextKind kind) {
  const auto* value = wanted(key, boost::json::kind::string, "text");
  return value == nullptr ? std::string(otherwise) : checked(value->get_string(), place_of(key), kind);
}

std::string Fields::required_text(std::string_view key) {
  auto found = text(key);
  if (found.empty()) fault_.set(place_of(key), has(key) ? "expected text, found none" : "missing; expected text");
  return found;
}

std::string Fields::one_of(std::string_view key, std::initializer_list<std::string_view> texts,
                           std::string_view otherwise) {
  auto found = text(key, otherwise);
  if (std::find(texts.begin(), texts.end(), found) != texts.end() || fault_.is_set()) return found;
  std::string expected;
  for (const auto known : texts) expected.append(expected.empty() ? "" : ", ").append(known);
  fault_.set(place_of(key), (has(key) ? "expected one of " : "missing; expected one of ") + expected +
                                (has(key) ? ", found '" + found + "'" : ""));
  return found;
}

std::string Fields::required_uuid(std::string_view key) {
  const auto found = required_text(key);
  if (const auto uuid = parse_uuid(found)) return to_text(*uuid);
  fault_.set(place_of(key), "expected a UUID, found '" + found + "'");
  return {};
}

bool Fields::truth(std::string_view key) {
  const auto* value = wanted(key, boost::json::kind::bool_, "true or false");
  return value != nullptr && value->get_bool();
}

std::int64_t Fields::integer(std::string_view key, std::int64_t least) {
  if (!has(key)) return 0;
  const auto found = json::find_integer(object_, key);
  if (found && *found >= least) return *found;
  complain(place_of(key), "a whole number of at least " + std::to_string(least), *json::find(object_, key));
  return 0;
}

std::optional<double> Fields::number(std::string_view key, double least, double most) {
  if (!has(key)) return std::nullopt;
  const auto found = json::find_number(object_, key);
  if (found && *found >= least && *found <= most) return found;
  complain(place_of(key), "a number from " + json::write(json::value(least)) + " to " + json::write(json::value(most)),
           *json::find(object_, key));
  return std::nullopt;
}

Nanoseconds Fields::time(std::string_view key, Nanoseconds otherwise) {
  if (!has(key)) return otherwise;
  const auto* value = json::find(object_, key);
  const auto found = value->is_string() ? parse_time(std::string_view(value->get_string())) : std::nullopt;
  if (!found) complain(place_of(key), "a time such as \"2026-11-21T09:00:00Z\"", *value);
  return found.value_or(otherwise);
}

json::object Fields::object(std::string_view key) {
  const auto* value = wanted(key, boost::json::kind::object, "an object");
  return value == nullptr ? json::object() : value->get_object();
}

std::map<std::string, std::string> Fields::texts_by_key(std::string_view key) {
  std::map<std::string, std::string> texts;
  for (const auto& [name, value] : object(key)) {
    const auto place = member_of(place_of(key), name);
    if (value.is_string())
      texts.emplace(checked(name, place, TextKind::name), checked(value.get_string(), place, TextKind::sentence));
    else
      complain(place, "text", value);
  }
  return texts;
}

std::vector<std::string> Fields::texts(std::string_view key) {
  std::vector<std::string> texts;
  const auto* value = wanted(key, boost::json::kind::array, "a list of texts");
  if (value == nullptr) return texts;
  const auto& list = value->get_array();
  texts.reserve(list.size());
  for (std::size_t at = 0; at < list.size(); ++at) {
    if (list[at].is_string())
      texts.push_back(checked(list[at].get_string(), element_of(place_of(key), at), TextKind::name));
    else
      complain(element_of(place_of(key), at), "text", list[at]);
  }
  return texts;
}

void Fields::refuse_others() const {
  if (fault_.is_set()) return;
  for (const auto& [key, value] : object_) {
    if (std::find(known_.begin(), known_.end(), std::string_view(key)) != known_.end()) continue;
    auto names = known_;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string known;
    for (const auto name : names) known.append(known.empty() ? "" : ", ").append(name);
    fault_.set(place_of(key), "no such key; there are " + known);
    return;
  }
}

}  // namespace gantry::fleet

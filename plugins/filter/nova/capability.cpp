// SPDX-License-Identifier: Apache-2.0
#include "nova/capability.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "python/blanks.hpp"
#include "python/python_json.hpp"
#include "python/python_text.hpp"

namespace filter_driver {
namespace {

const boost::json::value* member(const boost::json::value* value, std::string_view name) {
  return value != nullptr && value->is_object() ? value->get_object().if_contains(name) : nullptr;
}

bool is_none(const boost::json::value* value) {
  return value == nullptr || value->is_null();
}

// Returns the value at the end of the path. nullptr: the path leads through None or a missing name. `decoded` owns
// values that were parsed from JSON.
const boost::json::value* found(const attributes& host, const std::vector<std::string>& path, bool reads_json,
                                boost::json::value& decoded) {
  const boost::json::value* value = host.find(path.front());
  // In Nova the service's record is an object, not a dict, so its keys cannot be looked up.
  if (!is_none(value) && path.front() == "service" && path.size() > 1) return nullptr;
  if (is_none(value)) value = member(host.find("stats"), path.front());
  for (std::size_t level = 1; level < path.size() && !is_none(value); ++level) {
    if (reads_json && value->is_string()) {
      outcome<boost::json::value> read = read_json(value->get_string());
      if (!read.ok()) return nullptr;
      decoded = std::move(read.value());  // the text is not needed any longer
      value = &decoded;
    }
    value = member(value, path[level]);
  }
  return is_none(value) ? nullptr : value;
}

}  // namespace

capability_requirements::capability_requirements(const boost::json::object& extra_specs, release release)
    : release_(release) {
  requirements_.reserve(extra_specs.size());
  for (const auto& [key, wanted] : extra_specs) {
    const std::vector<std::string_view> parts = parts_of(key, ':');
    const bool scoped = parts.size() > 1;
    if (scoped && parts.front() != "capabilities") continue;
    const std::string_view text = wanted.is_string() ? std::string_view(wanted.get_string()) : std::string_view();
    requirements_.push_back({{parts.begin() + (scoped ? 1 : 0), parts.end()},
                             scoped,
                             wanted.is_string(),
                             std::string(type_name(wanted)),
                             extra_specs_requirement(text, release)});
  }
}

outcome<bool> capability_requirements::meets(const attributes& host, const requirement& asked) const {
  const std::string& name = asked.path.front();
  const bool known = host.find(name) != nullptr || member(host.find("stats"), name) != nullptr;
  if (!asked.scoped && release_->ignores_unknown_capabilities && !known) return true;
  boost::json::value decoded;
  const boost::json::value* const value = found(host, asked.path, release_->reads_json_in_capabilities, decoded);
  if (value == nullptr) return false;
  if (!asked.is_text) {
    return raised{"AttributeError", "'" + asked.type + "' object has no attribute 'split'"};
  }
  return asked.wanted.met_by(str_of(*value));
}

outcome<bool> capability_requirements::met_by(const attributes& host) const {
  for (const requirement& asked : requirements_) {
    outcome<bool> met = meets(host, asked);
    if (!met.ok() || !met.value()) return met;
  }
  return true;
}

std::optional<std::string> capability_requirements::first_value(const attributes& host) const {
  boost::json::value decoded;
  const auto* const value = found(host, requirements_.front().path, release_->reads_json_in_capabilities, decoded);
  return value == nullptr ? std::nullopt : std::optional(str_of(*value));
}

std::string capability_requirements::first_path() const {
  std::string path;
  for (const auto& name : requirements_.front().path) path += (path.empty() ? "" : ":") + name;
  return path;
}

std::vector<std::string> capability_requirements::reads() const {
  std::vector<std::string> names;
  names.reserve(requirements_.size() + 1);
  for (const requirement& asked : requirements_) names.push_back(asked.path.front());
  if (!names.empty()) names.emplace_back("stats");
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace filter_driver

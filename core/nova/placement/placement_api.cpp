// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/placement_api.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/nova/http/http_address.hpp"

namespace gantry::nova {

namespace {

constexpr std::size_t quoted_bytes = 300;

using Version = std::pair<unsigned, unsigned>;

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.first);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.second);
  if (minor.ec != std::errc() || minor.ptr != end) return std::nullopt;
  return version;
}

Error no_versions(std::string found) {
  return {ErrorCode::unavailable, "placement's microversions: " + std::move(found), ""};
}

Result<void> check_range(const json::object& version) {
  const auto least = json::find_string(version, "min_version").value_or("");
  const auto most = json::find_string(version, "max_version").value_or("");
  const auto from = parse_version(least);
  const auto to = parse_version(most);
  if (!from || !to) return no_versions("expected min_version and max_version, found none that can be read");
  for (const auto needed : {microversion::allocations, microversion::claims}) {
    const auto number = parse_version(needed);
    if (*from <= *number && *number <= *to) continue;
    return Error{ErrorCode::failed_precondition,
                 "expected that placement has microversion " + std::string(needed) + ", found " + std::string(least) +
                     " to " + std::string(most),
                 ""};
  }
  return {};
}

Result<void> check_versions(const HttpOutcome& outcome) {
  if (!outcome.is_answered() || outcome.status != 200) return no_versions(words_of(outcome));
  const auto body = json::parse_object(outcome.body);
  if (!body) return no_versions(body.error().message);
  const auto* const versions = json::find_array(*body, "versions");
  if (versions == nullptr || versions->empty() || !versions->front().is_object())
    return no_versions("expected a list of versions, found none");
  return check_range(versions->front().get_object());
}

}  // namespace

std::string allocations_path(std::string_view consumer) {
  return "/allocations/" + part_of_target(consumer);
}

PlacementError read_placement_error(const HttpOutcome& outcome) {
  if (const auto body = json::parse_object(outcome.body)) {
    const auto* const errors = json::find_array(*body, "errors");
    if (errors != nullptr && !errors->empty() && errors->front().is_object()) {
      const auto& error = errors->front().get_object();
      return {std::string(json::find_string(error, "code").value_or("")),
              std::string(json::find_string(error, "detail").value_or(""))};
    }
  }
  return {"", outcome.body.substr(0, quoted_bytes)};
}

std::string words_of(const HttpOutcome& outcome) {
  if (!outcome.is_answered()) return "placement gave no answer: " + outcome.reason;
  std::string words = "placement answered " + std::to_string(outcome.status);
  const auto error = read_placement_error(outcome);
  return error.detail.empty() ? words : words + ": " + error.detail;
}

void check_microversions(PlacementApi& api, Clock::time_point deadline, std::function<void(Result<void>)> done) {
  api.call({"GET", "/", "", "", "", deadline},
           [done = std::move(done)](const HttpOutcome& outcome) { done(check_versions(outcome)); });
}

}  // namespace gantry::nova

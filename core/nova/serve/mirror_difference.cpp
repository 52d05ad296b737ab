// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/mirror_difference.hpp"

#include <string_view>
#include <vector>

namespace gantry::nova {

namespace {

constexpr std::string_view comma = "%2C";

std::optional<MirrorDifference> lack_of(const CandidateSet& some, const CandidateSet& others, bool is_in_mirror) {
  for (const auto& provider : some.seen_providers()) {
    if (!others.is_seen(provider)) return MirrorDifference{provider, is_in_mirror, true};
    if (some.is_claimable(provider) && !others.is_claimable(provider))
      return MirrorDifference{provider, is_in_mirror, false};
  }
  return std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(mark);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + mark.size());
  }
}

std::string join_without(const std::vector<std::string_view>& parts, std::size_t left_out, std::string_view mark) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == left_out) continue;
    if (!text.empty()) text += mark;
    text += parts[i];
  }
  return text;
}

// Leaves out one resource of a parameter after the other.
std::string rule_of_resources(const std::vector<std::string_view>& parameters, std::size_t at,
                              const std::function<bool(const std::string& query)>& has) {
  const auto equals = parameters[at].find('=');
  const auto name = parameters[at].substr(0, equals + 1);
  const auto resources = split(parameters[at].substr(equals + 1), comma);
  for (std::size_t i = 0; resources.size() > 1 && i < resources.size(); ++i) {
    const auto shorter = std::string(name) + join_without(resources, i, comma);
    auto others = parameters;
    others[at] = shorter;
    if (has(join_without(others, others.size(), "&"))) return std::string(name) + std::string(resources[i]);
  }
  return {};
}

}  // namespace

std::optional<MirrorDifference> difference_of(const CandidateSet& mirrored, const CandidateSet& asked, bool is_cut) {
  if (auto lack = lack_of(asked, mirrored, false)) return lack;
  return is_cut ? std::nullopt : lack_of(mirrored, asked, true);
}

std::string text_of(const MirrorDifference& difference) {
  return "provider " + difference.provider + (difference.is_seen ? " is seen in " : " can be claimed in ") +
         (difference.is_in_mirror ? "the mirror alone" : "placement's answer alone");
}

std::string rule_of(const std::string& query, const std::function<bool(const std::string& query)>& has) {
  const auto parameters = split(query, "&");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].starts_with("limit=")) continue;
    if (parameters[i].starts_with("resources")) {
      if (auto rule = rule_of_resources(parameters, i, has); !rule.empty()) return rule;
      continue;
    }
    if (has(join_without(parameters, i, "&"))) return std::string(parameters[i]);
  }
  return "the groups together";
}

}  // namespace gantry::nova

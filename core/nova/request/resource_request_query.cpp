// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/nova/request/resource_request.hpp"

namespace gantry::nova {

namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::string comma_list(const std::vector<std::string>& items) {
  std::string list;
  for (std::size_t at = 0; at < items.size(); ++at) list += (at == 0 ? "" : ",") + items[at];
  return list;
}

std::string sorted_list(std::vector<std::string> items) {
  std::sort(items.begin(), items.end());
  return comma_list(items);
}

std::string trait_list(const std::set<std::string>& required, const std::set<std::string>& forbidden) {
  std::vector<std::string> traits(required.begin(), required.end());
  for (const auto& trait : forbidden) traits.push_back("!" + trait);
  return comma_list(traits);
}

std::string resource_list(const RequestGroup& group) {
  std::vector<std::string> items;
  for (const auto& [resource_class, amount] : group.resources) items.push_back(resource_class + ":" + amount);
  return sorted_list(std::move(items));
}

void add_group(const std::string& suffix, const RequestGroup& group, Parameters& parameters) {
  parameters.emplace_back("resources" + suffix, resource_list(group));
  if (auto traits = trait_list(group.required_traits, group.forbidden_traits); !traits.empty())
    parameters.emplace_back("required" + suffix, std::move(traits));
  for (const auto& any : group.aggregates) parameters.emplace_back("member_of" + suffix, "in:" + sorted_list(any));
  if (group.in_tree && !group.in_tree->empty()) parameters.emplace_back("in_tree" + suffix, *group.in_tree);
  if (!group.forbidden_aggregates.empty())
    parameters.emplace_back("member_of" + suffix, "!in:" + sorted_list({group.forbidden_aggregates.begin(),
                                                                        group.forbidden_aggregates.end()}));
}

void append_encoded(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  constexpr std::string_view marks = "_.-~";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                         marks.find(c) != std::string_view::npos;
    if (is_safe) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += hex[byte >> 4U];
      out += hex[byte & 15U];
    }
  }
}

Parameters parameters_of(const ResourceRequest& request) {
  Parameters parameters;
  if (request.limit) parameters.emplace_back("limit", std::to_string(*request.limit));
  if (request.group_policy) parameters.emplace_back("group_policy", *request.group_policy);
  if (!request.root_required.empty() || !request.root_forbidden.empty())
    parameters.emplace_back("root_required", trait_list(request.root_required, request.root_forbidden));
  for (const auto& suffixes : request.same_subtree) parameters.emplace_back("same_subtree", sorted_list(suffixes));
  for (const auto& [suffix, group] : request.groups) add_group(suffix, group, parameters);
  std::sort(parameters.begin(), parameters.end());
  return parameters;
}

}  // namespace

std::string query_string(const ResourceRequest& request) {
  std::string query;
  for (const auto& [name, value] : parameters_of(request)) {
    if (!query.empty()) query += '&';
    append_encoded(query, name);
    query += '=';
    append_encoded(query, value);
  }
  return query;
}

}  // namespace gantry::nova

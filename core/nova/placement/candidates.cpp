// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/candidates.hpp"

#include <algorithm>
#include <boost/json/monotonic_resource.hpp>
#include <optional>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/nova/placement/allocations.hpp"

namespace gantry::nova {

namespace {

Error broken(const std::string& where, const std::string& expected) {
  return {ErrorCode::unavailable, "placement's candidates: " + where + ": expected " + expected, ""};
}

bool is_list_of_texts(const json::value& value) {
  const auto* const elements = value.if_array();
  if (elements == nullptr) return false;
  return std::all_of(elements->begin(), elements->end(), [](const auto& element) { return element.is_string(); });
}

// nullopt: the request is sound.
std::optional<Error> fault_of_request(const json::value& element, const std::string& where) {
  const auto* const request = element.if_object();
  if (request == nullptr) return broken(where, "an object, found a " + std::string(json::type_name(element)));
  const auto* const allocations = json::find_object(*request, "allocations");
  if (allocations == nullptr || allocations->empty() || !are_allocations(*allocations))
    return broken(where + ".allocations", "an object of providers with resources, found another value or none");
  const auto* const mappings = json::find(*request, "mappings");
  if (mappings == nullptr) return std::nullopt;
  const auto* const groups = mappings->if_object();
  const auto is_group = [](const auto& member) { return is_list_of_texts(member.value()); };
  if (groups == nullptr || !std::all_of(groups->begin(), groups->end(), is_group))
    return broken(where + ".mappings", "an object of lists of providers, found another value");
  return std::nullopt;
}

// The provider that serves a group with a suffix, in an allocation request. Empty: none.
std::string_view server_of(const json::object& request, std::string_view group) {
  const auto* const mappings = json::find_object(request, "mappings");
  const auto* const servers = mappings == nullptr ? nullptr : json::find_array(*mappings, group);
  if (servers == nullptr || servers->empty() || !servers->front().is_string()) return {};
  return std::string_view(servers->front().get_string());
}

}  // namespace

Result<Candidates> Candidates::read(std::string_view body) {
  boost::json::monotonic_resource memory;
  const auto parsed = json::parse_object_into(&memory, body);
  if (!parsed) return Error(parsed.error()).within("placement's candidates");
  const auto* const requests = json::find_array(*parsed, "allocation_requests");
  if (requests == nullptr) return broken("allocation_requests", "a list, found another value or none");
  const auto* const summaries = json::find_object(*parsed, "provider_summaries");
  if (summaries == nullptr) return broken("provider_summaries", "an object, found another value or none");
  Candidates candidates;
  candidates.requests_.reserve(requests->size());
  for (const auto& element : *requests) {
    const auto number = static_cast<std::uint32_t>(candidates.requests_.size());
    if (auto fault = fault_of_request(element, "allocation_requests[" + std::to_string(number) + "]"))
      return *std::move(fault);
    for (const auto& allocation : element.get_object().at("allocations").get_object())
      candidates.by_provider_[allocation.key()].push_back(number);
    candidates.requests_.push_back(json::write(element));
  }
  for (const auto& summary : *summaries) candidates.seen_.emplace(summary.key());
  return candidates;
}

std::string Candidates::request_of(std::string_view provider) const {
  const auto requests = requests_of(provider);
  return requests.empty() ? std::string() : std::string(requests.front());
}

std::string Candidates::request_of(std::string_view provider, const ChosenProviders& chosen) const {
  for (const auto request : requests_of(provider)) {
    const auto parsed = json::parse_object(request);
    if (parsed && std::all_of(chosen.begin(), chosen.end(),
                              [&parsed](const auto& each) { return server_of(*parsed, each.first) == each.second; }))
      return std::string(request);
  }
  return {};
}

void Candidates::each_choices(std::string_view provider, const std::vector<std::string>& groups,
                              const std::function<void(const CandidateChoices&)>& visit) const {
  for (const auto request : requests_of(provider)) {
    const auto parsed = json::parse_object(request);
    if (!parsed) continue;
    CandidateChoices choices;
    for (const auto& group : groups) {
      const auto server = server_of(*parsed, group);
      if (server.empty()) break;
      choices.groups.push_back({static_cast<std::uint32_t>(choices.providers.size()), 1});
      choices.providers.push_back({server});
    }
    if (choices.groups.size() == groups.size()) visit(choices);
  }
}

std::vector<std::string_view> Candidates::requests_of(std::string_view provider) const {
  std::vector<std::string_view> found;
  if (const auto entry = by_provider_.find(provider); entry != by_provider_.end()) {
    for (const auto number : entry->second) found.emplace_back(requests_[number]);
  }
  return found;
}

}  // namespace gantry::nova

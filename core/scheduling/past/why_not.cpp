// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/past/why_not.hpp"

#include <algorithm>
#include <vector>

namespace gantry::scheduling {

namespace {

const json::object* explanation_in(const json::value& instances, std::size_t index) {
  if (!instances.is_array() || index >= instances.get_array().size()) return nullptr;
  const auto* hosts = json::find_array(instances.get_array()[index].get_object(), "hosts");
  if (hosts == nullptr || hosts->empty()) return nullptr;
  return &hosts->front().get_object();
}

// A host that was rejected for an instance is explained for no later one.
const json::object* explanation_of(const HostQuestion& question) {
  for (auto index = question.instance.value_or(0);; --index) {
    const auto* found = explanation_in(question.explanations, index);
    if (found != nullptr || index == 0) return found;
  }
}

std::string rejection_of(const json::object& explanation) {
  const auto rejected_by = json::find_string(explanation, "rejected_by");
  if (!rejected_by) return {};
  std::string sentence(*rejected_by);
  if (const auto* verdicts = json::find_array(explanation, "verdicts")) {
    for (const auto& verdict : *verdicts) {
      const auto& object = verdict.get_object();
      const auto reason = json::find_string(object, "reason");
      if (json::find_string(object, "name") == rejected_by && reason) sentence.append(": ").append(*reason);
    }
  }
  return sentence;
}

std::string weight_text(double weight) {
  auto text = json::write(json::value(weight));
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string server_name(const fleet::Fleet& fleet, const PastDecision& past, std::uint32_t instance) {
  const auto* uuids = json::find_array(past.record, "instance_uuids");
  if (uuids == nullptr || instance >= uuids->size())
    return "server " + std::to_string(instance + 1) + " of the request";
  const std::string uuid(std::string_view((*uuids)[instance].get_string()));
  const auto known = fleet.instance(uuid);
  return known && !known->name.empty() ? known->name : uuid;
}

// The servers of the request that went to the host: "two-2", "two-2 and 4 more". Empty if none did.
std::string servers_on(const fleet::Fleet& fleet, const HostQuestion& question) {
  std::string first;
  std::size_t count = 0;
  for (const auto& pick : past_hosts(question.past, "picks")) {
    if (pick.row != question.row) continue;
    if (count++ == 0) first = server_name(fleet, question.past, pick.instance);
  }
  return count > 1 ? first + " and " + std::to_string(count - 1) + " more" : first;
}

std::string passed(const HostQuestion& question, const json::object& explanation) {
  const auto rank = json::find_integer(explanation, "rank");
  const auto weight = json::find_number(explanation, "weight");
  const auto picks = past_hosts(question.past, "picks");
  const auto pick = std::find_if(picks.begin(), picks.end(), [&question](const PastHost& each) {
    return !question.instance || each.instance == *question.instance;
  });
  std::string sentence = "it passed every filter";
  if (rank) sentence += " and came in place " + std::to_string(*rank + 1);
  if (weight) sentence += ", with the weight " + weight_text(*weight);
  if (pick == picks.end() || !pick->weight) return sentence;
  const bool is_equal = weight && *weight == *pick->weight;
  return sentence + "; " + pick->host +
         (is_equal ? " had the same weight and was taken first" : " was chosen with " + weight_text(*pick->weight));
}

// Empty unless the decision avoided the host because it fails builds of the request's kind.
std::string why_avoided(const HostQuestion& question) {
  const auto* steps = json::find_array(question.past.record, "steps");
  if (steps == nullptr || steps->empty()) return {};
  const auto& last = steps->back().get_array();
  if (std::string_view(last.at(0).get_string()) != build_failures_step) return {};
  const std::string reason(std::string_view(last.at(3).get_string()));
  const auto name = question.request.at->moment.row_name(*question.request.at->moment.view("compute"), question.row);
  return reason.find(std::string(name.host) + " failed ") == std::string::npos ? std::string() : reason;
}

// Whether the row stands in the list for the server that is asked about.
bool is_among(const HostQuestion& question, std::string_view list) {
  const auto hosts = past_hosts(question.past, list);
  return std::any_of(hosts.begin(), hosts.end(), [&question](const PastHost& host) {
    return host.row == question.row && (!question.instance || host.instance == *question.instance);
  });
}

}  // namespace

WhyNot why_not_chosen(const fleet::Fleet& fleet, const HostQuestion& question) {
  const auto& [past, request, row, instance, explanations] = question;
  const auto* explanation = explanation_of(question);
  const auto there = past.number("num_instances") > 1 ? servers_on(fleet, question) : std::string();
  if (is_among(question, "picks"))
    return {"chosen", instance || there.empty() ? "it was chosen" : "it was chosen for " + there, explanation};
  if (request.bounds && ((request.bounds->eligible[row / 64] >> (row % 64)) & 1) == 0)
    return {"not_eligible", "it was not among the hosts that could be used: " + request.bounds->reason, explanation};
  if (const auto why = why_avoided(question); !why.empty() && is_among(question, "lost"))
    return {"lost", "it was passed over: " + why, explanation};
  if (is_among(question, "lost"))
    return {"lost", "it was picked, and its claim did not hold: others had taken the room", explanation};
  const auto name = request.at->moment.row_name(*request.at->moment.view("compute"), row);
  const auto went_there = there.empty() ? std::string() : "; " + std::string(name.host) + " went to " + there;
  if (explanation == nullptr)
    return {"not_explained", "driver " + past.text("driver") + " does not tell of single hosts" + went_there, nullptr};
  if (const auto rejection = rejection_of(*explanation); !rejection.empty())
    return {"rejected", rejection + went_there, explanation};
  return {"passed", passed(question, *explanation) + went_there, explanation};
}

}  // namespace gantry::scheduling

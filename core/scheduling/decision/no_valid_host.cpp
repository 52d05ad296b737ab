// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/no_valid_host.hpp"

#include <algorithm>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {

Step to_step(const gantry_step& step) {
  Step result{std::string(drivers::from_abi(step.name)),
              step.hosts_in,
              step.hosts_out,
              std::string(drivers::from_abi(step.reason)),
              {}};
  if (step.instance != UINT32_MAX) result.instance = step.instance;
  return result;
}

json::array steps_json(const std::vector<Step>& steps) {
  json::array result;
  for (const auto& step : steps) {
    json::object item{{"name", step.name}, {"hosts_in", step.hosts_in}, {"hosts_out", step.hosts_out}};
    if (!step.reason.empty()) item["reason"] = step.reason;
    if (step.instance) item["instance"] = *step.instance;
    result.push_back(std::move(item));
  }
  return result;
}

std::string no_valid_host_reason(std::string_view driver_sentence, const std::string& refusal,
                                 const std::vector<Step>& steps) {
  if (!driver_sentence.empty()) return std::string(driver_sentence);
  if (!refusal.empty()) return refusal;
  const auto last = std::find_if(steps.begin(), steps.end(), [](const Step& step) { return step.hosts_out == 0; });
  if (last == steps.end()) return {};
  auto reason = last->name + (last->hosts_in == 1 ? " left out the only host"
                                                  : " left none of " + std::to_string(last->hosts_in) + " hosts");
  if (!last->reason.empty()) reason += " (" + last->reason + ")";
  return reason;
}

Error no_valid_host(json::object decided_by, const std::string& reason, const std::vector<Step>& steps,
                    const HostExplanations* explanations) {
  auto details = std::move(decided_by);
  details["reason"] = reason;
  details["steps"] = steps_json(steps);
  return {ErrorCode::no_valid_host,
          reason.empty() ? std::string("No valid host was found.") : "No valid host was found. " + reason,
          with_host_explanations(details, explanations)};
}

}  // namespace gantry::scheduling

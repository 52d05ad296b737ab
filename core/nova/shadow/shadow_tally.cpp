// SPDX-License-Identifier: Apache-2.0
#include "core/nova/shadow/shadow_tally.hpp"

#include <utility>

namespace gantry::nova {

void ShadowTally::note(ShadowedRequest request) {
  const std::lock_guard lock(mutex_);
  ++counts_[static_cast<std::size_t>(request.verdict.agreement)];
  if (request.verdict.cause.empty()) return;
  ++causes_[std::string(name_of(request.verdict.agreement)) + ": " + request.verdict.cause];
  if (request.verdict.agreement != Agreement::differed) return;
  differences_.push_front(std::move(request));
  if (differences_.size() > most_differences) differences_.pop_back();
}

json::object ShadowTally::status() const {
  const std::lock_guard lock(mutex_);
  json::object status;
  for (std::size_t i = 0; i < counts_.size(); ++i) status[name_of(static_cast<Agreement>(i))] = counts_[i];
  json::array causes;
  for (const auto& [cause, requests] : causes_)
    causes.push_back(json::object{{"cause", cause}, {"requests", requests}});
  status["causes"] = std::move(causes);
  json::array differences;
  for (const auto& each : differences_)
    differences.push_back(json::object{{"time", each.time},
                                       {"instance", each.instance},
                                       {"nova", each.nova},
                                       {"gantry", each.gantry},
                                       {"cause", each.verdict.cause},
                                       {"file", each.file}});
  status["differences"] = std::move(differences);
  return status;
}

}  // namespace gantry::nova

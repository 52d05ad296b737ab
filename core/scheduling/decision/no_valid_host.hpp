// SPDX-License-Identifier: Apache-2.0
//
// Why no host was found: the steps in which a driver narrowed the hosts, and the NoValidHost error that lists the
// steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/scheduling/decision/host_explanations.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

// One step of a driver, for example a filter: how many hosts went in and came out.
struct Step {
  std::string name;
  std::uint64_t hosts_in = 0;
  std::uint64_t hosts_out = 0;
  std::string reason;
  std::optional<std::uint32_t> instance;  // index of an instance; nullopt: all instances of the request
};

// The name of the step about hosts that were passed over because they fail builds of the request's kind.
inline constexpr std::string_view build_failures_step = "build_failures";

Step to_step(const gantry_step& step);
json::array steps_json(const std::vector<Step>& steps);

// Returns the sentence to follow "No valid host was found.". This is the driver's own sentence, else `refusal` (the
// driver's reason for one instance), else a sentence on the step that removed the last host. Empty if there is none.
std::string no_valid_host_reason(std::string_view driver_sentence, const std::string& refusal,
                                 const std::vector<Step>& steps);
// Returns the error. `decided_by` has the driver's id as `driver`, and what else the details tell of the choice. `reason` is a result of no_valid_host_reason. `explanations` may be
// nullptr.
Error no_valid_host(json::object decided_by, const std::string& reason, const std::vector<Step>& steps,
                    const HostExplanations* explanations = nullptr);

}  // namespace gantry::scheduling

// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file/refusal.hpp"

#include <utility>

namespace gantry::drivers {

Error refuse(std::string_view path, const Refusal& refusal) {
  std::string message(path);
  message.append(": ").append(refusal.rule);
  message.append(": expected ").append(refusal.expected);
  message.append(", found ").append(refusal.found);
  if (!refusal.advice.empty()) message.append("; ").append(refusal.advice);
  return Error{ErrorCode::invalid_configuration, std::move(message), {}};
}

Error joined(const std::vector<Error>& problems) {
  Error all = problems.front();
  for (std::size_t index = 1; index < problems.size(); ++index)
    all.message.append("\n").append(problems[index].message);
  return all;
}

}  // namespace gantry::drivers

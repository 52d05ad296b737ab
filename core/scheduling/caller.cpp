// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/caller.hpp"

#include <algorithm>
#include <array>

namespace gantry::scheduling {

namespace {

constexpr std::array<std::string_view, 4> role_names{"reader", "service", "agent", "admin"};

}  // namespace

std::string_view name_of(Role role) {
  return role_names.at(static_cast<std::size_t>(role));
}

std::optional<Role> role_from(std::string_view name) {
  const auto* const found = std::find(role_names.begin(), role_names.end(), name);
  if (found == role_names.end()) return std::nullopt;
  return static_cast<Role>(found - role_names.begin());
}

}  // namespace gantry::scheduling

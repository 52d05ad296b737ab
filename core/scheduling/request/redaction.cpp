// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/redaction.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gantry::scheduling {

namespace {

// Keys of Nova's instances and requests.
constexpr std::array<std::string_view, 16> keys_of_users{"block_device_mapping",
                                                         "display_description",
                                                         "instance_metadata",
                                                         "key_data",
                                                         "keypairs",
                                                         "metadata",
                                                         "personality",
                                                         "requested_networks",
                                                         "root_device_name",
                                                         "scheduler_hints",
                                                         "security_groups",
                                                         "system_metadata",
                                                         "tags",
                                                         "trusted_certs",
                                                         "user_data",
                                                         "vendor_data"};

json::value value_without_user_content(const json::value& value) {
  if (value.is_object()) return without_user_content(value.get_object());
  if (!value.is_array()) return value;
  json::array list;
  for (const auto& item : value.get_array()) list.push_back(value_without_user_content(item));
  return list;
}

// Says nothing of a user.
bool is_empty(const json::value& value) {
  return value.is_null() || (value.is_object() && value.get_object().empty()) ||
         (value.is_array() && value.get_array().empty());
}

}  // namespace

json::object without_user_content(const json::object& object) {
  json::object result;
  for (const auto& [key, value] : object) {
    const bool is_of_user = std::ranges::binary_search(keys_of_users, std::string_view(key));
    result.emplace(key, is_of_user && !is_empty(value) ? json::value("(redacted)") : value_without_user_content(value));
  }
  return result;
}

}  // namespace gantry::scheduling

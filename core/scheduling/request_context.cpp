// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request_context.hpp"

#include <algorithm>
#include <array>

#include "core/drivers/text.hpp"

namespace gantry::scheduling {

namespace {

// However a key is written: admin_pass, adminPass and X-Admin-Pass are one.
bool is_secret(std::string_view key) {
  constexpr std::array<std::string_view, 11> words{
      "token",   "password",  "passwd",        "secret",       "privatekey",        "credential",
      "catalog", "adminpass", "injectedfiles", "transporturl", "databaseconnection"};
  std::string letters;
  for (const char c : key) {
    if (c == '_' || c == '-' || c == '.' || c == ' ') continue;
    letters.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return std::any_of(words.begin(), words.end(),
                     [&letters](std::string_view word) { return letters.find(word) != std::string::npos; });
}

json::value value_without_secrets(const json::value& value) {
  if (value.is_object()) return without_secrets(value.get_object());
  if (!value.is_array()) return value;
  json::array list;
  for (const auto& item : value.get_array()) list.push_back(value_without_secrets(item));
  return list;
}

std::string text_of(const json::object& context, std::string_view key, std::string_view older_key = {}) {
  if (const auto text = json::find_string(context, key)) return std::string(*text);
  if (older_key.empty()) return {};
  return std::string(json::find_string(context, older_key).value_or(""));
}

}  // namespace

json::object without_secrets(const json::object& object) {
  json::object result;
  for (const auto& member : object) {
    if (!is_secret(member.key())) result.emplace(member.key(), value_without_secrets(member.value()));
  }
  return result;
}

RequestContext::RequestContext(const json::object& context, std::string_view request_id)
    : request_id_(request_id),
      user_id_(text_of(context, "user_id", "user")),
      project_id_(text_of(context, "project_id", "tenant")),
      remote_address_(text_of(context, "remote_address")),
      text_(json::write(without_secrets(context))) {
  if (const auto* roles = json::find_array(context, "roles")) {
    for (const auto& role : *roles) {
      if (role.is_string()) roles_.emplace_back(std::string_view(role.get_string()));
    }
  }
  for (const auto& role : roles_) role_views_.push_back(drivers::to_abi(role));
  view_.struct_size = sizeof view_;
  view_.is_admin = json::find_bool(context, "is_admin").value_or(false) ? 1 : 0;
  view_.request_id = drivers::to_abi(request_id_);
  view_.user_id = drivers::to_abi(user_id_);
  view_.project_id = drivers::to_abi(project_id_);
  view_.remote_address = drivers::to_abi(remote_address_);
  view_.roles = {role_views_.data(), role_views_.size()};
  view_.json = drivers::to_abi(text_);
}

}  // namespace gantry::scheduling

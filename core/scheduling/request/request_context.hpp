// SPDX-License-Identifier: Apache-2.0
//
// The request context as a driver sees it: Nova's record of the caller (user, project, roles), without secrets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

// Returns whether the value of a member with this key is a secret: a token, a password, a private key or the service
// catalog, for example. Case and separators of a key do not matter: admin_pass, adminPass and X-Admin-Pass are secret.
bool is_secret(std::string_view key);

// Returns a copy of the object without secret members, at any depth.
json::object without_secrets(const json::object& object);
// Erases the secret members in the value, at any depth.
void erase_secrets(json::value& value);

class RequestContext {
 public:
  RequestContext(const json::object& context, std::string_view request_id);
  RequestContext(const RequestContext&) = delete;
  RequestContext& operator=(const RequestContext&) = delete;

  // Returns the context in the form of the driver ABI. Valid as long as this object.
  const gantry_context& view() const { return view_; }
  // Returns the whole context as JSON text.
  const std::string& text() const { return text_; }
  const std::string& user_id() const { return user_id_; }
  const std::string& project_id() const { return project_id_; }
  const std::string& remote_address() const { return remote_address_; }

 private:
  std::string request_id_;
  std::string user_id_;
  std::string project_id_;
  std::string remote_address_;
  std::vector<std::string> roles_;
  std::vector<gantry_string> role_views_;
  std::string text_;
  gantry_context view_{};
};

}  // namespace gantry::scheduling

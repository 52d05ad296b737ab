// SPDX-License-Identifier: Apache-2.0
//
// The request context as a driver sees it: Nova's context of the caller, without its secrets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

// Whether the value of this key is a secret: a token, a password, a private key or the service catalog. All spellings
// of a key count: admin_pass, adminPass and X-Admin-Pass.
bool is_secret(std::string_view key);

// Returns a copy without the secrets at any depth.
json::object without_secrets(const json::object& object);
// Erases the secrets at any depth.
void erase_secrets(json::value& value);

class RequestContext {
 public:
  RequestContext(const json::object& context, std::string_view request_id);
  RequestContext(const RequestContext&) = delete;
  RequestContext& operator=(const RequestContext&) = delete;

  // The form of the driver ABI. Valid as long as this object.
  const gantry_context& view() const { return view_; }
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

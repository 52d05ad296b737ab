// SPDX-License-Identifier: Apache-2.0
//
// Who asks, as a driver sees it: Nova's request context without its secrets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "gantry/driver.h"

namespace gantry::scheduling {

// Whether what stands under the key is a token, password, key or the service catalog. However the key is written:
// admin_pass, adminPass and X-Admin-Pass are one.
bool is_secret(std::string_view key);

// A copy without tokens, passwords, keys and the service catalog, at every depth.
json::object without_secrets(const json::object& object);
// The same in place.
void erase_secrets(json::value& value);

class RequestContext {
 public:
  RequestContext(const json::object& context, std::string_view request_id);
  RequestContext(const RequestContext&) = delete;
  RequestContext& operator=(const RequestContext&) = delete;

  // Lives as long as this does.
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

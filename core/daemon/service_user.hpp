// SPDX-License-Identifier: Apache-2.0
//
// The user for whom a start is judged. Operators ask as root or as themselves, the service runs as a user of its own.
#pragma once

#include <sys/types.h>

#include <string>

#include "core/config/settings.hpp"

namespace gantry::daemon {

// The service's user owns the store's directory. If root asks, this process is that user while the object lives: the
// effective user, group and groups change. If the directory is not there or root's, root itself is the service's user.
class ServiceUser {
 public:
  explicit ServiceUser(const config::Settings& settings);
  ~ServiceUser();
  ServiceUser(const ServiceUser&) = delete;
  ServiceUser& operator=(const ServiceUser&) = delete;

  // Says why this process cannot judge files and directories of the service. Empty: it can.
  const std::string& obstacle() const { return obstacle_; }

 private:
  bool become(uid_t user);

  bool has_changed_ = false;
  std::string obstacle_;
};

}  // namespace gantry::daemon

// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/service_user.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace gantry::daemon {

namespace {

std::string name_of(uid_t user) {
  const passwd* const entry = ::getpwuid(user);
  return (entry == nullptr ? "uid " : std::string(entry->pw_name) + ", uid ") + std::to_string(user);
}

}  // namespace

ServiceUser::ServiceUser(const config::Settings& settings) {
  struct stat status {};
  const auto directory = std::filesystem::path(settings.store.path).parent_path();
  if (::stat(directory.c_str(), &status) != 0 || status.st_uid == ::geteuid() || status.st_uid == 0) return;
  if (::geteuid() == 0 && become(status.st_uid)) return;
  obstacle_ = "log, store, socket, certificate and key are not judged: " + directory.string() + " belongs to " +
              name_of(status.st_uid) + ", found " + name_of(::geteuid()) + "; ask as that user, or as root";
}

bool ServiceUser::become(uid_t user) {
  const passwd* const entry = ::getpwuid(user);
  if (entry == nullptr) return false;
  has_changed_ = true;
  return ::initgroups(entry->pw_name, entry->pw_gid) == 0 && ::setegid(entry->pw_gid) == 0 && ::seteuid(user) == 0;
}

ServiceUser::~ServiceUser() {
  if (!has_changed_) return;
  if (::seteuid(0) != 0 || ::setegid(0) != 0 || ::initgroups("root", 0) != 0) ::_exit(1);
}

}  // namespace gantry::daemon

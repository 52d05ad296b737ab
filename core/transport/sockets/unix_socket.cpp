// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/unix_socket.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace gantry::transport {

namespace {

std::string reason_of(int number) {
  return std::generic_category().message(number);
}

Error refused(const std::string& path, std::string_view what, ErrorCode code = ErrorCode::invalid_configuration) {
  return {code, "server.socket '" + path + "': " + std::string(what), ""};
}

std::string octal(mode_t mode) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04o", static_cast<unsigned>(mode & 07777));
  return text.data();
}

Result<sockaddr_un> address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.front() != '/') return refused(path, "expected an absolute path");
  if (path.size() >= sizeof address.sun_path) {
    return refused(path, "expected at most " + std::to_string(sizeof address.sun_path - 1) +
                             " bytes, as the kernel allows, found " + std::to_string(path.size()) +
                             "; choose a shorter directory");
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

// Whoever may write to the directory can put a socket of their own in our place, and read what is sent to it.
Result<Descriptor> open_safe_directory(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  Descriptor opened(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() < 0) {
    const int why = errno;
    return refused(path, "its directory '" + directory + "' cannot be opened: " + reason_of(why) +
                             "; create it with: install -d -m 0755 " + directory);
  }
  struct stat found {};
  if (fstat(opened.get(), &found) != 0) return refused(path, "fstat of its directory: " + reason_of(errno));
  if (found.st_uid != 0 && found.st_uid != geteuid()) {
    return refused(path, "its directory '" + directory + "': expected owner root or uid " + std::to_string(geteuid()) +
                             ", found uid " + std::to_string(found.st_uid));
  }
  const bool sticky = (found.st_mode & S_ISVTX) != 0;
  const bool strange_group = (found.st_mode & S_IWGRP) != 0 && found.st_gid != getegid();
  if (((found.st_mode & S_IWOTH) != 0 || strange_group) && !sticky) {
    return refused(path, "its directory '" + directory +
                             "': expected that only its owner may write to it, found mode " + octal(found.st_mode) +
                             "; run: chmod go-w " + directory);
  }
  return opened;
}

// Two daemons that start at once must not both take the other's socket for a stale one.
Result<void> lock_directory(const Descriptor& directory, const std::string& path) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (flock(directory.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return refused(path, "flock of its directory: " + reason_of(errno));
    if (std::chrono::steady_clock::now() > give_up) {
      return refused(path,
                     "its directory has been locked by another process for 3 s; see: fuser -v " +
                         std::filesystem::path(path).parent_path().string(),
                     ErrorCode::unavailable);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return {};
}

Descriptor new_socket() {
  return Descriptor(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

std::string name_in_directory(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// Everything but bind and connect goes by the directory that was judged: its path may mean another one by now.
Result<void> remove_stale(const sockaddr_un& address, const Descriptor& directory, const std::string& path) {
  const std::string name = name_in_directory(path);
  struct stat found {};
  if (fstatat(directory.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return {};
    return refused(path, "lstat: " + reason_of(errno));
  }
  if (!S_ISSOCK(found.st_mode)) {
    return refused(path,
                   "expected a socket or nothing there, found another kind of file; move it away or choose "
                   "another path");
  }
  const Descriptor probe = new_socket();
  if (probe.get() < 0) return refused(path, "socket: " + reason_of(errno), ErrorCode::resource_exhausted);
  const int outcome = connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int why = outcome == 0 ? 0 : errno;
  if (why == 0 || why == EAGAIN) {
    return refused(path,
                   "another process answers there (" + (why == 0 ? peer_of(probe.get()) : "its queue is full") +
                       "): stop that gantryd first, or choose another path",
                   ErrorCode::already_exists);
  }
  if (why != ECONNREFUSED) {
    return refused(path, "a socket is there already, and whether it is in use cannot be told: " + reason_of(why));
  }
  if (unlinkat(directory.get(), name.c_str(), 0) != 0)
    return refused(path, "the stale socket cannot be removed: " + reason_of(errno));
  return {};
}

Result<void> set_access(const config::Settings::Server& settings, const Descriptor& directory,
                        std::optional<gid_t> group) {
  const auto& path = settings.socket;
  const std::string name = name_in_directory(path);
  if (group && fchownat(directory.get(), name.c_str(), static_cast<uid_t>(-1), *group, AT_SYMLINK_NOFOLLOW) != 0) {
    return refused(path, "cannot be given to group '" + settings.socket_group + "': " + reason_of(errno) +
                             "; the daemon's user must be a member of it");
  }
  if (fchmodat(directory.get(), name.c_str(), static_cast<mode_t>(settings.socket_mode), 0) != 0) {
    return refused(
        path, "cannot be given mode " + octal(static_cast<mode_t>(settings.socket_mode)) + ": " + reason_of(errno));
  }
  return {};
}

}  // namespace

Result<std::optional<gid_t>> group_of(const config::Settings::Server& settings) {
  if (settings.socket_group.empty()) return std::optional<gid_t>();
  std::vector<char> room(16 * 1024);
  group entry{};
  group* found = nullptr;
  const int why = getgrnam_r(settings.socket_group.c_str(), &entry, room.data(), room.size(), &found);
  if (found != nullptr) return std::optional<gid_t>(found->gr_gid);
  return Error{ErrorCode::invalid_configuration,
               "server.socket_group '" + settings.socket_group + "': expected a group of this system, found none" +
                   (why == 0 ? "" : " (" + reason_of(why) + ")") + "; create it with: groupadd --system " +
                   settings.socket_group,
               ""};
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (number_ >= 0) close(number_);
    number_ = other.release();
  }
  return *this;
}

int Descriptor::release() {
  const int number = number_;
  number_ = -1;
  return number;
}

void UnixListener::remove_file() const {
  struct stat found {};
  if (lstat(path.c_str(), &found) == 0 && found.st_dev == device && found.st_ino == inode) unlink(path.c_str());
}

Result<UnixListener> listen_at(const config::Settings::Server& settings) {
  const auto& path = settings.socket;
  const auto address = address_of(path);
  if (!address) return address.error();
  const auto group = group_of(settings);
  if (!group) return group.error();
  const auto directory = open_safe_directory(path);
  if (!directory) return directory.error();
  if (auto locked = lock_directory(*directory, path); !locked) return std::move(locked).error();
  if (auto removed = remove_stale(*address, *directory, path); !removed) return std::move(removed).error();

  UnixListener listener{new_socket(), path};
  const int number = listener.descriptor.get();
  if (number < 0) return refused(path, "socket: " + reason_of(errno), ErrorCode::resource_exhausted);
  // The mode of the socket bounds the mode of the file that bind makes: nobody gets in before set_access.
  if (fchmod(number, 0600) != 0) return refused(path, "fchmod: " + reason_of(errno));
  if (bind(number, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    return refused(path, "cannot be made: " + reason_of(errno));
  }
  struct stat made {};
  const std::string name = name_in_directory(path);
  if (fstatat(directory->get(), name.c_str(), &made, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(made.st_mode)) {
    return refused(path, "its directory was replaced by another one while the socket was being made");
  }
  listener.device = made.st_dev;
  listener.inode = made.st_ino;
  if (auto set = set_access(settings, *directory, *group); !set) {
    listener.remove_file();
    return std::move(set).error();
  }
  if (listen(number, SOMAXCONN) != 0) {
    const int why = errno;
    listener.remove_file();
    return refused(path, "listen: " + reason_of(why));
  }
  return listener;
}

std::string peer_of(int connection) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return "unix";
  return "unix uid=" + std::to_string(credentials.uid) + " pid=" + std::to_string(credentials.pid);
}

}  // namespace gantry::transport

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/unix_socket.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "core/files/errno_text.hpp"
#include "core/files/mode_text.hpp"
#include "core/files/write_access.hpp"

namespace gantry::transport {

namespace {

Error refused(const std::string& path, std::string_view what, ErrorCode code = ErrorCode::invalid_configuration) {
  return {code, "server.socket '" + path + "': " + std::string(what), ""};
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

// A user who may write to the directory could replace the socket and read what clients send.
Result<Descriptor> open_safe_directory(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  Descriptor opened(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) {
    const int why = errno;
    return refused(path, "its directory '" + directory + "' cannot be opened: " + files::errno_text(why) +
                             "; create it with: install -d -m 0755 " + directory);
  }
  struct stat found {};
  if (fstat(opened.number(), &found) != 0) return refused(path, "fstat of its directory: " + files::errno_text(errno));
  if (!files::has_trusted_owner(found)) {
    return refused(path, "its directory '" + directory + "': expected owner root or uid " + std::to_string(geteuid()) +
                             ", found uid " + std::to_string(found.st_uid));
  }
  if (files::strangers_may_write(found, files::GroupWrite::own_group_trusted, files::StickyBit::protects)) {
    return refused(path, "its directory '" + directory +
                             "': expected that only its owner may write to it, found mode " +
                             files::mode_text(found.st_mode) + "; run: chmod go-w " + directory);
  }
  return opened;
}

// Two daemons that start at once must not take each other's socket for a stale one.
Result<void> lock_directory(const Descriptor& directory, const std::string& path) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  while (flock(directory.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      return refused(path, "flock of its directory: " + files::errno_text(errno));
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

// Uses the checked directory, except for bind and connect, which take a path: the path may mean another directory by
// now.
Result<void> remove_stale(const sockaddr_un& address, const Descriptor& directory, const std::string& path) {
  const std::string name = name_in_directory(path);
  struct stat found {};
  if (fstatat(directory.number(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return {};
    return refused(path, "lstat: " + files::errno_text(errno));
  }
  if (!S_ISSOCK(found.st_mode)) {
    return refused(path,
                   "expected a socket or nothing there, found another kind of file; move it away or choose "
                   "another path");
  }
  const Descriptor probe = new_socket();
  if (!probe.is_open()) return refused(path, "socket: " + files::errno_text(errno), ErrorCode::resource_exhausted);
  const int outcome = connect(probe.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int why = outcome == 0 ? 0 : errno;
  if (why == 0 || why == EAGAIN) {
    return refused(path,
                   "another process answers there (" + (why == 0 ? peer_of(probe.number()) : "its queue is full") +
                       "): stop that gantryd first, or choose another path",
                   ErrorCode::already_exists);
  }
  if (why != ECONNREFUSED) {
    return refused(path,
                   "a socket is there already, and whether it is in use cannot be told: " + files::errno_text(why));
  }
  if (unlinkat(directory.number(), name.c_str(), 0) != 0)
    return refused(path, "the stale socket cannot be removed: " + files::errno_text(errno));
  return {};
}

Result<void> set_access(const config::Settings::Server& settings, const Descriptor& directory,
                        std::optional<gid_t> group) {
  const auto& path = settings.socket;
  const std::string name = name_in_directory(path);
  if (group && fchownat(directory.number(), name.c_str(), static_cast<uid_t>(-1), *group, AT_SYMLINK_NOFOLLOW) != 0) {
    return refused(path, "cannot be given to group '" + settings.socket_group + "': " + files::errno_text(errno) +
                             "; the daemon's user must be a member of it");
  }
  if (fchmodat(directory.number(), name.c_str(), static_cast<mode_t>(settings.socket_mode), 0) != 0) {
    return refused(path, "cannot be given mode " + files::mode_text(static_cast<mode_t>(settings.socket_mode)) + ": " +
                             files::errno_text(errno));
  }
  return {};
}

}  // namespace

Result<std::optional<gid_t>> group_of(const config::Settings::Server& settings) {
  if (settings.socket_group.empty()) return std::optional<gid_t>();
  std::vector<char> scratch(16 * 1024);
  group entry{};
  group* found = nullptr;
  const int why = getgrnam_r(settings.socket_group.c_str(), &entry, scratch.data(), scratch.size(), &found);
  if (found != nullptr) return std::optional<gid_t>(found->gr_gid);
  return Error{ErrorCode::invalid_configuration,
               "server.socket_group '" + settings.socket_group + "': expected a group of this system, found none" +
                   (why == 0 ? "" : " (" + files::errno_text(why) + ")") + "; create it with: groupadd --system " +
                   settings.socket_group,
               ""};
}

Result<bool> check_directory_of(const config::Settings::Server& settings) {
  if (const auto address = address_of(settings.socket); !address) return address.error();
  struct stat found {};
  const auto directory = std::filesystem::path(settings.socket).parent_path();
  if (stat(directory.c_str(), &found) != 0 && errno == ENOENT) return false;
  if (const auto opened = open_safe_directory(settings.socket); !opened) return opened.error();
  if (faccessat(AT_FDCWD, directory.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return true;
  return refused(settings.socket, "its directory '" + directory.string() +
                                      "': expected that this user may write to it: " + files::errno_text(errno));
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
  const int number = listener.descriptor.number();
  if (number < 0) return refused(path, "socket: " + files::errno_text(errno), ErrorCode::resource_exhausted);
  // The mode of the socket bounds the mode of the file that bind makes: no client gets in before set_access.
  if (fchmod(number, 0600) != 0) return refused(path, "fchmod: " + files::errno_text(errno));
  if (bind(number, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
    return refused(path, "cannot be made: " + files::errno_text(errno));
  }
  struct stat made {};
  const std::string name = name_in_directory(path);
  if (fstatat(directory->number(), name.c_str(), &made, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(made.st_mode)) {
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
    return refused(path, "listen: " + files::errno_text(why));
  }
  return listener;
}

Result<UnixListener> take_over(Descriptor listening, const config::Settings::Server& settings) {
  const auto group = group_of(settings);
  if (!group) return group.error();
  const auto directory = open_safe_directory(settings.socket);
  if (!directory) return directory.error();
  if (auto set = set_access(settings, *directory, *group); !set) return std::move(set).error();
  UnixListener listener{std::move(listening), settings.socket};
  struct stat found {};
  if (fstatat(directory->number(), name_in_directory(settings.socket).c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
    listener.device = found.st_dev;
    listener.inode = found.st_ino;
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

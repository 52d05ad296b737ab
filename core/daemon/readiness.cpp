// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/readiness.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace gantry::daemon {

void notify_service_manager(std::string_view lines) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path == nullptr || std::strlen(path) >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@')) return;
  const int socket_descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_descriptor < 0) return;
  address.sun_family = AF_UNIX;
  const auto size = std::strlen(path);
  std::memcpy(address.sun_path, path, size);
  // A leading @ stands for the abstract name space.
  if (path[0] == '@') address.sun_path[0] = '\0';
  // Nothing sensible follows from a failure: the manager is gone, or never listened.
  (void)sendto(socket_descriptor, lines.data(), lines.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
               static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size));
  close(socket_descriptor);
}

}  // namespace gantry::daemon

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/handed_sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/transport/sockets/tcp_socket.hpp"

namespace gantry::transport {

namespace {

bool listens(int socket) {
  int answer = 0;
  socklen_t size = sizeof answer;
  return getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) == 0 && answer != 0;
}

std::string path_of(const sockaddr_storage& storage, socklen_t size) {
  const auto& address = reinterpret_cast<const sockaddr_un&>(storage);
  const std::size_t length = size - std::min<std::size_t>(size, offsetof(sockaddr_un, sun_path));
  return {address.sun_path, strnlen(address.sun_path, length)};
}

// "127.0.0.1:" of "127.0.0.1:8774"
std::string without_port(const std::string& place) {
  return place.substr(0, place.rfind(':') + 1);
}

std::string wanted_place(const config::ListenAddress& address) {
  const bool is_ipv6 = address.address.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + address.address + "]" : address.address) + ":" + std::to_string(address.port);
}

template <class Fits>
std::optional<files::Descriptor> take(std::vector<files::Descriptor>& from, const Fits& fits) {
  const auto found = std::ranges::find_if(from, [&](const auto& socket) { return fits(place_of(socket)); });
  if (found == from.end()) return std::nullopt;
  auto taken = std::move(*found);
  from.erase(found);
  return taken;
}

bool is_named(const std::string& place, const config::Settings::Server& settings) {
  if (place == settings.socket) return true;
  return std::ranges::any_of(settings.listen, [&](const std::string& text) {
    const auto address = config::parse_listen_address(text);
    return address && wanted_place(*address) == place;
  });
}

std::string in_words(const std::string& place) {
  return place.empty() ? "one that does not listen, or of another kind" : "'" + place + "'";
}

}  // namespace

std::string place_of(const files::Descriptor& socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (!listens(socket.number())) return {};
  if (getsockname(socket.number(), reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
  if (storage.ss_family == AF_UNIX) return path_of(storage, size);
  return address_text(storage);
}

std::optional<files::Descriptor> take_listening(std::vector<files::Descriptor>& from, const std::string& path) {
  return take(from, [&](const std::string& place) { return place == path; });
}

std::optional<files::Descriptor> take_listening(std::vector<files::Descriptor>& from,
                                                const config::ListenAddress& address) {
  const auto wanted = wanted_place(address);
  return take(from, [&](const std::string& place) {
    return place == wanted || (address.port == 0 && without_port(place) == without_port(wanted));
  });
}

Result<void> check_all_named(const HandedSockets& handed, const config::Settings::Server& settings) {
  if (handed.giver != HandedSockets::Giver::service_manager) return {};
  for (const auto& socket : handed.listening) {
    const auto place = place_of(socket);
    if (!place.empty() && is_named(place, settings)) continue;
    return Error{ErrorCode::invalid_configuration,
                 "socket of the service manager: expected one that server.socket ('" + settings.socket +
                     "') or server.listen names, found " + in_words(place) +
                     "; make gantryd.socket and the configuration name the same sockets",
                 ""};
  }
  return {};
}

}  // namespace gantry::transport

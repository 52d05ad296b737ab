// SPDX-License-Identifier: Apache-2.0
#include "target.hpp"

#include <sys/un.h>

#include <charconv>
#include <cstdlib>

namespace gantry::client_library {

namespace {

std::optional<Target> unix_target(std::string_view path) {
  if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path)) return std::nullopt;
  Target target;
  target.path = path;
  return target;
}

bool is_port(std::string_view text) {
  unsigned number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc{} && end == text.data() + text.size() && number >= 1 && number <= 65535;
}

std::optional<Target> tcp_target(std::string_view authority) {
  if (!authority.empty() && authority.back() == '/') authority.remove_suffix(1);
  const auto colon = authority.rfind(':');
  if (colon == std::string_view::npos || !is_port(authority.substr(colon + 1))) return std::nullopt;
  std::string_view host = authority.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;
  }
  if (host.empty() || host.find_first_of("/@?# \r\n\t") != std::string_view::npos) return std::nullopt;
  Target target;
  target.host = host;
  target.port = authority.substr(colon + 1);
  return target;
}

}  // namespace

std::string Target::text() const {
  if (is_unix()) return "unix://" + path;
  return (is_secret ? "https://" : "http://") + (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" +
         port;
}

bool Target::is_private() const {
  // A name may begin like an address: 127.evil.example is anybody's.
  const bool is_loopback = host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
  return is_unix() || is_secret || is_loopback || host == "localhost" || host == "::1";
}

std::optional<Target> parse_target(std::string_view text) {
  constexpr std::string_view unix_scheme = "unix://";
  constexpr std::string_view http_scheme = "http://";
  constexpr std::string_view https_scheme = "https://";
  if (text.starts_with(unix_scheme)) {
    const auto path = text.substr(unix_scheme.size());
    return path.starts_with('/') ? unix_target(path) : std::nullopt;
  }
  if (text.starts_with(http_scheme)) return tcp_target(text.substr(http_scheme.size()));
  if (text.starts_with(https_scheme)) {
    auto target = tcp_target(text.substr(https_scheme.size()));
    if (target) target->is_secret = true;
    return target;
  }
  if (text.starts_with('/') || text.starts_with('.')) return unix_target(text);
  return std::nullopt;
}

std::string default_target() {
  const char* named = std::getenv("GANTRY_URL");
  return named != nullptr && *named != '\0' ? named : "unix:///run/gantry/gantry.sock";
}

}  // namespace gantry::client_library

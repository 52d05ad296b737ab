// SPDX-License-Identifier: Apache-2.0
#include "core/config/listen_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <charconv>

#include "core/config/sources/tree.hpp"

namespace gantry::config {

namespace {

Error unlike(std::string_view text) {
  return {ErrorCode::invalid_configuration,
          R"(expected a numeric address and a port, as "127.0.0.1:8774" or "[::1]:8774", found )" + to_toml(text), ""};
}

bool read_port(std::string_view digits, std::uint16_t& port) {
  const char* end = digits.data() + digits.size();
  const auto [stopped, fault] = std::from_chars(digits.data(), end, port);
  return fault == std::errc{} && stopped == end;
}

bool is_ipv4(const std::string& address, bool& is_loopback) {
  in_addr parsed{};
  if (inet_pton(AF_INET, address.c_str(), &parsed) != 1) return false;
  is_loopback = ntohl(parsed.s_addr) >> 24U == 127;
  return true;
}

bool is_ipv6(const std::string& address, bool& is_loopback) {
  in6_addr parsed{};
  if (inet_pton(AF_INET6, address.c_str(), &parsed) != 1) return false;
  is_loopback = IN6_IS_ADDR_LOOPBACK(&parsed);
  return true;
}

}  // namespace

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return unlike(text);
  ListenAddress parsed;
  std::string_view host = text.substr(0, colon);
  const bool in_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (in_brackets) host = host.substr(1, host.size() - 2);
  parsed.address = host;
  const bool known =
      in_brackets ? is_ipv6(parsed.address, parsed.is_loopback) : is_ipv4(parsed.address, parsed.is_loopback);
  if (!known || !read_port(text.substr(colon + 1), parsed.port)) return unlike(text);
  return parsed;
}

}  // namespace gantry::config

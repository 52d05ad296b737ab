// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/foreign_page.hpp"

#include <boost/beast/core/string.hpp>

namespace gantry::transport {

namespace {

// "127.0.0.1:8774" -> "127.0.0.1", "[::1]:8774" -> "[::1]"
std::string_view without_port(std::string_view host) {
  const bool is_ipv6 = host.starts_with('[');
  const auto end = is_ipv6 ? host.find("]:") : host.find(':');
  return end == std::string_view::npos ? host : host.substr(0, is_ipv6 ? end + 1 : end);
}

}  // namespace

bool is_name_of_this_machine(std::string_view host) {
  const auto name = without_port(host);
  const bool is_loopback = name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_loopback || name == "[::1]" || boost::beast::iequals(name, "localhost");
}

bool is_from_foreign_page(std::string_view origin, std::string_view host) {
  if (origin.empty()) return false;
  const auto mark = origin.find("://");
  if (mark == std::string_view::npos) return true;
  return !boost::beast::iequals(origin.substr(mark + 3), host) || !is_name_of_this_machine(host);
}

}  // namespace gantry::transport

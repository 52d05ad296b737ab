// SPDX-License-Identifier: Apache-2.0
//
// The URL of a database, perhaps a template, and below it the URL that the template is filled from. A URL that is taken
// reads back the same when each of its parts is written encoded. The outcome is url or refused.
#include <algorithm>

#include "core/config/nova/urls/database_url.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

std::string encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char sign : text) {
    const auto byte = static_cast<unsigned char>(sign);
    out += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return out;
}

std::string parameter(std::string_view key, std::string_view value) {
  return value.empty() ? "" : "&" + std::string(key) + "=" + encoded(value);
}

std::string time_parameter(std::string_view key, std::optional<std::chrono::seconds> time) {
  return time ? "&" + std::string(key) + "=" + std::to_string(time->count()) : "";
}

std::string written(const config::nova::DatabaseUrl& url) {
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  return "mysql://" + encoded(url.user) + ":" + encoded(url.password) + "@" +
         (is_ipv6 ? "[" + url.host + "]" : url.host) + ":" + std::to_string(url.port) + "/" + url.database +
         "?charset=utf8" + parameter("unix_socket", url.unix_socket) + parameter("ssl_ca", url.tls.ca) +
         parameter("ssl_capath", url.tls.ca_path) + parameter("ssl_cert", url.tls.certificate) +
         parameter("ssl_key", url.tls.key) + parameter("ssl_cipher", url.tls.cipher) +
         "&ssl_check_hostname=" + (url.tls.verifies_host ? "true" : "false") +
         time_parameter("connect_timeout", url.connect_timeout) + time_parameter("read_timeout", url.read_timeout) +
         time_parameter("write_timeout", url.write_timeout);
}

bool are_same(const config::nova::DatabaseUrl& a, const config::nova::DatabaseUrl& b) {
  return a.user == b.user && a.password == b.password && a.host == b.host && a.port == b.port &&
         a.unix_socket == b.unix_socket && a.database == b.database && a.tls.ca == b.tls.ca &&
         a.tls.ca_path == b.tls.ca_path && a.tls.certificate == b.tls.certificate && a.tls.key == b.tls.key &&
         a.tls.cipher == b.tls.cipher && a.tls.verifies_host == b.tls.verifies_host &&
         a.tls.is_wanted == b.tls.is_wanted && a.connect_timeout == b.connect_timeout &&
         a.read_timeout == b.read_timeout && a.write_timeout == b.write_timeout;
}

void check_refusal(const Error& error, std::string_view text) {
  const auto scheme = text.find("://");
  const auto colon = scheme == std::string_view::npos ? scheme : text.find(':', scheme + 3);
  const auto at = text.rfind('@');
  if (colon == std::string_view::npos || at == std::string_view::npos || at < colon + 9) return;
  if (error.message.find(text.substr(colon + 1, at - colon - 1)) != std::string::npos)
    broken("a refusal that repeats the password: " + error.message);
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto text = text_of(input);
  const auto end = std::min(text.find('\n'), text.size());
  const auto filled = config::nova::filled_url(text.substr(0, end), text.substr(std::min(end + 1, text.size())));
  if (!filled) {
    if (filled.error().message.empty()) broken("a template that is refused without a reason");
    return "refused";
  }
  const auto url = config::nova::parse_database_url(*filled);
  if (!url) {
    if (url.error().message.empty()) broken("a refusal without a reason");
    check_refusal(url.error(), *filled);
    return "refused";
  }
  const auto again = config::nova::parse_database_url(written(*url));
  if (!again) broken("what was taken is refused when it is written encoded: " + again.error().message);
  if (!are_same(*url, *again)) broken("what was taken reads back as something else: " + written(*url));
  if (config::nova::place_of(*url).empty()) broken("a database without a place");
  return "url";
}

}  // namespace gantry::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/database/url.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace gantry::nova {

namespace {

constexpr std::string_view form = "mysql+pymysql://USER:PASSWORD@HOST:PORT/DATABASE";

Error refused(std::string why) {
  return {ErrorCode::invalid_configuration, "database URL: " + std::move(why), {}};
}

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

// A % that no two hexadecimal digits follow stands for itself, as in Python.
std::string decoded(std::string_view text, bool plus_is_space = false) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low >= 0) {
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      out.push_back(plus_is_space && text[i] == '+' ? ' ' : text[i]);
    }
  }
  return out;
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Parts {
  std::string_view scheme;
  std::optional<std::string_view> user, password, host, port, path, query;
};

// Takes user and password off the front of `rest`. Either may hold signs that end other parts.
void take_user(std::string_view& rest, Parts& parts) {
  const auto end = std::min(rest.find_first_of(":/"), rest.size());
  if (end < rest.size() && rest[end] == ':') {
    if (const auto at = rest.find('@', end); at != std::string_view::npos) {
      parts.user = rest.substr(0, end);
      parts.password = rest.substr(end + 1, at - end - 1);
      rest.remove_prefix(at + 1);
      return;
    }
  }
  const auto at = rest.substr(0, end).rfind('@');
  if (at == std::string_view::npos) return;
  parts.user = rest.substr(0, at);
  rest.remove_prefix(at + 1);
}

// Returns false if an address in brackets does not end.
bool take_host(std::string_view& rest, Parts& parts) {
  if (rest.starts_with('[')) {
    const auto close = rest.find(']');
    if (close == std::string_view::npos) return false;
    parts.host = rest.substr(1, close - 1);
    if (parts.host->find(':') == std::string_view::npos) return false;
    if (parts.host->find_first_of("/?@[") != std::string_view::npos) return false;
    rest.remove_prefix(close + 1);
    return rest.empty() || std::string_view(":/?").find(rest.front()) != std::string_view::npos;
  }
  const auto end = std::min(rest.find_first_of("/:?"), rest.size());
  if (end > 0) parts.host = rest.substr(0, end);
  rest.remove_prefix(end);
  return true;
}

Result<Parts> split(std::string_view text) {
  Parts parts;
  const auto scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return refused("expected " + std::string(form) + ", found no '://'");
  parts.scheme = text.substr(0, scheme_end);
  auto rest = text.substr(scheme_end + 3);
  take_user(rest, parts);
  if (!take_host(rest, parts)) return refused("host: expected an IPv6 address in brackets");
  if (rest.starts_with(':')) {
    const auto end = std::min(rest.find_first_of("/?"), rest.size());
    parts.port = rest.substr(1, end - 1);
    rest.remove_prefix(end);
  }
  if (rest.starts_with('/')) {
    const auto end = std::min(rest.find('?'), rest.size());
    parts.path = rest.substr(1, end - 1);
    rest.remove_prefix(end);
  }
  if (rest.starts_with('?')) parts.query = rest.substr(1);
  return parts;
}

// Returns why a URL of this scheme is not taken. Empty: it is.
std::string fault_of_scheme(std::string_view scheme) {
  const auto dialect = scheme.substr(0, scheme.find('+'));
  if (dialect == "mysql" || dialect == "mariadb") return {};
  const std::string expected = "expected a MySQL or MariaDB database, " + std::string(form) + ", found ";
  if (dialect == "postgresql" || dialect == "postgres") return expected + "PostgreSQL, which is not supported";
  if (dialect == "sqlite") return expected + "SQLite, which is not supported: no Nova of several processes runs on it";
  const bool is_name = !scheme.empty() && scheme.size() <= 32 && std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '_';
  });
  return expected + (is_name ? "'" + std::string(scheme) + "'" : "another scheme");
}

bool is_true(std::string_view text) {
  return text == "true" || text == "True" || text == "1" || text == "yes" || text == "on";
}

// These change how a Python client works, or what a session has that Gantry sets itself.
constexpr std::array<std::string_view, 9> without_meaning{"charset",     "use_unicode",  "autocommit",
                                                          "sql_mode",    "local_infile", "binary_prefix",
                                                          "client_flag", "program_name", "max_allowed_packet"};

class Parameters {
 public:
  explicit Parameters(DatabaseUrl& url) : url_(url) {}

  Result<void> take(const std::string& key, const std::string& value) {
    if (take_file(key, value) || take_switch(key, value)) return {};
    if (std::find(without_meaning.begin(), without_meaning.end(), key) != without_meaning.end()) return {};
    if (auto* timeout = timeout_of(key)) return take_timeout(*timeout, key, value);
    const bool is_name = key.size() <= 32 &&
                         std::all_of(key.begin(), key.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
    return refused((is_name ? "parameter '" + key + "'" : std::string("a parameter")) +
                   ": not known; expected one of unix_socket, charset, ssl_ca, ssl_capath, ssl_cert, ssl_key, "
                   "ssl_cipher, ssl_check_hostname, connect_timeout, read_timeout, write_timeout");
  }

  void finish() {
    auto& tls = url_.tls;
    if (is_disabled_) tls = {};
    const bool has_authority = !tls.ca.empty() || !tls.ca_path.empty();
    tls.verifies_host = verifies_host_.value_or(has_authority) && !is_disabled_;
    tls.is_wanted = !is_disabled_ && (has_authority || tls.verifies_host || !tls.certificate.empty() ||
                                      !tls.key.empty() || !tls.cipher.empty());
  }

 private:
  bool take_file(std::string_view key, const std::string& value) {
    const std::array<std::pair<std::string_view, std::string*>, 6> texts{{{"unix_socket", &url_.unix_socket},
                                                                          {"ssl_ca", &url_.tls.ca},
                                                                          {"ssl_capath", &url_.tls.ca_path},
                                                                          {"ssl_cert", &url_.tls.certificate},
                                                                          {"ssl_key", &url_.tls.key},
                                                                          {"ssl_cipher", &url_.tls.cipher}}};
    const auto found = std::find_if(texts.begin(), texts.end(), [key](const auto& text) { return text.first == key; });
    if (found != texts.end()) *found->second = value;
    return found != texts.end();
  }

  bool take_switch(std::string_view key, std::string_view value) {
    if (key == "ssl_disabled") {
      is_disabled_ = is_true(value);
    } else if (key == "ssl_check_hostname") {
      verifies_host_ = is_true(value);
    } else if (key == "ssl_verify_identity" || key == "ssl_verify_cert") {
      if (is_true(value)) verifies_host_ = true;
    } else {
      return false;
    }
    return true;
  }

  std::optional<std::chrono::seconds>* timeout_of(std::string_view key) {
    if (key == "connect_timeout") return &url_.connect_timeout;
    if (key == "read_timeout") return &url_.read_timeout;
    return key == "write_timeout" ? &url_.write_timeout : nullptr;
  }

  static Result<void> take_timeout(std::optional<std::chrono::seconds>& timeout, const std::string& key,
                                   std::string_view value) {
    const auto seconds = number_in<std::int32_t>(value);
    if (!seconds || *seconds < 1 || *seconds > 86400) return refused(key + ": expected seconds from 1 to 86400");
    timeout = std::chrono::seconds(*seconds);
    return {};
  }

  DatabaseUrl& url_;
  bool is_disabled_ = false;
  std::optional<bool> verifies_host_;
};

Result<void> read_query(std::string_view query, DatabaseUrl& url) {
  Parameters parameters(url);
  while (!query.empty()) {
    const auto end = std::min(query.find_first_of("&;"), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const auto sign = pair.find('=');
    if (sign == std::string_view::npos || sign + 1 == pair.size()) continue;  // Python's parse_qsl drops it
    auto taken = parameters.take(decoded(pair.substr(0, sign), true), decoded(pair.substr(sign + 1), true));
    if (!taken) return taken;
  }
  parameters.finish();
  return {};
}

bool has_nul(const DatabaseUrl& url) {
  const auto& tls = url.tls;
  for (const auto* text : {&url.user, &url.password, &url.host, &url.database, &url.unix_socket, &tls.ca, &tls.ca_path,
                           &tls.certificate, &tls.key, &tls.cipher})
    if (text->find('\0') != std::string::npos) return true;
  return false;
}

}  // namespace

Result<DatabaseUrl> parse_database_url(std::string_view text) {
  auto parts = split(text);
  if (!parts) return std::move(parts).error();
  if (auto fault = fault_of_scheme(parts->scheme); !fault.empty()) return refused(std::move(fault));
  DatabaseUrl url;
  url.user = decoded(parts->user.value_or(""));
  url.password = decoded(parts->password.value_or(""));
  if (parts->host) url.host = *parts->host;
  if (parts->port && !parts->port->empty()) {
    const auto port = number_in<std::uint16_t>(*parts->port);
    if (!port || *port == 0)
      return refused("port: expected a number from 1 to 65535; is an '@' of the password not %40?");
    url.port = *port;
  }
  url.database = parts->path.value_or("");
  if (url.database.empty()) return refused("expected " + std::string(form) + ", found no database");
  if (auto read = read_query(parts->query.value_or(""), url); !read) return std::move(read).error();
  if (has_nul(url)) return refused("expected text, found a NUL");
  return url;
}

std::string place_of(const DatabaseUrl& url) {
  if (!url.unix_socket.empty()) return url.database + " at " + url.unix_socket;
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  return url.database + " at " + (is_ipv6 ? "[" + url.host + "]" : url.host) + ":" + std::to_string(url.port);
}

namespace {

using Field = std::pair<std::string_view, std::optional<std::string>>;

// The parts of a URL under the names that Nova gives them. As in Python's urlparse they stay encoded, and the name of the
// host is in lower case.
std::array<Field, 8> fields_of(std::string_view url) {
  const auto scheme_end = std::min(url.find("://"), url.size());
  auto rest = url.substr(std::min(scheme_end + 3, url.size()));
  const auto cut = [&rest](char sign) {
    const auto at = std::min(rest.find(sign), rest.size());
    const auto tail = rest.substr(std::min(at + 1, rest.size()));
    rest = rest.substr(0, at);
    return std::string(tail);
  };
  auto fragment = cut('#');
  auto query = cut('?');
  auto path = cut('/');
  path.erase(0, std::min(path.find_first_not_of('/'), path.size()));
  std::optional<std::string> user, password, host, port;
  if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
    const auto info = rest.substr(0, at);
    const auto colon = info.find(':');
    user = std::string(info.substr(0, colon));
    if (colon != std::string_view::npos) password = std::string(info.substr(colon + 1));
    rest.remove_prefix(at + 1);
  }
  const auto bracket = rest.find(']');
  const auto colon = rest.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon != std::string_view::npos && colon + 1 < rest.size()) port = std::string(rest.substr(colon + 1));
  rest = rest.substr(0, colon);
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  if (!rest.empty()) host = std::string(rest);
  if (host) {
    std::transform(host->begin(), host->end(), host->begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  }
  return {{{"scheme", std::string(url.substr(0, scheme_end))},
           {"username", std::move(user)},
           {"password", std::move(password)},
           {"hostname", std::move(host)},
           {"port", std::move(port)},
           {"path", std::move(path)},
           {"query", std::move(query)},
           {"fragment", std::move(fragment)}}};
}

Error not_filled(const std::string& why) {
  return {ErrorCode::invalid_configuration, "template of a database URL: " + why, {}};
}

Result<std::string> value_of(const std::array<Field, 8>& fields, std::string_view name) {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [name](const Field& field) { return field.first == name; });
  if (found == fields.end())
    return not_filled(
        "a field is not known; expected {scheme}, {username}, {password}, {hostname}, {port}, {path}, "
        "{query} or {fragment}");
  if (!found->second) return not_filled("names {" + std::string(name) + "}, which [database] connection does not have");
  return *found->second;
}

}  // namespace

Result<std::string> filled_url(std::string_view pattern, std::string_view from) {
  if (pattern.find_first_of("{}") == std::string_view::npos) return std::string(pattern);
  const auto fields = fields_of(from);
  std::string out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char sign = pattern[i];
    if (sign != '{' && sign != '}') {
      out.push_back(sign);
      continue;
    }
    if (i + 1 < pattern.size() && pattern[i + 1] == sign) {  // doubled, it stands for itself
      out.push_back(sign);
      ++i;
      continue;
    }
    const auto close = sign == '{' ? pattern.find('}', i) : std::string_view::npos;
    if (close == std::string_view::npos) return not_filled("expected a '}' for each '{'");
    auto value = value_of(fields, pattern.substr(i + 1, close - i - 1));
    if (!value) return value;
    out += *value;
    i = close;
  }
  return out;
}

}  // namespace gantry::nova

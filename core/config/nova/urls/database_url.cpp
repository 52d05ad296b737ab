// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/urls/database_url.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "core/config/nova/urls/client_file.hpp"
#include "core/config/nova/urls/url_text.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

constexpr std::string_view form = "mysql+pymysql://USER:PASSWORD@HOST:PORT/DATABASE";

Error refused(std::string why) {
  return {ErrorCode::invalid_configuration, "database URL: " + std::move(why), {}};
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

// As SQLAlchemy reads it.
bool is_true(std::string_view text) {
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return word == "true" || word == "t" || word == "1" || word == "yes" || word == "y" || word == "on";
}

template <class List>
bool has(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// These change how a Python client works, or what a session has that Gantry sets itself.
constexpr std::array<std::string_view, 31> without_meaning{"charset",
                                                           "use_unicode",
                                                           "collation",
                                                           "autocommit",
                                                           "sql_mode",
                                                           "local_infile",
                                                           "allow_local_infile",
                                                           "allow_local_infile_in_path",
                                                           "binary_prefix",
                                                           "client_flag",
                                                           "client_flags",
                                                           "program_name",
                                                           "conn_attrs",
                                                           "max_allowed_packet",
                                                           "compress",
                                                           "cursorclass",
                                                           "conv",
                                                           "converter",
                                                           "converter_class",
                                                           "converter_str_fallback",
                                                           "buffered",
                                                           "raw",
                                                           "use_pure",
                                                           "raise_on_warnings",
                                                           "get_warnings",
                                                           "consume_results",
                                                           "named_pipe",
                                                           "defer_connect",
                                                           "multi_statements",
                                                           "echo",
                                                           "reconnect"};

// Followed by a client or by SQLAlchemy, and not by Gantry: the operator hears of it.
struct PassedOver {
  std::string_view name;
  std::string_view why;
};
constexpr std::string_view own_connections = "Gantry keeps connections of its own";
constexpr std::string_view own_login = "the client library chooses how to log in";
constexpr std::string_view own_tls = "the client library chooses the version of TLS";
constexpr std::array<PassedOver, 18> passed_over{{{"plugin", "Gantry loads no plugin of SQLAlchemy's"},
                                                  {"init_command", "Gantry sets up its sessions itself"},
                                                  {"time_zone", "Gantry's sessions have their times in UTC"},
                                                  {"pool_name", own_connections},
                                                  {"pool_size", own_connections},
                                                  {"pool_recycle", own_connections},
                                                  {"pool_reset_session", own_connections},
                                                  {"minsize", own_connections},
                                                  {"maxsize", own_connections},
                                                  {"failover", own_connections},
                                                  {"auth_plugin", own_login},
                                                  {"auth_plugin_map", own_login},
                                                  {"default_auth", own_login},
                                                  {"server_public_key", own_login},
                                                  {"plugin_dir", own_login},
                                                  {"tls_version", own_tls},
                                                  {"tls_versions", own_tls},
                                                  {"tls_ciphersuites", own_tls}}};

class Parameters {
 public:
  explicit Parameters(DatabaseUrl& url) : url_(url) {}

  Result<void> take(const std::string& key, const std::string& value) {
    if (take_text(key, value) || take_switch(key, value)) return {};
    if (key == "ssl_mode") return take_mode(value);
    if (auto* timeout = timeout_of(key)) return take_timeout(*timeout, key, value);
    const auto* const known =
        std::find_if(passed_over.begin(), passed_over.end(), [&key](const PassedOver& one) { return one.name == key; });
    if (known != passed_over.end())
      url_.remarks.push_back("'" + key + "' of the URL is passed over: " + std::string(known->why));
    if (known != passed_over.end() || has(without_meaning, key)) return {};
    return unknown(key);
  }

  // Takes what the file that read_default_file names has and the URL lacks.
  Result<void> take_file() {
    if (file_.empty()) return {};
    const auto options = read_client_file(file_, group_);
    if (!options) return options.error();
    if (!*options) {
      url_.remarks.push_back("'read_default_file' of the URL: there is no file " + file_ +
                             "; Nova passes over it as well");
      return {};
    }
    const std::array<std::pair<std::string_view, std::string*>, 11> texts{{{"user", &url_.user},
                                                                           {"password", &url_.password},
                                                                           {"host", &url_.host},
                                                                           {"database", &url_.database},
                                                                           {"socket", &url_.unix_socket},
                                                                           {"bind-address", &url_.bind_address},
                                                                           {"ssl-ca", &url_.tls.ca},
                                                                           {"ssl-capath", &url_.tls.ca_path},
                                                                           {"ssl-cert", &url_.tls.certificate},
                                                                           {"ssl-key", &url_.tls.key},
                                                                           {"ssl-cipher", &url_.tls.cipher}}};
    for (const auto& [name, text] : texts)
      if (const auto found = (*options)->find(name); text->empty() && found != (*options)->end()) *text = found->second;
    const auto port = (*options)->find("port");
    return url_.port != 0 || port == (*options)->end() ? Result<void>() : take_port(port->second);
  }

  Result<void> take_port(std::string_view text) {
    const auto port = number_in<std::uint16_t>(text);
    if (!port || *port == 0)
      return refused("port: expected a number from 1 to 65535; is an '@' of the password not %40?");
    url_.port = *port;
    return {};
  }

  void finish() {
    if (url_.host.empty()) url_.host = "localhost";
    if (url_.port == 0) url_.port = 3306;
    auto& tls = url_.tls;
    if (is_disabled_) tls = {};
    const bool has_authority = !tls.ca.empty() || !tls.ca_path.empty();
    tls.verifies_host = verifies_host_.value_or(has_authority) && !is_disabled_;
    tls.is_wanted = !is_disabled_ && (is_enabled_ || has_authority || tls.verifies_host || !tls.certificate.empty() ||
                                      !tls.key.empty() || !tls.cipher.empty());
  }

 private:
  bool take_text(std::string_view key, const std::string& value) {
    const std::array<std::pair<std::string_view, std::string*>, 19> texts{{{"unix_socket", &url_.unix_socket},
                                                                           {"bind_address", &url_.bind_address},
                                                                           {"host", &url_.host},
                                                                           {"user", &url_.user},
                                                                           {"password", &url_.password},
                                                                           {"passwd", &url_.password},
                                                                           {"db", &url_.database},
                                                                           {"database", &url_.database},
                                                                           {"read_default_file", &file_},
                                                                           {"default_file", &file_},
                                                                           {"read_default_group", &group_},
                                                                           {"default_group", &group_},
                                                                           {"ssl_ca", &url_.tls.ca},
                                                                           {"ssl_capath", &url_.tls.ca_path},
                                                                           {"ssl_cert", &url_.tls.certificate},
                                                                           {"ssl_key", &url_.tls.key},
                                                                           {"ssl_key_password", &url_.tls.key_password},
                                                                           {"ssl_cipher", &url_.tls.cipher},
                                                                           {"socket", &url_.unix_socket}}};
    const auto found = std::find_if(texts.begin(), texts.end(), [key](const auto& text) { return text.first == key; });
    if (found != texts.end()) *found->second = value;
    return found != texts.end();
  }

  bool take_switch(std::string_view key, std::string_view value) {
    if (key == "ssl_disabled") {
      is_disabled_ = is_true(value);
    } else if (key == "ssl") {
      is_enabled_ = is_true(value);
    } else if (key == "ssl_check_hostname" || key == "ssl_verify_identity" || key == "ssl_verify_cert") {
      verifies_host_ = is_true(value);
    } else {
      return false;
    }
    return true;
  }

  // The modes of MySQL's own clients.
  Result<void> take_mode(std::string_view value) {
    constexpr std::array<std::string_view, 5> modes{"DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA",
                                                    "VERIFY_IDENTITY"};
    if (!has(modes, value))
      return refused("ssl_mode: expected DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY");
    is_disabled_ = value == "DISABLED";
    is_enabled_ = value == "REQUIRED";
    if (value.starts_with("VERIFY")) verifies_host_ = true;
    return {};
  }

  std::optional<std::chrono::seconds>* timeout_of(std::string_view key) {
    if (key == "connect_timeout" || key == "connection_timeout") return &url_.connect_timeout;
    if (key == "read_timeout") return &url_.read_timeout;
    return key == "write_timeout" ? &url_.write_timeout : nullptr;
  }

  static Result<void> take_timeout(std::optional<std::chrono::seconds>& timeout, const std::string& key,
                                   std::string_view value) {
    constexpr std::int32_t most = 31'536'000;
    const auto seconds = number_in<std::int32_t>(value);
    if (!seconds || *seconds < 1 || *seconds > most)
      return refused(key + ": expected seconds from 1 to " + std::to_string(most));
    timeout = std::chrono::seconds(*seconds);
    return {};
  }

  static Error unknown(const std::string& key) {
    const std::vector<std::string> followed{
        "unix_socket",     "bind_address", "read_default_file",  "ssl_key",         "ssl_capath",          "ssl_cert",
        "ssl_ca",          "ssl_cipher",   "ssl_check_hostname", "ssl_verify_cert", "ssl_verify_identity", "ssl_mode",
        "connect_timeout", "read_timeout", "write_timeout",      "charset"};
    const bool is_name = key.size() <= 32 && std::all_of(key.begin(), key.end(), [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
                         });
    if (!is_name) return refused("a parameter: not known to the clients of MySQL and MariaDB");
    const std::string near = nearest(key, followed);
    return refused("parameter '" + key + "': not known to the clients of MySQL and MariaDB" +
                   (near.empty() ? "" : "; did you mean " + near + "?"));
  }

  DatabaseUrl& url_;
  std::string file_;
  std::string group_ = "client";
  bool is_disabled_ = false;
  bool is_enabled_ = false;
  std::optional<bool> verifies_host_;
};

bool has_nul(const DatabaseUrl& url) {
  const auto& tls = url.tls;
  for (const auto* text : {&url.user, &url.password, &url.host, &url.database, &url.unix_socket, &url.bind_address,
                           &tls.ca, &tls.ca_path, &tls.certificate, &tls.key, &tls.key_password, &tls.cipher})
    if (text->find('\0') != std::string::npos) return true;
  return false;
}

}  // namespace

Result<DatabaseUrl> parse_database_url(std::string_view text) {
  auto parts = split(text);
  if (!parts) return std::move(parts).error();
  if (auto fault = fault_of_scheme(parts->scheme); !fault.empty()) return refused(std::move(fault));
  DatabaseUrl url;
  url.user = percent_decoded(parts->user.value_or(""));
  url.password = percent_decoded(parts->password.value_or(""));
  url.host = parts->host.value_or("");
  url.port = 0;
  url.database = parts->path.value_or("");
  Parameters parameters(url);
  if (!parts->port.value_or("").empty())
    if (auto taken = parameters.take_port(*parts->port); !taken) return std::move(taken).error();
  auto read = each_parameter(
      parts->query.value_or(""), "&;",
      [&parameters](const std::string& key, const std::string& value) { return parameters.take(key, value); });
  if (read) read = parameters.take_file();
  if (!read) return std::move(read).error();
  parameters.finish();
  if (url.database.empty()) return refused("expected " + std::string(form) + ", found no database");
  if (has_nul(url)) return refused("expected text, found a NUL");
  return url;
}

std::string place_of(const DatabaseUrl& url) {
  if (!url.unix_socket.empty()) return url.database + " at " + url.unix_socket;
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  return url.database + " at " + (is_ipv6 ? "[" + url.host + "]" : url.host) + ":" + std::to_string(url.port);
}

}  // namespace gantry::config::nova

// SPDX-License-Identifier: Apache-2.0
//
// Fills templates of database URLs.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/config/nova/urls/database_url.hpp"

namespace gantry::config::nova {

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

}  // namespace gantry::config::nova

// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/without_secrets.hpp"

#include <algorithm>
#include <array>

namespace gantry::scheduling {

namespace {

constexpr std::string_view hidden = "****";

// A member or key whose name has one of these holds a secret, or one may be in it.
constexpr std::array<std::string_view, 8> telling{"password",   "passwd",      "secret",     "auth_token",
                                                  "credential", "private_key", "admin_pass", "user_data"};

bool speaks_of_a_secret(std::string_view name) {
  std::string lower(name);
  for (auto& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::any_of(telling, [&lower](auto word) { return lower.find(word) != std::string::npos; });
}

void hide(json::value& value) {
  if (value.is_string() && !value.get_string().empty()) value = hidden;
  if (value.is_array() || value.is_object()) value = hidden;
}

// Appends what an URL names between :// and the path: one host, or several with commas between them, as a broker's URL
// has them. A password may hold an unescaped "@", so the last one counts.
void append_hosts(std::string& out, std::string_view authority) {
  for (;;) {
    const auto host = authority.substr(0, authority.find(','));
    const auto sign = host.rfind('@');
    if (sign == std::string_view::npos)
      out.append(host);
    else
      out.append(hidden).append(host.substr(sign));
    authority.remove_prefix(host.size());
    if (authority.empty()) return;
    out += ',';
    authority.remove_prefix(1);
  }
}

// A row of the configuration is {key, value}.
void hide_value_of_key(json::object& object) {
  const auto key = json::find_string(object, "key");
  const auto value = object.find("value");
  if (key && value != object.end() && speaks_of_a_secret(*key)) hide(value->value());
}

}  // namespace

std::string without_credentials(std::string_view text) {
  constexpr std::string_view mark = "://";
  std::string result;
  for (;;) {
    const auto at = text.find(mark);
    if (at == std::string_view::npos) return result.append(text);
    const auto begin = at + mark.size();
    result.append(text.substr(0, begin));
    text.remove_prefix(begin);
    const auto authority = text.substr(0, text.find_first_of("/ \t\n\"';?#"));
    append_hosts(result, authority);
    text.remove_prefix(authority.size());
  }
}

void hide_secrets(json::value& document) {
  if (document.is_string()) {
    const std::string_view text = document.get_string();
    if (text.find("://") != std::string_view::npos) document = without_credentials(text);
  } else if (document.is_array()) {
    for (auto& item : document.get_array()) hide_secrets(item);
  } else if (document.is_object()) {
    hide_value_of_key(document.get_object());
    for (auto& member : document.get_object()) {
      if (speaks_of_a_secret(member.key()))
        hide(member.value());
      else
        hide_secrets(member.value());
    }
  }
}

}  // namespace gantry::scheduling

// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/urls/client_file.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/config/sources/files.hpp"

namespace gantry::config::nova {

namespace {

std::string option_name(std::string_view text) {
  std::string name(text);
  std::ranges::transform(name, name.begin(), [](char sign) {
    if (sign == '_') return '-';
    return sign >= 'A' && sign <= 'Z' ? static_cast<char>(sign - 'A' + 'a') : sign;
  });
  return name;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view without_quotes(std::string_view value) {
  const bool is_quoted =
      value.size() > 1 && value.front() == value.back() && (value.front() == '"' || value.front() == '\'');
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

Result<std::optional<ClientOptions>> read_client_file(const std::string& path, const std::string& group) {
  if (!path.starts_with('/'))
    return Error{ErrorCode::invalid_configuration, "read_default_file: expected an absolute path", ""};
  const auto file = read_file(path);
  if (!file) return file.error();
  if (!*file) return std::optional<ClientOptions>();
  ClientOptions options;
  bool is_wanted = false;
  std::string_view rest = (*file)->text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';' || line.front() == '!') continue;
    if (line.front() == '[') {
      is_wanted = line.substr(1, line.find(']') - 1) == group;
      continue;
    }
    const std::size_t sign = std::min(line.find_first_of("=:"), line.size());
    if (is_wanted && sign < line.size())
      options[option_name(trimmed(line.substr(0, sign)))] = without_quotes(trimmed(line.substr(sign + 1)));
  }
  return std::optional<ClientOptions>(std::move(options));
}

}  // namespace gantry::config::nova

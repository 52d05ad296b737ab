// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/urls/url_text.hpp"

#include <algorithm>

namespace gantry::config::nova {

namespace {

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

}  // namespace

std::string percent_decoded(std::string_view text, bool plus_is_space) {
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

Result<void> each_parameter(
    std::string_view query, std::string_view separators,
    const std::function<Result<void>(const std::string& name, const std::string& value)>& take) {
  while (!query.empty()) {
    const auto end = std::min(query.find_first_of(separators), query.size());
    const auto pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const auto sign = pair.find('=');
    if (sign == std::string_view::npos || sign + 1 == pair.size()) continue;
    auto taken = take(percent_decoded(pair.substr(0, sign), true), percent_decoded(pair.substr(sign + 1), true));
    if (!taken) return taken;
  }
  return {};
}

}  // namespace gantry::config::nova

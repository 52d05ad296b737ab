// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/name_path.hpp"

namespace gantry {

std::string join_names(std::span<const std::string_view> names) {
  std::string path;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) path += '/';
    for (const char c : names[at]) {
      if (c == '/' || c == '%') {
        path += c == '/' ? "%2F" : "%25";
      } else {
        path += c;
      }
    }
  }
  return path;
}

std::vector<std::string> split_names(std::string_view path) {
  std::vector<std::string> names(1);
  for (std::size_t at = 0; at < path.size(); ++at) {
    const auto escaped = path.substr(at, 3);
    if (path[at] == '/') {
      names.emplace_back();
    } else if (escaped == "%2F" || escaped == "%25") {
      names.back() += escaped == "%2F" ? '/' : '%';
      at += 2;
    } else {
      names.back() += path[at];
    }
  }
  return names;
}

}  // namespace gantry

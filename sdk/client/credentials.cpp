// SPDX-License-Identifier: Apache-2.0
#include "credentials.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace gantry::client_library {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool is_token(const std::string& text) {
  return !text.empty() && text.size() <= 4096 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

void read_token(const std::string& path, Credentials& found) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) {
    found.fault = "token file '" + path + "': cannot be read: " + std::generic_category().message(errno);
    return;
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (!is_token(text)) {
    found.fault = "token file '" + path + "': expected one token on one line, as gantry token create prints it";
    return;
  }
  found.token = std::move(text);
}

}  // namespace

Credentials find_credentials(const std::string& token, const std::string& token_file, const std::string& ca_file) {
  Credentials found;
  found.ca_file = ca_file.empty() ? variable("GANTRY_CA_FILE") : ca_file;
  if (!token_file.empty() && token.empty()) {
    read_token(token_file, found);
    return found;
  }
  found.token = token.empty() ? variable("GANTRY_TOKEN") : token;
  if (!found.token.empty() && !is_token(found.token)) {
    found.fault = "token: expected printable ASCII without spaces, as gantry token create prints it";
    found.token.clear();
  }
  if (!found.token.empty() || !found.fault.empty()) return found;
  if (const auto path = variable("GANTRY_TOKEN_FILE"); !path.empty()) read_token(path, found);
  return found;
}

}  // namespace gantry::client_library

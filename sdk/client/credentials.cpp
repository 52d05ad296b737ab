// SPDX-License-Identifier: Apache-2.0
#include "credentials.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
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

// Returns what is wrong with who may read the file. Empty: nothing, or there is no such file.
std::string readers_of(const std::string& path) {
  constexpr unsigned others = 0007;
  struct stat file {};
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode) || (file.st_mode & others) == 0) return {};
  std::array<char, 8> mode{};
  std::snprintf(mode.data(), mode.size(), "%04o", file.st_mode & 07777U);
  return "expected that others may not read it, found mode " + std::string(mode.data()) + "; run: chmod o= " + path;
}

void read_token(const std::string& path, Credentials& found) {
  if (const auto fault = readers_of(path); !fault.empty()) {
    found.fault = "token file '" + path + "': " + fault;
    return;
  }
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

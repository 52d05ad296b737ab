// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/request_context.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/encoding/json_without.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::array<std::string_view, 11> secret_words{
    "token",   "password",  "passwd",        "secret",       "privatekey",        "credential",
    "catalog", "adminpass", "injectedfiles", "transporturl", "databaseconnection"};

// The set of letters in a text, one bit for each. Upper and lower case count as one.
constexpr std::uint32_t letters_of(std::string_view text) {
  std::uint32_t letters = 0;
  for (const char c : text) letters |= std::uint32_t{1} << (static_cast<unsigned char>(c) % 32);
  return letters;
}

// Whether the key belongs to the envelope of a versioned object: half of the keys of such a request do.
bool is_of_an_envelope(std::string_view key) {
  constexpr std::string_view prefix = "nova_object.";
  if (!key.starts_with(prefix)) return false;
  const auto rest = key.substr(prefix.size());
  switch (rest.size()) {
    case 4: return rest == "name" || rest == "data";
    case 7: return rest == "version" || rest == "changes";
    case 9: return rest == "namespace";
    default: return false;
  }
}

// A quick test for each key of a request: most keys lack a letter of every secret word.
bool has_letters_of_a_secret(std::string_view key) {
  static constexpr auto wanted = [] {
    std::array<std::uint32_t, secret_words.size()> letters{};
    std::transform(secret_words.begin(), secret_words.end(), letters.begin(), &letters_of);
    return letters;
  }();
  const auto letters = letters_of(key);
  std::uint32_t all = 0;
  for (const auto word : wanted) all |= static_cast<std::uint32_t>((letters & word) == word);
  return all != 0;
}

json::value value_without_secrets(const json::value& value) {
  if (value.is_object()) return without_secrets(value.get_object());
  if (!value.is_array()) return value;
  json::array list;
  for (const auto& item : value.get_array()) list.push_back(value_without_secrets(item));
  return list;
}

// Erases all secrets in one pass: erasing one by one would move the members behind it each time.
void erase_secret_members(json::object& object) {
  json::object kept(object.storage());
  kept.reserve(object.size());
  for (auto& member : object) {
    if (!is_secret(member.key())) kept.emplace(member.key(), std::move(member.value()));
  }
  object = std::move(kept);
}

std::string text_of(const json::object& context, std::string_view key, std::string_view older_key = {}) {
  if (const auto text = json::find_string(context, key)) return std::string(*text);
  if (older_key.empty()) return {};
  return std::string(json::find_string(context, older_key).value_or(""));
}

}  // namespace

bool is_secret(std::string_view key) {
  constexpr std::size_t shortest = 5;
  if (key.size() < shortest || is_of_an_envelope(key) || !has_letters_of_a_secret(key)) return false;
  std::string letters;
  for (const char c : key) {
    if (c == '_' || c == '-' || c == '.' || c == ' ') continue;
    letters.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return std::any_of(secret_words.begin(), secret_words.end(),
                     [&letters](std::string_view word) { return letters.find(word) != std::string::npos; });
}

json::object without_secrets(const json::object& object) {
  json::object result;
  for (const auto& member : object) {
    if (!is_secret(member.key())) result.emplace(member.key(), value_without_secrets(member.value()));
  }
  return result;
}

void erase_secrets(json::value& value) {
  if (auto* list = value.if_array()) {
    for (auto& item : *list) {
      if (item.is_structured()) erase_secrets(item);
    }
  } else if (auto* object = value.if_object()) {
    bool has_secrets = false;
    for (auto& member : *object) {
      has_secrets = has_secrets || is_secret(member.key());
      if (member.value().is_structured()) erase_secrets(member.value());
    }
    if (has_secrets) erase_secret_members(*object);
  }
}

RequestContext::RequestContext(const json::object& context, std::string_view request_id)
    : request_id_(request_id),
      user_id_(text_of(context, "user_id", "user")),
      project_id_(text_of(context, "project_id", "tenant")),
      remote_address_(text_of(context, "remote_address")),
      text_(json::write_without(context, &is_secret)) {
  if (const auto* roles = json::find_array(context, "roles")) {
    for (const auto& role : *roles) {
      if (role.is_string()) roles_.emplace_back(std::string_view(role.get_string()));
    }
  }
  for (const auto& role : roles_) role_views_.push_back(drivers::to_abi(role));
  view_.struct_size = sizeof view_;
  view_.is_admin = json::find_bool(context, "is_admin").value_or(false) ? 1 : 0;
  view_.request_id = drivers::to_abi(request_id_);
  view_.user_id = drivers::to_abi(user_id_);
  view_.project_id = drivers::to_abi(project_id_);
  view_.remote_address = drivers::to_abi(remote_address_);
  view_.roles = {role_views_.data(), role_views_.size()};
  view_.json = drivers::to_abi(text_);
}

}  // namespace gantry::scheduling

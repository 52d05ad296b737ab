// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/keystone_documents.hpp"

#include <optional>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/encoding/time.hpp"

namespace gantry::nova {

namespace {

json::object name_object(const KeystoneName& named) {
  if (!named.id.empty()) return {{"id", named.id}};
  return {{"name", named.name}};
}

json::object name_in_domain(const KeystoneName& named, const KeystoneName& domain) {
  json::object object = name_object(named);
  if (named.id.empty()) object["domain"] = name_object(domain);
  return object;
}

Error unexpected(std::string what) {
  return {ErrorCode::unavailable, "Keystone's token: " + std::move(what), ""};
}

bool is_in_region(const json::object& endpoint, const std::string& region) {
  if (region.empty()) return true;
  const auto id = json::find_string(endpoint, "region_id");
  return (id ? id : json::find_string(endpoint, "region")).value_or("") == region;
}

std::optional<std::string> find_endpoint(const json::array& endpoints, const KeystoneService& service) {
  for (const auto& interface : service.interfaces) {
    for (const auto& element : endpoints) {
      const auto* const endpoint = element.if_object();
      if (endpoint == nullptr || !is_in_region(*endpoint, service.region)) continue;
      const auto url = json::find_string(*endpoint, "url");
      if (json::find_string(*endpoint, "interface") == interface && url) return std::string(*url);
    }
  }
  return std::nullopt;
}

std::string words_of(const KeystoneService& service) {
  std::string words = "an endpoint of service type " + service.type + ", interface";
  for (const auto& interface : service.interfaces) words += " " + interface;
  if (!service.region.empty()) words += ", region " + service.region;
  return words;
}

Result<std::string> endpoint_of(const json::object& token, const KeystoneService& service) {
  if (!service.endpoint_override.empty()) return service.endpoint_override;
  const auto* const catalogue = json::find_array(token, "catalog");
  if (catalogue == nullptr) return unexpected("expected a catalogue, found none; is there a project in the config?");
  for (const auto& element : *catalogue) {
    const auto* const found = element.if_object();
    if (found == nullptr || json::find_string(*found, "type") != service.type) continue;
    const auto* const endpoints = json::find_array(*found, "endpoints");
    if (endpoints == nullptr) continue;
    if (auto url = find_endpoint(*endpoints, service)) return *std::move(url);
  }
  return unexpected("expected " + words_of(service) + " in the catalogue, found none");
}

}  // namespace

std::string keystone_tokens_path(std::string_view auth_path) {
  return auth_path.ends_with("/v3") ? "/auth/tokens" : "/v3/auth/tokens";
}

std::string keystone_question(const KeystoneUser& user) {
  json::object named = name_in_domain(user.user, user.user_domain);
  named["password"] = user.password;
  json::object identity;
  identity["methods"] = json::array{"password"};
  identity["password"] = json::object{{"user", std::move(named)}};
  json::object auth;
  auth["identity"] = std::move(identity);
  if (!user.project.id.empty() || !user.project.name.empty())
    auth["scope"] = json::object{{"project", name_in_domain(user.project, user.project_domain)}};
  return json::write(json::object{{"auth", std::move(auth)}});
}

Result<KeystoneToken> read_keystone_token(std::string_view body, const KeystoneService& service) {
  const auto read = json::parse_object(body);
  if (!read) return unexpected(read.error().message);
  const auto* const token = json::find_object(*read, "token");
  if (token == nullptr) return unexpected("expected the member token, found none");
  const auto begin = parse_time(json::find_string(*token, "issued_at").value_or(""));
  const auto end = parse_time(json::find_string(*token, "expires_at").value_or(""));
  if (!begin || !end) return unexpected("expected the times issued_at and expires_at, found none that can be read");
  auto endpoint = endpoint_of(*token, service);
  if (!endpoint) return std::move(endpoint).error();
  return KeystoneToken{*std::move(endpoint), std::chrono::nanoseconds(*end - *begin)};
}

}  // namespace gantry::nova

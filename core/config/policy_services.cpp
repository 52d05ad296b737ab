// SPDX-License-Identifier: Apache-2.0
#include "core/config/policy_services.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "core/config/keys.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config {

namespace {

constexpr std::array<std::string_view, 5> service_keys{"url", "timeout", "token_file", "ca_file", "drivers"};
constexpr double longest_service_timeout = 60;

struct FaultOfKey {
  std::string expected;
  std::string found;
};

// A password in a URL would stand in messages and in what the configuration shows.
bool is_service_url(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos || (!url.starts_with("http://") && !url.starts_with("https://"))) return false;
  const auto rest = url.substr(scheme + 3);
  const auto is_of_url = [](char c) { return c > ' ' && c < '\x7f' && c != '@' && c != '?' && c != '#'; };
  return !rest.empty() && rest.front() != '/' && rest.front() != ':' && std::ranges::all_of(rest, is_of_url);
}

std::optional<FaultOfKey> put_url(const Node& node, std::string& into) {
  const auto* text = node.get<std::string>();
  into = text == nullptr ? std::string("?") : *text;  // a wrong URL is not told of as a missing one
  if (text == nullptr || !is_service_url(*text)) {
    const bool is_secret = text != nullptr && text->find('@') != std::string::npos;
    return FaultOfKey{"a URL in quotes, http://HOST[:PORT][/PATH] or https://..., without user and query",
                      is_secret ? "one with a user" : describe(node)};
  }
  return std::nullopt;
}

std::optional<FaultOfKey> put_timeout(const Node& node, std::chrono::milliseconds& into) {
  const auto* whole = node.get<std::int64_t>();
  const auto* real = node.get<double>();
  const double seconds = whole != nullptr ? static_cast<double>(*whole) : real != nullptr ? *real : 0;
  if (!(seconds >= 0.001 && seconds <= longest_service_timeout))
    return FaultOfKey{"a number of seconds, 0.001 to 60", describe(node)};
  into = std::chrono::milliseconds(std::llround(seconds * 1000));
  return std::nullopt;
}

std::optional<FaultOfKey> put_file(const Node& node, std::string& into) {
  const auto* text = node.get<std::string>();
  if (text == nullptr || (!text->empty() && !text->starts_with('/')))
    return FaultOfKey{"an absolute path in quotes, or \"\"", describe(node)};
  into = *text;
  return std::nullopt;
}

std::optional<FaultOfKey> put_drivers(const Node& node, std::vector<std::string>& into) {
  const std::string expected = "a list of drivers, as [\"site\"]";
  const auto* items = node.get<Array>();
  if (items == nullptr || items->empty())
    return FaultOfKey{expected, items == nullptr ? describe(node) : "an empty list"};
  into.clear();
  for (const auto& item : *items) {
    const auto* text = item.get<std::string>();
    if (text == nullptr || !is_driver_id(*text)) return FaultOfKey{expected, describe(item) + " in it"};
    into.push_back(*text);
  }
  return std::nullopt;
}

std::optional<FaultOfKey> put_service_key(PolicyService& service, const Member& member) {
  if (member.key == "url") return put_url(member.node, service.url);
  if (member.key == "timeout") return put_timeout(member.node, service.timeout);
  if (member.key == "token_file") return put_file(member.node, service.token_file);
  if (member.key == "ca_file") return put_file(member.node, service.ca_file);
  return put_drivers(member.node, service.drivers);
}

void read_policy_service(const Member& member, PolicyService& service, std::vector<std::string>& problems) {
  const std::string name = "ask." + member.key + ".";
  if (service.origin.empty()) service.origin = member.origin;
  for (const auto& key : member.node.get<Table>()->members) {
    if (std::ranges::find(service_keys, key.key) == service_keys.end()) {
      const auto near = nearest(key.key, {service_keys.begin(), service_keys.end()});
      problems.push_back(key.origin + ": unknown key '" + name + key.key + "'; " +
                         (near.empty() ? "a policy service has url, timeout, token_file, ca_file and drivers"
                                       : "did you mean '" + name + near + "'?"));
    } else if (const auto fault = put_service_key(service, key)) {
      problems.push_back(key.origin + ": " + name + key.key + ": expected " + fault->expected + ", found " +
                         fault->found);
    }
  }
}

}  // namespace

void read_policy_services(const Member& member, std::map<std::string, PolicyService>& services,
                          std::vector<std::string>& problems) {
  const auto* table = member.node.get<Table>();
  if (table == nullptr) {
    problems.push_back(member.origin + ": ask: expected sections [ask.<name>], found " + describe(member.node));
    return;
  }
  for (const auto& inner : table->members) {
    if (inner.node.get<Table>() == nullptr)
      problems.push_back(inner.origin + ": ask." + key_to_toml(inner.key) +
                         ": expected a section [ask.<name>], found " + describe(inner.node));
    else if (!is_driver_id(inner.key))
      problems.push_back(inner.origin + ": ask." + key_to_toml(inner.key) +
                         ": expected the name of a service (letters, digits, _ and -), found " + to_toml(inner.key));
    else
      read_policy_service(inner, services[inner.key], problems);
  }
}

void check_policy_services(const Settings& settings, std::vector<std::string>& problems) {
  std::set<std::string> loaded(settings.scheduler_driver.begin(), settings.scheduler_driver.end());
  for (const auto& id : settings.scheduler_driver)
    if (const auto section = settings.drivers.find(id); section != settings.drivers.end())
      loaded.insert(section->second.fallback);
  for (const auto& [name, service] : settings.policy_services) {
    const auto add = [&, &place = service.origin, &key = name](const std::string& fault) {
      problems.push_back(place + ": ask." + key + "." + fault);
    };
    if (service.url.empty()) add("url: expected a URL, found no such key");
    for (const auto& driver : service.drivers) {
      if (loaded.contains(driver)) continue;
      const auto near = nearest(driver, {loaded.begin(), loaded.end()});
      add("drivers: expected drivers that are loaded, found \"" + driver + "\"" +
          (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
    }
  }
}

std::vector<Shown> shown_policy_services(const std::map<std::string, PolicyService>& services) {
  std::vector<Shown> shown;
  for (const auto& [name, service] : services) {
    Array drivers;
    for (const auto& driver : service.drivers) drivers.push_back({driver});
    const auto add = [&, &key = name, &place = service.origin](std::string_view what, std::string value) {
      shown.push_back({"ask." + key + "." + std::string(what), std::move(value), place});
    };
    add("url", to_toml(std::string_view(service.url)));
    add("timeout", to_toml(static_cast<double>(service.timeout.count()) / 1000));
    add("token_file", to_toml(std::string_view(service.token_file)));
    add("ca_file", to_toml(std::string_view(service.ca_file)));
    add("drivers", to_toml(Node{std::move(drivers)}));
  }
  return shown;
}

}  // namespace gantry::config

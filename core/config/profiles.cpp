// SPDX-License-Identifier: Apache-2.0
#include "core/config/profiles.hpp"

#include <algorithm>
#include <array>

#include "core/config/keys.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config {

namespace {

using Patterns = std::vector<std::string>;

struct ListKey {
  std::string_view name;
  Patterns Profile::*patterns;
};

constexpr std::array<ListKey, 5> list_keys{{{"flavor", &Profile::flavor},
                                            {"project", &Profile::project},
                                            {"availability_zone", &Profile::availability_zone},
                                            {"aggregate", &Profile::aggregate},
                                            {"group_policy", &Profile::group_policy}}};

std::vector<std::string> known_keys() {
  std::vector<std::string> known{"name", "driver", "hint"};
  for (const auto& key : list_keys) known.emplace_back(key.name);
  return known;
}

// One [[profile]].
class Reading {
 public:
  Reading(const Table& table, std::size_t number, const std::string& place, std::vector<std::string>& problems)
      : table_(table), key_("profile[" + std::to_string(number) + "]"), problems_(problems) {
    read_.origin = table.members.empty() ? place : table.members.front().origin;
  }

  Profile run() {
    for (const auto& member : table_.members) take(member);
    for (const auto& [name, value] : {std::pair{"name", &read_.name}, std::pair{"driver", &read_.driver}})
      if (value->empty() && table_.find(name) == nullptr)
        problems_.push_back(read_.origin + ": " + key_ + "." + name + ": expected a value, found no such key");
    return std::move(read_);
  }

 private:
  void take(const Member& member) {
    if (member.key == "name") return take_name(member, read_.name);
    if (member.key == "driver") return take_name(member, read_.driver);
    if (member.key == "hint") return take_hints(member);
    const auto list = std::ranges::find(list_keys, member.key, &ListKey::name);
    if (list != list_keys.end()) return take_patterns(member, key_ + "." + member.key, read_.*(list->patterns));
    const auto near = nearest(member.key, known_keys());
    problems_.push_back(member.origin + ": unknown key '" + key_ + "." + member.key + "'; " +
                        (near.empty() ? "a profile has name, driver, flavor, project, availability_zone, aggregate, "
                                        "group_policy and hint"
                                      : "did you mean '" + near + "'?"));
  }

  void take_name(const Member& member, std::string& into) {
    const auto* text = member.node.get<std::string>();
    if (text == nullptr || !is_driver_id(*text))
      return unlike(member, key_ + "." + member.key, "a name (letters, digits, _ and -)", describe(member.node));
    into = *text;
  }

  void take_hints(const Member& member) {
    const auto* hints = member.node.get<Table>();
    if (hints == nullptr || hints->members.empty())
      return unlike(member, key_ + ".hint", "a table of hints such as {arch = \"arm*\"}", describe(member.node));
    for (const auto& hint : hints->members)
      take_patterns(hint, key_ + ".hint." + key_to_toml(hint.key), read_.hint[hint.key]);
  }

  void take_patterns(const Member& member, const std::string& key, Patterns& into) {
    const std::string expected = "a pattern such as \"g1.*\", or a list of them";
    if (const auto* text = member.node.get<std::string>(); text != nullptr && !text->empty()) {
      into = {*text};
      return;
    }
    const auto* items = member.node.get<Array>();
    if (items == nullptr || items->empty())
      return unlike(member, key, expected, items == nullptr ? describe(member.node) : "an empty list");
    into.clear();
    for (const auto& item : *items) {
      const auto* text = item.get<std::string>();
      if (text == nullptr || text->empty()) return unlike(member, key, expected, describe(item) + " in it");
      into.push_back(*text);
    }
  }

  void unlike(const Member& member, const std::string& key, const std::string& expected, const std::string& found) {
    const auto& place = member.origin.empty() ? read_.origin : member.origin;
    problems_.push_back(place + ": " + key + ": expected " + expected + ", found " + found);
  }

  const Table& table_;
  const std::string key_;
  std::vector<std::string>& problems_;
  Profile read_;
};

Node node_of(const Patterns& patterns) {
  Array items;
  for (const auto& pattern : patterns) items.push_back({pattern});
  return {std::move(items)};
}

std::string text_of(const Profile& profile) {
  Table table;
  table.members.push_back({"driver", {profile.driver}, ""});
  for (const auto& key : list_keys)
    if (const auto& patterns = profile.*(key.patterns); !patterns.empty())
      table.members.push_back({std::string(key.name), node_of(patterns), ""});
  Table hints;
  for (const auto& [key, patterns] : profile.hint) hints.members.push_back({key, node_of(patterns), ""});
  if (!hints.members.empty()) table.members.push_back({"hint", {std::move(hints)}, ""});
  return to_toml(Node{std::move(table)});
}

}  // namespace

std::vector<Profile> read_profiles(const Member& member, std::vector<std::string>& problems) {
  std::vector<Profile> profiles;
  const auto* items = member.node.get<Array>();
  if (items == nullptr) {
    problems.push_back(member.origin + ": profile: expected sections [[profile]], found " + describe(member.node) +
                       "; write [[profile]] with two brackets");
    return profiles;
  }
  for (const auto& item : *items) {
    const auto* table = item.get<Table>();
    if (table == nullptr) {
      problems.push_back(member.origin + ": profile: expected sections [[profile]], found " + describe(item));
      continue;
    }
    auto read = Reading(*table, profiles.size() + 1, member.origin, problems).run();
    const auto same = std::ranges::find(profiles, read.name, &Profile::name);
    if (!read.name.empty() && same != profiles.end())
      problems.push_back(read.origin + ": profile '" + read.name + "': expected each name once, found it at " +
                         same->origin + " too");
    profiles.push_back(std::move(read));
  }
  return profiles;
}

std::vector<Shown> shown_profiles(const std::vector<Profile>& profiles, const std::string& origin_of_list) {
  if (profiles.empty()) return {};
  Patterns names;
  for (const auto& profile : profiles) names.push_back(profile.name);
  std::vector<Shown> shown{{"profile", to_toml(node_of(names)), origin_of_list}};
  for (const auto& profile : profiles) shown.push_back({"profile." + profile.name, text_of(profile), profile.origin});
  return shown;
}

}  // namespace gantry::config

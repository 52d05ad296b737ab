// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/simulation_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "core/config/sources/toml.hpp"
#include "core/config/sources/tree.hpp"
#include "core/encoding/nearest.hpp"
#include "core/encoding/text_rules.hpp"

namespace gantry::cli::agent {

namespace {

constexpr std::size_t most_hosts = 100'000;
constexpr std::int64_t most_of_anything = std::numeric_limits<std::int32_t>::max();  // as in a host's report

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys{"name",      "count",    "node",  "topic",  "vcpus",
                                             "memory_mb", "local_gb", "stats", "launch", "boot_seconds"};
  return keys;
}

// nullopt if the node holds a type that JSON lacks, as a date.
std::optional<json::value> to_json(const config::Node& node);

std::optional<json::value> to_json(const config::Array& array) {
  json::array list;
  for (const config::Node& element : array) {
    auto value = to_json(element);
    if (!value) return std::nullopt;
    list.push_back(std::move(*value));
  }
  return list;
}

std::optional<json::value> to_json(const config::Table& table) {
  json::object object;
  for (const config::Member& member : table.members) {
    auto value = to_json(member.node);
    if (!value) return std::nullopt;
    object[member.key] = std::move(*value);
  }
  return object;
}

std::optional<json::value> to_json(const config::Node& node) {
  return std::visit(
      [](const auto& value) -> std::optional<json::value> {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, config::Date>)
          return std::nullopt;
        else if constexpr (std::is_same_v<T, config::Array> || std::is_same_v<T, config::Table>)
          return to_json(value);
        else if constexpr (std::is_same_v<T, double>)
          return std::isfinite(value) ? std::optional(json::value(value)) : std::nullopt;
        else
          return json::value(value);
      },
      node.value);
}

// Reads the keys of one table; the first error stays.
class HostReader {
 public:
  // `origin`: of the table, for what no key of it can tell.
  HostReader(const config::Table& table, std::string origin) : table_(table), origin_(std::move(origin)) {}

  void refuse(const config::Member& member, const std::string& expected) {
    if (error_) return;
    error_ = Error{
        ErrorCode::invalid_configuration,
        member.origin + ": hosts." + member.key + ": expected " + expected + ", found " + config::describe(member.node),
        ""};
  }

  void text(const char* key, std::string& into) {
    const config::Member* member = table_.find(key);
    if (member == nullptr) return;
    const auto* value = member->node.get<std::string>();
    if (value == nullptr || value->empty()) return refuse(*member, "text");
    const auto fault = fault_of(TextKind::name, *value);
    if (fault.empty())
      into = *value;
    else if (!error_)
      error_ = Error{ErrorCode::invalid_configuration, member->origin + ": hosts." + key + ": " + fault, ""};
  }

  void whole(const char* key, std::int64_t& into, std::int64_t least) {
    const config::Member* member = table_.find(key);
    if (member == nullptr) return;
    const auto* value = member->node.get<std::int64_t>();
    if (value != nullptr && *value >= least && *value <= most_of_anything)
      into = *value;
    else
      refuse(*member, "a whole number from " + std::to_string(least) + " to " + std::to_string(most_of_anything));
  }

  void seconds(const char* key, std::chrono::milliseconds& into) {
    const config::Member* member = table_.find(key);
    if (member == nullptr) return;
    double value = -1;
    if (const auto* whole_seconds = member->node.get<std::int64_t>()) value = static_cast<double>(*whole_seconds);
    if (const auto* real = member->node.get<double>()) value = *real;
    if (value >= 0 && value <= 86400)
      into = std::chrono::milliseconds(static_cast<std::int64_t>(value * 1000));
    else
      refuse(*member, "seconds, 0 to 86400");
  }

  void launch(std::string& fault) {
    std::string word = "ok";
    text("launch", word);
    if (word == "ok") return;
    const std::size_t reason = word.size() > 5 ? word.find_first_not_of(' ', 5) : std::string::npos;
    if (word.starts_with("fail:") && reason != std::string::npos)
      fault = word.substr(reason);
    else
      refuse(*table_.find("launch"), "\"ok\" or \"fail: why\"");
  }

  void stats(json::object& into) {
    const config::Member* member = table_.find("stats");
    if (member == nullptr) return;
    auto value = to_json(member->node);
    if (!value || !value->is_object())
      return refuse(*member, "a table of values that JSON has, such as { rack = \"r1\" }");
    into = std::move(value->get_object());
  }

  void unknown_keys() {
    for (const config::Member& member : table_.members) {
      if (std::ranges::find(known_keys(), member.key) != known_keys().end() || error_) continue;
      const std::string near = nearest(member.key, known_keys());
      std::string all;
      for (const std::string& key : known_keys()) all += (all.empty() ? "" : ", ") + key;
      error_ = Error{ErrorCode::invalid_configuration,
                     member.origin + ": hosts." + member.key + ": there is no such key" +
                         (near.empty() ? "; there are " + all : "; did you mean `" + near + "`?"),
                     ""};
    }
  }

  std::string origin_of(const char* key) const {
    const config::Member* member = table_.find(key);
    return (member == nullptr ? origin_ : member->origin) + ": ";
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  const config::Table& table_;
  std::string origin_;
  std::optional<Error> error_;
};

Result<std::vector<std::string>> names_of(HostReader& reader) {
  const auto fail = [&](const std::string& what) {
    return Error{ErrorCode::invalid_configuration, reader.origin_of("name") + "hosts.name: " + what, ""};
  };
  std::string pattern;
  std::int64_t count = 0;
  reader.text("name", pattern);
  reader.whole("count", count, 1);
  if (reader.error()) return *reader.error();
  if (pattern.empty()) return fail("expected a name, such as \"c{1..10}\", found none");
  if (count > static_cast<std::int64_t>(most_hosts)) return fail("expected at most 100000 hosts");
  if (count > 0 && pattern.find('{') != std::string::npos) return fail("expected count or {..}, found both");
  if (count > 0) pattern += "{1.." + std::to_string(count) + "}";
  auto names = expand_name(pattern);
  if (!names) return fail(names.error().message);
  return names;
}

Result<void> read_hosts(const config::Table& table, const std::string& origin, std::set<std::string>& seen,
                        std::vector<SimulatedHostSettings>& hosts) {
  HostReader reader(table, origin);
  SimulatedHostSettings settings;
  reader.unknown_keys();
  reader.text("topic", settings.topic);
  reader.text("node", settings.node);
  reader.whole("vcpus", settings.vcpus, 0);
  reader.whole("memory_mb", settings.memory_mb, 0);
  reader.whole("local_gb", settings.local_gb, 0);
  reader.seconds("boot_seconds", settings.boot_time);
  reader.launch(settings.fault);
  reader.stats(settings.stats);
  auto names = names_of(reader);
  if (reader.error()) return *reader.error();
  if (!names) return std::move(names).error();
  for (std::string& name : *names) {
    if (!seen.insert(settings.topic + "/" + name).second)
      return Error{ErrorCode::invalid_configuration,
                   reader.origin_of("name") + "hosts.name: " + name + " is described twice for topic " + settings.topic,
                   ""};
    settings.name = std::move(name);
    hosts.push_back(settings);
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> expand_name(const std::string& pattern) {
  const auto refuse = [&] {
    return Error{ErrorCode::invalid_argument,
                 "expected a name with one range, such as \"c{1..10}\", found \"" + pattern + "\"", ""};
  };
  const std::size_t open = pattern.find('{');
  if (open == std::string::npos)
    return pattern.find('}') == std::string::npos ? Result(std::vector{pattern})
                                                  : Result<std::vector<std::string>>(refuse());
  const std::size_t dots = pattern.find("..", open);
  const std::size_t close = pattern.find('}', open);
  if (dots == std::string::npos || close == std::string::npos || dots > close ||
      pattern.find_first_of("{}", close + 1) != std::string::npos)
    return refuse();
  const std::string first = pattern.substr(open + 1, dots - open - 1);
  const std::string last = pattern.substr(dots + 2, close - dots - 2);
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  const auto number = [](const std::string& word, std::uint32_t& into) {
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), into);
    return !word.empty() && problem == std::errc() && end == word.data() + word.size();
  };
  if (!number(first, from) || !number(last, to) || from > to || to - from >= most_hosts) return refuse();
  const std::size_t width = first.starts_with('0') ? first.size() : 1;
  std::vector<std::string> names;
  for (std::uint64_t at = from; at <= to; ++at) {
    std::string digits = std::to_string(at);
    if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
    names.push_back(pattern.substr(0, open) + digits + pattern.substr(close + 1));
  }
  return names;
}

Result<std::vector<SimulatedHostSettings>> parse_simulation(std::string_view text, const std::string& source) {
  auto root = config::parse_toml(text, source);
  if (!root) return std::move(root).error();
  std::vector<SimulatedHostSettings> hosts;
  std::set<std::string> seen;
  for (const config::Member& member : root->members) {
    const auto* tables = member.node.get<config::Array>();
    if (member.key != "hosts" || tables == nullptr)
      return Error{ErrorCode::invalid_configuration,
                   member.origin + ": " + member.key + ": expected [[hosts]] and nothing else", ""};
    for (const config::Node& element : *tables) {
      const auto* table = element.get<config::Table>();
      if (table == nullptr)
        return Error{ErrorCode::invalid_configuration,
                     member.origin + ": hosts: expected tables, [[hosts]], found " + config::describe(element), ""};
      if (auto read = read_hosts(*table, member.origin, seen, hosts); !read) return std::move(read).error();
      if (hosts.size() > most_hosts)
        return Error{ErrorCode::invalid_configuration, member.origin + ": hosts: expected at most 100000 hosts", ""};
    }
  }
  if (hosts.empty())
    return Error{ErrorCode::invalid_configuration, source + ": expected at least one [[hosts]], found none", ""};
  return hosts;
}

}  // namespace gantry::cli::agent

// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/stats_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "core/cli/terminal/output.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

double number_of(const json::value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  return value.is_uint64() ? static_cast<double>(value.get_uint64()) : 0;
}

std::int64_t count_at(const json::object& object, std::string_view path) {
  const auto* value = at_path(object, path);
  return value == nullptr ? 0 : static_cast<std::int64_t>(number_of(*value));
}

const json::array& list_at(const json::object& object, std::string_view member) {
  static const json::array none;
  const auto* list = json::find_array(object, member);
  return list == nullptr ? none : *list;
}

// The cells of one measured time.
void add_times(std::vector<std::string>& cells, const json::object& object, const std::string& member) {
  for (const char* key : {".last", ".mean", ".max", ".p50", ".p99"})
    cells.push_back(time_text(at_path(object, member + key)));
}

void add_part(TextTable& table, const json::object& object, const std::string& member, const std::string& name) {
  if (count_at(object, member + ".count") == 0) return;
  std::vector<std::string> cells{name, std::to_string(count_at(object, member + ".count"))};
  add_times(cells, object, member);
  table.add(std::move(cells));
}

std::string percent_text(const json::object& object, const char* member) {
  const auto* share = json::find(object, member);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.0f", share == nullptr ? 0 : 100 * number_of(*share));
  return text.data();
}

}  // namespace

std::string time_text(const json::value* microseconds) {
  if (microseconds == nullptr || !microseconds->is_number()) return "-";
  constexpr double thousand = 1000;
  double amount = number_of(*microseconds);
  if (amount == 0) return "-";
  const char* unit = "us";
  for (const char* larger : {"ms", "s"}) {
    if (amount < thousand) break;
    amount /= thousand;
    unit = larger;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), amount < 10 ? "%.1f %s" : "%.0f %s", amount, unit);
  return text.data();
}

TextTable driver_table(const json::object& stats) {
  TextTable table({"DRIVER", "PLACED", "NO HOST", "FAILED", "LAST", "MEAN", "MAX", "P50", "P99", "LOST CLAIMS",
                   "OVERRUNS", "MISUSES"});
  for (const auto& value : list_at(stats, "drivers")) {
    if (!value.is_object()) continue;
    const auto& driver = value.get_object();
    std::vector<std::string> cells{cell_text(json::find(driver, "driver"))};
    for (const char* outcome : {"placed", "no_valid_host", "failed"})
      cells.push_back(cell_text(at_path(driver, std::string("decisions.") + outcome)));
    add_times(cells, driver, "decision");
    for (const char* key : {"claims_lost", "overruns", "misuses"}) cells.push_back(cell_text(json::find(driver, key)));
    table.add(std::move(cells));
  }
  return table;
}

TextTable refusal_table(const json::object& stats) {
  struct Row {
    std::string driver, step;
    std::int64_t refusals = 0, rejected = 0;
  };
  std::vector<Row> rows;
  for (const auto& value : list_at(stats, "drivers")) {
    if (!value.is_object()) continue;
    const auto driver = cell_text(json::find(value.get_object(), "driver"));
    std::map<std::string, Row> by_step;
    for (const char* member : {"refusals", "rejected_hosts"}) {
      for (const auto& item : list_at(value.get_object(), member)) {
        if (!item.is_object()) continue;
        const auto step = cell_text(json::find(item.get_object(), "step"));
        auto& row = by_step.try_emplace(step, Row{driver, step}).first->second;
        const bool is_refusal = std::string_view(member) == "refusals";
        (is_refusal ? row.refusals : row.rejected) += count_at(item.get_object(), "count");
      }
    }
    for (auto& [step, row] : by_step) rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, [](const Row& one, const Row& other) {
    return std::pair(one.refusals, one.rejected) > std::pair(other.refusals, other.rejected);
  });
  TextTable table({"DRIVER", "STEP", "LEFT NO HOST", "HOSTS REJECTED"});
  for (const auto& row : rows)
    table.add({row.driver, printable(row.step), std::to_string(row.refusals), std::to_string(row.rejected)});
  return table;
}

TextTable method_table(const json::object& stats) {
  TextTable table({"METHOD", "CALLS", "ERRORS", "LAST", "MEAN", "MAX", "P50", "P99"});
  for (const auto& value : list_at(stats, "methods")) {
    if (!value.is_object()) continue;
    const auto& method = value.get_object();
    std::vector<std::string> cells{cell_text(json::find(method, "method")), cell_text(json::find(method, "calls")),
                                   cell_text(json::find(method, "errors"))};
    add_times(cells, method, "times");
    table.add(std::move(cells));
  }
  return table;
}

TextTable part_table(const json::object& stats) {
  TextTable table({"PART", "COUNT", "LAST", "MEAN", "MAX", "P50", "P99"});
  add_part(table, stats, "pin", "pin the fleet");
  for (const auto& value : list_at(stats, "drivers")) {
    if (!value.is_object()) continue;
    const auto& driver = value.get_object();
    const auto name = cell_text(json::find(driver, "driver"));
    add_part(table, driver, "turn", "wait for driver " + name);
    add_part(table, driver, "inside", "inside driver " + name);
    add_part(table, driver, "others", "other calls of driver " + name);
  }
  add_part(table, stats, "commit_wait", "wait for the store");
  add_part(table, stats, "store.queue", "in the store's queue");
  add_part(table, stats, "store.commit", "commit of the store");
  return table;
}

TextTable busiest_table(const json::object& stats) {
  TextTable table({"FULLEST HOSTS", "NODE", "VCPU %", "MEMORY %", "DISK %", "INSTANCES"});
  for (const auto& value : list_at(stats, "busiest")) {
    if (!value.is_object()) continue;
    const auto& host = value.get_object();
    table.add({printable(cell_text(json::find(host, "host"))), printable(cell_text(json::find(host, "node"))),
               percent_text(host, "vcpus"), percent_text(host, "memory"), percent_text(host, "disk"),
               cell_text(json::find(host, "instances"))});
  }
  return table;
}

std::string decisions_text(const json::object& stats) {
  const auto placed = count_at(stats, "decisions.placed");
  const auto refused = count_at(stats, "decisions.no_valid_host");
  const auto failed = count_at(stats, "decisions.failed");
  return std::to_string(placed + refused + failed) + " decisions: " + std::to_string(placed) + " placed, " +
         std::to_string(refused) + " without a host, " + std::to_string(failed) + " failed";
}

std::string host_states_text(const json::object& stats) {
  return std::to_string(count_at(stats, "hosts.up")) + " up, " + std::to_string(count_at(stats, "hosts.down")) +
         " down, " + std::to_string(count_at(stats, "hosts.disabled")) + " disabled, " +
         std::to_string(count_at(stats, "hosts.forced_down")) + " forced down";
}

}  // namespace gantry::cli

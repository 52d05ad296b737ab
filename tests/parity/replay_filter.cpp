// SPDX-License-Identifier: Apache-2.0
#include <gantry/driver/failure.hpp>

#include "policy/registry.hpp"
#include "rules/filter.hpp"
#include "tests/parity/recorded_candidates.hpp"
#include "tests/parity/recorded_hosts.hpp"
#include "tests/parity/recorded_numa.hpp"
#include "tests/parity/recorded_request.hpp"
#include "tests/parity/replay.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

std::vector<bool> up_of(const json::object& record) {
  const auto* const up = record.if_contains("service_up");
  if (up == nullptr || up->is_null()) return {};
  if (up->is_bool()) return {up->as_bool()};
  std::vector<bool> all;
  for (const auto& each : up->as_array()) all.push_back(each.as_bool());
  return all;
}

json::object to_json(const host_limits& limits) {
  json::object all;
  if (limits.vcpu) all["vcpu"] = *limits.vcpu;
  if (limits.memory_mb) all["memory_mb"] = *limits.memory_mb;
  if (limits.disk_gb) all["disk_gb"] = *limits.disk_gb;
  if (!limits.numa_topology.is_null()) all["numa_topology"] = limits.numa_topology;
  return all;
}

bool same_numa_limits(const json::value* expected, const json::value& found) {
  const auto a = readable(read_numa_limits(expected == nullptr ? json::value() : *expected));
  const auto b = readable(read_numa_limits(found));
  return difference_of(a, b).empty();
}

// The numbers are compared as numbers.
bool same_limits(const json::object& expected, const json::object& found) {
  for (const auto* const name : {"vcpu", "memory_mb", "disk_gb"}) {
    const auto* const a = expected.if_contains(name);
    const auto* const b = found.if_contains(name);
    if ((a == nullptr) != (b == nullptr)) return false;
    if (a != nullptr && a->to_number<double>() != b->to_number<double>()) return false;
  }
  const auto* const numa = found.if_contains("numa_topology");
  return same_numa_limits(expected.if_contains("numa_topology"), numa == nullptr ? json::value() : *numa);
}

verdict filter_differs(const json::value& expected, const json::value& found) {
  return {verdict::differed, "expected " + json::serialize(expected) + ", found " + json::serialize(found)};
}

// A run over one host: whether it passes, and the limits that are left on it.
struct filter_outcome {
  bool passes = true;
  host_limits limits;
};

// Returns the number of the first candidate that Nova has left. -1: none.
int first_left_of(const json::object& expected) {
  const auto& numbers = expected.at("candidates").as_array();
  return numbers.empty() ? -1 : numbers[0].to_number<int>();
}

filter_outcome ask(const filter_rule& rule, const question& asked) {
  filter_outcome result;
  const auto made = rule.make(asked.options);
  const auto run = made->begin(asked);
  if (!run) return result;
  std::uint64_t rows = 1;
  std::vector<double> rooms(block::room_count * block_rows);
  run->keep({0, 1, &rows, rooms.data()});
  run->set_limits(0, result.limits);
  result.passes = rows == 1;
  return result;
}

}  // namespace

verdict check_filter(const json::object& record) {
  const auto* const rule = find_filter(record.at("filter").as_string());
  const recorded_hosts hosts({&record.at("host").as_object()}, up_of(record));
  const auto request = recorded_request(record);
  const auto options = recorded_settings(record);
  const auto& expected = record.at("expected").as_object();
  try {
    const auto* const given = record.if_contains("candidates");
    const auto requests = given == nullptr ? pci_requests() : readable(read_pci_requests(request.pci_requests));
    recorded_candidates candidates({given == nullptr ? nullptr : &given->as_array()}, requests);
    const auto left = candidates.left(requests);
    const auto found = ask(*rule, {hosts.table(), request, options, nullptr, given == nullptr ? nullptr : left.get()});
    if (raises(record)) return filter_differs(expected, found.passes);
    if (found.passes != expected.at("result").as_bool()) return filter_differs(expected.at("result"), found.passes);
    if (given != nullptr && found.passes && candidates.first_left(0, *left) != first_left_of(expected))
      return filter_differs(expected.at("candidates"), candidates.first_left(0, *left));
    const auto* const changed = record.if_contains("limits_after");
    const auto* const before = record.at("host").as_object().if_contains("limits");
    const json::object no_limits;
    const auto& limits = changed != nullptr  ? changed->as_object()
                         : before != nullptr ? before->as_object()
                                             : no_limits;
    const auto kept = to_json(found.limits);
    if (!same_limits(limits, kept)) return filter_differs(limits, kept);
    if (record.if_contains("run_filter_once_per_request") != nullptr &&
        record.at("run_filter_once_per_request").as_bool() != rule->once_per_request)
      return {verdict::differed, "run_filter_once_per_request"};
    return {};
  } catch (const gantry::failure& failed) {
    if (raises(record)) return {};
    return {verdict::differed, std::string("expected ") + json::serialize(expected) + ", refused: " + failed.what()};
  }
}

}  // namespace filter_driver::parity

// SPDX-License-Identifier: Apache-2.0
#include "core/conformance/scenes.hpp"

#include <array>
#include <cstdio>
#include <map>

#include "core/encoding/json.hpp"
#include "gantry/testing/fake_call.hpp"

namespace gantry::conformance {
namespace {

using testing::fake_request;
using testing::host_row;
using testing::json_text;

// The type of each column of the core that a host_row has no member for.
const std::map<std::string, std::int32_t>& further_columns() {
  static const std::map<std::string, std::int32_t> types = {{"uuid", GANTRY_TYPE_STRING},
                                                            {"disabled_reason", GANTRY_TYPE_STRING},
                                                            {"hypervisor_type", GANTRY_TYPE_STRING},
                                                            {"host_ip", GANTRY_TYPE_STRING},
                                                            {"last_seen_up", GANTRY_TYPE_I64},
                                                            {"updated_at", GANTRY_TYPE_I64},
                                                            {"disk_available_least", GANTRY_TYPE_I64},
                                                            {"running_vms", GANTRY_TYPE_I64},
                                                            {"current_workload", GANTRY_TYPE_I64},
                                                            {"hypervisor_version", GANTRY_TYPE_I64},
                                                            {"free_ram_mb", GANTRY_TYPE_F64},
                                                            {"free_disk_gb", GANTRY_TYPE_F64},
                                                            {"cpu_info", GANTRY_TYPE_JSON},
                                                            {"supported_instances", GANTRY_TYPE_JSON},
                                                            {"pci_stats", GANTRY_TYPE_JSON},
                                                            {"metrics", GANTRY_TYPE_JSON},
                                                            {"stats", GANTRY_TYPE_JSON},
                                                            {"capabilities", GANTRY_TYPE_JSON},
                                                            {"image_properties", GANTRY_TYPE_JSON}};
  return types;
}

std::string json_of(const std::string& column) {
  if (column == "supported_instances") return R"([["x86_64","qemu","hvm"],["x86_64","kvm","hvm"]])";
  if (column == "cpu_info") return R"({"arch":"x86_64","model":"Broadwell","features":["sse4.2","aes"]})";
  return column == "stats" || column == "capabilities" ? "{}" : "[]";
}

testing::column_value value_of(const std::string& column, std::int32_t type, std::uint64_t chance) {
  switch (type) {
    case GANTRY_TYPE_BOOL: return chance % 2 == 0;
    case GANTRY_TYPE_I64: return static_cast<std::int64_t>(chance % 1000 + 100);
    case GANTRY_TYPE_F64: return static_cast<double>(chance % 100000) / 16 + 50;
    case GANTRY_TYPE_JSON: return json_text{json_of(column)};
    default: return std::string(1, static_cast<char>('a' + chance % 4)) + (column == "uuid" ? "0" : "");
  }
}

bool names(const Unit& unit, const std::string& column) {
  for (const drivers::ColumnUse& use : unit.columns)
    if (use.name == column) return true;
  return false;
}

void make_null(const Unit& unit, host_row& row, testing::seeded_random& chance) {
  const auto falls = [&](const char* column) { return names(unit, column) && chance.next() % 4 == 0; };
  if (falls("vcpus")) row.vcpus.reset();
  if (falls("memory_mb")) row.memory_mb.reset();
  if (falls("local_gb")) row.local_gb.reset();
  if (falls("vcpus_used")) row.vcpus_used.reset();
  if (falls("memory_mb_used")) row.memory_mb_used.reset();
  if (falls("local_gb_used")) row.local_gb_used.reset();
  if (falls("availability_zone")) row.availability_zone.clear();
  for (auto column = row.columns.begin(); column != row.columns.end();) {
    const bool is_null = chance.next() % 3 == 0;
    column = is_null ? row.columns.erase(column) : std::next(column);
  }
}

std::string name_of_host(std::size_t index) {
  // The prefixes are those that a driver that sorts by names may look for.
  static constexpr std::array<const char*, 3> kinds = {"dev", "doc", "ops"};
  return std::string(kinds[index % kinds.size()]) + "-" + std::to_string(index);
}

}  // namespace

std::vector<host_row> fleet(const Unit& unit, std::uint64_t seed, std::size_t hosts, bool with_nulls) {
  testing::seeded_random chance(seed);
  std::vector<host_row> rows(hosts);
  for (std::size_t index = 0; index < hosts; ++index) {
    host_row& row = rows[index];
    row.host = name_of_host(index);
    row.node = row.host + ".node";
    row.vcpus = static_cast<std::int64_t>(8 + chance.next() % 57);
    row.memory_mb = static_cast<std::int64_t>(16384 + 1024 * (chance.next() % 256));
    row.local_gb = static_cast<std::int64_t>(500 + chance.next() % 2000);
    row.vcpus_used = static_cast<double>(chance.next() % 8);
    row.memory_mb_used = static_cast<double>(512 * (chance.next() % 16));
    row.local_gb_used = static_cast<double>(chance.next() % 100);
    row.availability_zone = chance.next() % 4 == 0 ? "west" : "nova";
    for (const drivers::ColumnUse& use : unit.columns) {
      const auto known = further_columns().find(use.name);
      const std::int32_t type = known == further_columns().end() ? use.type : known->second;
      if (type != 0) row.columns[use.name] = value_of(use.name, type, chance.next());
    }
    if (with_nulls) make_null(unit, row, chance);
  }
  return rows;
}

fake_request small_request(std::uint32_t instances, std::uint32_t number) {
  fake_request request;
  request.instances = instances;
  request.vcpus = 2;
  request.memory_mb = 2048;
  request.root_gb = 10;
  request.ephemeral_gb = 0;
  request.swap_mb = 0;
  request.disk_gb = 10;
  request.flavor = "small";
  request.project_id = "project";
  for (std::uint32_t index = 0; index < instances; ++index) {
    std::array<char, 37> text{};
    std::snprintf(text.data(), text.size(), "00000000-0000-4000-8000-%04x%08x", number & 0xffff, index);
    request.instance_uuids.emplace_back(text.data());
  }
  return request;
}

namespace {

json::value number(const std::optional<std::int64_t>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}
json::value text(const std::string& value) {
  return value.empty() ? json::value(nullptr) : json::value(value);
}
json::array texts(const std::vector<std::string>& values) {
  return json::array(values.begin(), values.end());
}
json::object pairs(const std::map<std::string, std::string>& values) {
  json::object object;
  for (const auto& [key, value] : values) object[key] = value;
  return object;
}

json::value group_of(const std::optional<testing::fake_group>& group) {
  if (!group) return nullptr;
  return json::object{{"uuid", group->uuid},
                      {"name", group->name},
                      {"policy", group->policy},
                      {"policies", json::array{group->policy}},
                      {"members", texts(group->members)},
                      {"hosts", texts(group->hosts)}};
}

}  // namespace

std::string whole_spec(const fake_request& request) {
  json::object spec{{"num_instances", request.instances},
                    {"project_id", request.project_id},
                    {"availability_zone", text(request.availability_zone)},
                    {"force_hosts", texts(request.force_hosts)},
                    {"force_nodes", texts(request.force_nodes)},
                    {"ignore_hosts", texts(request.ignore_hosts)},
                    {"instance_group", group_of(request.group)}};
  spec["instance_uuid"] = text(request.instance_uuids.empty() ? "" : request.instance_uuids.front());
  spec["is_bfv"] = request.is_bfv ? json::value(*request.is_bfv) : json::value(nullptr);
  spec["flavor"] = json::object{{"name", request.flavor},
                                {"vcpus", number(request.vcpus)},
                                {"memory_mb", number(request.memory_mb)},
                                {"root_gb", number(request.root_gb)},
                                {"ephemeral_gb", number(request.ephemeral_gb)},
                                {"swap", number(request.swap_mb)},
                                {"extra_specs", pairs(request.extra_specs)}};
  spec["image"] = json::object{{"properties", pairs(request.image_properties)}};
  if (!request.requested_host.empty() || !request.requested_node.empty())
    spec["requested_destination"] =
        json::object{{"host", text(request.requested_host)}, {"node", text(request.requested_node)}};
  json::object hints;
  for (const auto& [key, values] : request.hints) hints[key] = texts(values);
  spec["scheduler_hints"] = std::move(hints);
  return json::write_canonical(spec);
}

std::vector<Scene> scenes(const Unit& unit, std::uint64_t seed) {
  std::vector<Scene> all;
  std::uint32_t number = 0;
  const auto add = [&](std::string name, std::vector<host_row> rows, const auto& change, std::uint32_t instances = 1) {
    fake_request request = small_request(instances, ++number);
    change(request);
    all.push_back({std::move(name), std::move(rows), std::move(request)});
  };
  const std::vector<host_row> usual = fleet(unit, seed, 70);
  const std::vector<host_row> nulls = fleet(unit, seed + 1, 130, true);
  std::vector<host_row> mixed = fleet(unit, seed + 2, 40);
  for (std::size_t index = 0; index < mixed.size(); ++index) {
    mixed[index].up = index % 4 != 0;
    mixed[index].disabled = index % 5 == 0;
    mixed[index].aggregates = {{.id = 1, .name = "fast", .metadata = {{"ssd", "true"}}}};
  }
  add("one of seventy hosts", usual, [](fake_request&) {});
  add(
      "three with alternates", usual, [](fake_request& request) { request.alternates = 2; }, 3);
  add(
      "values that are null", nulls, [](fake_request&) {}, 2);
  add(
      "hosts that are down or disabled", mixed, [](fake_request&) {}, 2);
  add("a forced host", usual, [](fake_request& request) { request.force_hosts = {"dev-3"}; });
  add("ignored hosts", usual, [](fake_request& request) { request.ignore_hosts = {"dev-0", "doc-1"}; });
  add("a zone", usual, [](fake_request& request) { request.availability_zone = "west"; });
  add(
      "no uuids", usual, [](fake_request& request) { request.instance_uuids.clear(); }, 2);
  add("more than any host has", usual, [](fake_request& request) {
    request.vcpus = 1 << 20;
    request.memory_mb = std::int64_t{1} << 40;
    request.disk_gb = 1e9;
    request.root_gb = 1'000'000'000;
  });
  add(
      "a group apart", usual,
      [](fake_request& request) {
        request.group = testing::fake_group{};
        request.group->members = request.instance_uuids;
        request.group->member_rows = {1, 2};
      },
      3);
  add("hints and specs", usual, [](fake_request& request) {
    request.hints = {{"group", {"a"}}, {"same_host", {"x"}}};
    request.extra_specs = {{"hw:cpu_policy", "shared"}, {"site:colour", "blue"}};
    request.image_properties = {{"hw_architecture", "x86_64"}};
  });
  return all;
}

const std::vector<std::string>& odd_texts() {
  static const std::vector<std::string> texts = {"",
                                                 "\"",
                                                 "\\",
                                                 "a\"b",
                                                 "', drop",
                                                 "{\"a\":1}",
                                                 "\n\t\r",
                                                 std::string("a\0b", 3),
                                                 "\xc3\xa4\xf0\x9f\x98\x80",
                                                 "-1",
                                                 "1e999",
                                                 "NaN",
                                                 "%s%n",
                                                 "../../etc",
                                                 std::string(70000, 'x')};
  return texts;
}

std::string json_string(const std::string& text) {
  std::string quoted;
  json::append_string(quoted, text);
  return quoted;
}

}  // namespace gantry::conformance

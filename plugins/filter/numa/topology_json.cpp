// SPDX-License-Identifier: Apache-2.0
#include "numa/topology_json.hpp"

#include <array>
#include <charconv>
#include <iterator>
#include <utility>

#include "numa/field_reader.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 4> cpu_policies = {"", "shared", "dedicated", "mixed"};
constexpr std::array<std::string_view, 4> cpu_thread_policies = {"", "prefer", "isolate", "require"};

page_pool read_page_pool(const json::value& value, field_reader& cell) {
  field_reader fields("NUMAPagesTopology", value);
  page_pool pool;
  pool.size_kb = fields.integer("size_kb");
  pool.total = fields.integer("total");
  pool.used = fields.optional_integer("used").value_or(0);
  pool.reserved = fields.optional_integer("reserved");
  if (fields.ok() && pool.size_kb <= 0) fields.wrong("size_kb", "above 0");
  if (!fields.ok()) cell.wrong(fields.error());
  return pool;
}

network_metadata read_networks(const json::value& value, field_reader& outer) {
  field_reader fields("NetworkMetadata", value);
  network_metadata networks;
  const json::array& physnets = fields.list("physnets");
  networks.physnets.reserve(physnets.size());
  for (const json::value& physnet : physnets) {
    if (!physnet.is_string()) fields.wrong("physnets", "a list of texts");
    if (physnet.is_string()) networks.physnets.emplace_back(physnet.get_string());
  }
  networks.tunneled = fields.truth("tunneled");
  if (!fields.ok()) outer.wrong(fields.error());
  return networks;
}

outcome<host_cell> read_host_cell(const json::value& value) {
  field_reader fields("NUMACell", value);
  host_cell cell;
  cell.id = fields.integer("id");
  cell.cpuset = fields.cpus("cpuset");
  // Older Nova did not separate CPUs for dedicated use, so all CPUs served both uses.
  cell.pcpuset = fields.field("pcpuset") == nullptr ? cell.cpuset : fields.cpus("pcpuset");
  cell.memory = fields.integer("memory");
  cell.cpu_usage = fields.optional_integer("cpu_usage").value_or(0);
  cell.memory_usage = fields.optional_integer("memory_usage").value_or(0);
  cell.pinned_cpus = fields.cpus("pinned_cpus");
  for (const json::value& core : fields.list("siblings")) cell.siblings.add(fields.cpu_list("siblings", core));
  const json::array& mempages = fields.list("mempages");
  cell.mempages.reserve(mempages.size());
  for (const json::value& pages : mempages) cell.mempages.push_back(read_page_pool(pages, fields));
  if (const json::value* networks = fields.field("network_metadata")) {
    cell.network_metadata = read_networks(*networks, fields);
  }
  cell.socket = fields.optional_integer("socket");
  if (!fields.ok()) return fields.error();
  cell.count_free();
  return cell;
}

void read_pinning(field_reader& fields, instance_cell& cell) {
  const json::value* value = fields.field("cpu_pinning_raw");
  if (value == nullptr) return;
  const json::object* pairs = value->if_object();
  if (pairs == nullptr) return fields.wrong("cpu_pinning_raw", "an object of CPU numbers");
  cell.cpu_pinning.emplace();
  cell.cpu_pinning->reserve(pairs->size());
  for (const auto& [name, cpu] : *pairs) {
    cpu_number vcpu = -1;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), vcpu);
    const std::optional<std::int64_t> host_cpu = nova_integer(cpu);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size() || vcpu < 0 || vcpu > last_cpu || !host_cpu ||
        *host_cpu < 0 || *host_cpu > last_cpu) {
      return fields.wrong("cpu_pinning_raw", "an object of CPU numbers from 0 to 65535");
    }
    cell.cpu_pinning->emplace_back(vcpu, static_cast<cpu_number>(*host_cpu));
  }
}

outcome<instance_cell> read_instance_cell(const json::value& value) {
  field_reader fields("InstanceNUMACell", value);
  instance_cell cell;
  cell.id = fields.integer("id");
  cell.cpuset = fields.cpus("cpuset");
  cell.pcpuset = fields.cpus("pcpuset");
  cell.memory = fields.integer("memory");
  cell.pagesize = fields.optional_integer("pagesize");
  cell.cpu_policy = static_cast<cpu_policy>(fields.choice("cpu_policy", cpu_policies));
  if (fields.field("pcpuset") == nullptr && cell.cpu_policy == cpu_policy::dedicated)
    std::swap(cell.cpuset, cell.pcpuset);
  cell.cpu_thread_policy = static_cast<cpu_thread_policy>(fields.choice("cpu_thread_policy", cpu_thread_policies));
  read_pinning(fields, cell);
  if (fields.field("cpuset_reserved") != nullptr) cell.cpuset_reserved = fields.cpus("cpuset_reserved");
  if (!fields.ok()) return fields.error();
  return cell;
}

// A column may hold its JSON as a text.
outcome<json::value> unquoted(const json::value& value, std::string_view what) {
  if (!value.is_string()) return value;
  boost::system::error_code error;
  json::value inner = json::parse(value.get_string(), error);
  if (error) return unreadable(what, "valid JSON: " + error.message());
  return inner;
}

json::array cpu_list(std::span<const cpu_number> cpus) {
  return json::array(cpus.begin(), cpus.end());
}

json::value to_json(const network_metadata& networks) {
  json::object fields;
  fields["physnets"] = json::array(networks.physnets.begin(), networks.physnets.end());
  fields["tunneled"] = networks.tunneled;
  return nova_object("NetworkMetadata", "1.0", std::move(fields));
}

json::value to_json(const page_pool& pages) {
  json::object fields{{"size_kb", pages.size_kb}, {"total", pages.total}, {"used", pages.used}};
  if (pages.reserved) fields["reserved"] = *pages.reserved;
  return nova_object("NUMAPagesTopology", "1.1", std::move(fields));
}

json::value to_json(const host_cell& cell) {
  json::object fields;
  fields["id"] = cell.id;
  fields["cpuset"] = cpu_list(cell.cpuset.cpus());
  fields["pcpuset"] = cpu_list(cell.pcpuset.cpus());
  fields["memory"] = cell.memory;
  fields["cpu_usage"] = cell.cpu_usage;
  fields["memory_usage"] = cell.memory_usage;
  fields["pinned_cpus"] = cpu_list(cell.pinned_cpus.cpus());
  json::array siblings;
  siblings.reserve(cell.siblings.size());
  for (std::size_t core = 0; core < cell.siblings.size(); ++core) siblings.push_back(cpu_list(cell.siblings[core]));
  fields["siblings"] = std::move(siblings);
  json::array mempages;
  mempages.reserve(cell.mempages.size());
  for (const page_pool& pages : cell.mempages) mempages.push_back(to_json(pages));
  fields["mempages"] = std::move(mempages);
  if (cell.network_metadata) fields["network_metadata"] = to_json(*cell.network_metadata);
  fields["socket"] = cell.socket ? json::value(*cell.socket) : json::value(nullptr);
  return nova_object("NUMACell", "1.5", std::move(fields));
}

json::value policy(std::string_view name) {
  return name.empty() ? json::value(nullptr) : json::value(name);
}

json::value to_json(const instance_cell& cell) {
  json::object fields;
  fields["id"] = cell.id;
  fields["cpuset"] = cpu_list(cell.cpuset.cpus());
  fields["pcpuset"] = cpu_list(cell.pcpuset.cpus());
  fields["cpuset_reserved"] = cell.cpuset_reserved ? json::value(cpu_list(cell.cpuset_reserved->cpus())) : nullptr;
  fields["memory"] = cell.memory;
  fields["pagesize"] = cell.pagesize ? json::value(*cell.pagesize) : json::value(nullptr);
  fields["cpu_pinning_raw"] = nullptr;
  if (cell.cpu_pinning) {
    json::object pinning;
    for (const auto& [vcpu, cpu] : *cell.cpu_pinning) pinning[std::to_string(vcpu)] = cpu;
    fields["cpu_pinning_raw"] = std::move(pinning);
  }
  fields["cpu_policy"] = policy(cpu_policies.at(static_cast<std::size_t>(cell.cpu_policy)));
  fields["cpu_thread_policy"] = policy(cpu_thread_policies.at(static_cast<std::size_t>(cell.cpu_thread_policy)));
  return nova_object("InstanceNUMACell", "1.6", std::move(fields));
}

}  // namespace

outcome<std::optional<host_topology>> read_host_topology(const json::value& value) {
  const outcome<json::value> inner = unquoted(value, "numa_topology");
  if (!inner) return inner.error();
  if (inner->is_null()) return std::optional<host_topology>();
  field_reader fields("NUMATopology", *inner);
  std::optional<host_topology> topology(std::in_place);
  const json::array& cells = fields.list("cells");
  topology->cells.reserve(cells.size());
  topology->sockets.reserve(cells.size());
  for (const json::value& element : cells) {
    outcome<host_cell> cell = read_host_cell(element);
    if (!cell) return cell.error();
    topology->sockets.push_back({cell->id, cell->socket});
    topology->cells.push_back(std::move(*cell));
  }
  if (!fields.ok()) return fields.error();
  if (topology->cells.empty()) topology.reset();
  return topology;
}

outcome<std::vector<instance_cell>> read_instance_cells(const json::value& value) {
  const json::array* elements = nova_elements(value);
  if (elements == nullptr) return unreadable("InstanceNUMATopology.cells", "a list");
  std::vector<instance_cell> cells;
  cells.reserve(elements->size());
  for (const json::value& element : *elements) {
    outcome<instance_cell> cell = read_instance_cell(element);
    if (!cell) return cell.error();
    cells.push_back(std::move(*cell));
  }
  return cells;
}

outcome<std::optional<instance_topology>> read_instance_topology(const json::value& value) {
  const outcome<json::value> inner = unquoted(value, "numa_topology");
  if (!inner) return inner.error();
  if (inner->is_null()) return std::optional<instance_topology>();
  field_reader fields("InstanceNUMATopology", *inner);
  if (!fields.ok()) return fields.error();
  std::optional<instance_topology> topology(std::in_place);
  if (const json::value* list = fields.field("cells")) {
    outcome<std::vector<instance_cell>> cells = read_instance_cells(*list);
    if (!cells) return cells.error();
    topology->cells = std::move(*cells);
  }
  if (const json::value* policy = fields.field("emulator_threads_policy")) {
    if (!policy->is_string()) fields.wrong("emulator_threads_policy", "a text");
    if (policy->is_string()) topology->emulator_threads_policy.emplace(policy->get_string());
  }
  if (!fields.ok()) return fields.error();
  if (topology->cells.empty()) topology.reset();
  return topology;
}

outcome<std::optional<network_metadata>> read_network_metadata(const json::value& value) {
  if (value.is_null()) return std::optional<network_metadata>();
  field_reader fields("network_metadata", value);
  std::optional<network_metadata> networks = read_networks(value, fields);
  if (!fields.ok()) return fields.error();
  return networks;
}

outcome<std::optional<numa_limits>> read_numa_limits(const json::value& value) {
  if (value.is_null()) return std::optional<numa_limits>();
  field_reader fields("NUMATopologyLimits", value);
  std::optional<numa_limits> limits(std::in_place);
  limits->cpu_allocation_ratio = fields.real("cpu_allocation_ratio");
  limits->ram_allocation_ratio = fields.real("ram_allocation_ratio");
  if (const json::value* networks = fields.field("network_metadata")) {
    limits->network_metadata = read_networks(*networks, fields);
  }
  if (!fields.ok()) return fields.error();
  return limits;
}

json::value to_json(const host_topology& topology) {
  json::array cells;
  cells.reserve(topology.cells.size());
  for (const host_cell& cell : topology.cells) cells.push_back(to_json(cell));
  return nova_object("NUMATopology", "1.2", {{"cells", std::move(cells)}});
}

json::value to_json(const instance_topology& topology) {
  json::array cells;
  cells.reserve(topology.cells.size());
  for (const instance_cell& cell : topology.cells) cells.push_back(to_json(cell));
  json::object fields{{"cells", std::move(cells)}, {"emulator_threads_policy", nullptr}};
  if (topology.emulator_threads_policy) fields["emulator_threads_policy"] = *topology.emulator_threads_policy;
  return nova_object("InstanceNUMATopology", "1.3", std::move(fields));
}

json::value to_json(const numa_limits& limits) {
  json::object fields{{"cpu_allocation_ratio", limits.cpu_allocation_ratio},
                      {"ram_allocation_ratio", limits.ram_allocation_ratio}};
  if (limits.network_metadata) fields["network_metadata"] = to_json(*limits.network_metadata);
  return nova_object("NUMATopologyLimits", "1.1", std::move(fields));
}

}  // namespace filter_driver

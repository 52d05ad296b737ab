// SPDX-License-Identifier: Apache-2.0
#include "decision/placing.hpp"

#include <algorithm>

#include "numa/consume.hpp"
#include "numa/topology_json.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

template <class Value>
std::optional<Value> document(outcome<std::optional<Value>> read) {
  if (!read) return std::nullopt;
  return std::move(*read);
}

template <class Value>
std::optional<Value> document_of(const document_column* column, std::uint32_t row,
                                 outcome<std::optional<Value>> (*read)(const json::value&)) {
  if (column == nullptr) return std::nullopt;
  return document(read(column->at(row)));
}

std::map<std::string, std::int64_t> devices_of(const pci_pools& pools) {
  std::map<std::string, std::int64_t> devices;
  for (const auto& pool : pools) devices[resource_of_pool(pool)] += pool.count;
  return devices;
}

// Memory of a cell with dedicated CPUs is not overcommitted: the ratio is at most 1, unless the pages are the limit.
double memory_ratio(const instance_topology& instance, std::int64_t cell, double of_host, bool pages_limit) {
  if (pages_limit) return of_host;
  double ratio = of_host;
  for (const auto& each : instance.cells) {
    if (each.id != cell || !each.wants_dedicated()) continue;
    ratio = each.wants_shared() ? std::min(of_host, 1.0) : 1.0;
  }
  return ratio;
}

// The CPU ratio limits only shared CPUs. Dedicated CPUs, which Ocata counts too, are never overcommitted.
bool wants_shared(const instance_topology& instance, std::int64_t cell) {
  return std::any_of(instance.cells.begin(), instance.cells.end(),
                     [cell](const instance_cell& each) { return each.id == cell && each.wants_shared(); });
}

bool wants_dedicated(const instance_topology& instance, std::int64_t cell) {
  return std::any_of(instance.cells.begin(), instance.cells.end(),
                     [cell](const instance_cell& each) { return each.id == cell && each.wants_dedicated(); });
}

bool asks_page_size(const instance_topology& instance, std::int64_t cell) {
  return std::any_of(instance.cells.begin(), instance.cells.end(),
                     [cell](const instance_cell& each) { return each.id == cell && each.pagesize.value_or(0) != 0; });
}

}  // namespace

cell_and_device_wishes::cell_and_device_wishes(const request_facts& request)
    : topology(document(read_instance_topology(request.numa_topology))) {
  if (auto wanted = read_pci_requests(request.pci_requests)) devices = std::move(*wanted);
}

host_documents documents_on(const host_table& hosts, std::uint32_t row) {
  return {document_of(hosts.numa_topology, row, read_host_topology), document_of(hosts.pci_stats, row, read_pci_pools)};
}

placing cell_and_device_use::place(const host_table& hosts, const request_facts& request, const host_limits& limits,
                                   std::uint32_t row, const request_providers* providers) {
  if (request.numa_topology.is_null() && request.pci_requests.is_null()) return {};
  const cell_and_device_wishes wishes(request);
  if (!wishes.any()) return {};
  return place(wishes, documents_on(hosts, row), document(read_numa_limits(limits.numa_topology)), hosts, row,
               providers);
}

placing cell_and_device_use::place(const cell_and_device_wishes& wishes, host_documents host,
                                   const std::optional<numa_limits>& limits, const host_table& hosts, std::uint32_t row,
                                   const request_providers* providers) {
  placing made;
  made.instance_ = wishes.topology;
  made.topology_ = host.topology;
  made.pools_ = host.pools;
  // Like Nova, log a warning and continue after an error. Amounts that were taken before the error stay taken.
  const auto error = consume(made.topology_, made.pools_, made.instance_, wishes.devices, limits ? &*limits : nullptr,
                             options_.packing_host_numa_cells_allocation_strategy, options_.compatibility, providers);
  made.failed_ = error.has_value();
  if (error)
    call_.log(gantry::level::warning, "host " + hosts.name_of(row) + ": " + error->kind + ": " + error->sentence);
  if (host.topology && made.topology_ && made.instance_) add_cells(made, *host.topology, limits, row);
  if (host.pools && made.pools_) add_devices(made, *host.pools, row);
  return made;
}

// Returns the amount that claims and the request's earlier picks hold on the row.
double cell_and_device_use::claimed(std::string_view resource, std::uint32_t row) {
  if (!claims_) claims_.emplace(view_);
  const auto before = taken_before_.find({row, std::string(resource)});
  return claims_->of(resource, row) + (before == taken_before_.end() ? 0 : before->second);
}

bool cell_and_device_use::fits(const placing& placed, std::uint32_t row) {
  return std::all_of(placed.items_.begin(), placed.items_.end(), [&](const gantry::claim_item& item) {
    if ((item.present & GANTRY_CLAIM_LIMIT) == 0) return true;
    double total = claimed(gantry::text(item.resource), row);
    for (const auto& other : placed.items_) {
      if (gantry::text(other.resource) == gantry::text(item.resource)) total += other.amount;
    }
    return total <= item.limit;
  });
}

void cell_and_device_use::take(const placing& placed, std::uint32_t row) {
  for (const auto& item : placed.items_) taken_before_[{row, std::string(gantry::text(item.resource))}] += item.amount;
}

// `left` excludes the amounts of claims and of this request's earlier picks. The core counts these amounts against the
// limit itself, so they are added to `left` again.
void cell_and_device_use::add(placing& to, std::string resource, double amount, room left, std::uint32_t row) {
  if (amount <= 0) return;
  if (left) *left += claimed(resource, row);
  const auto& name = to.names_.emplace_back(std::move(resource));
  to.items_.emplace_back(name, amount, left);
}

void cell_and_device_use::add_cells(placing& to, const host_topology& before, const std::optional<numa_limits>& limits,
                                    std::uint32_t row) {
  for (std::size_t i = 0; i < before.cells.size() && i < to.topology_->cells.size(); ++i) {
    const auto& was = before.cells[i];
    const auto& is = to.topology_->cells[i];
    for (const auto cpu : is.pinned_cpus) {
      if (!was.pinned_cpus.contains(cpu)) add(to, resource_of_cpu(cpu), 1, 1, row);
    }
    const auto left = [](double total, double ratio, std::int64_t used) {
      return total * ratio - static_cast<double>(used);
    };
    room shared_cpus;
    room memory;
    if (limits && wants_shared(*to.instance_, was.id)) {
      shared_cpus = left(static_cast<double>(was.cpuset.size()), limits->cpu_allocation_ratio, was.cpu_usage);
    }
    const bool asks_size = asks_page_size(*to.instance_, was.id);
    const bool pins_in_free = options_.compatibility->pinned_memory_by_free_pages && !was.mempages.empty() &&
                              wants_dedicated(*to.instance_, was.id);
    // From Dalmatian on, free pages alone limit the memory of a cell that shares no CPU.
    if (limits && !(pins_in_free && !wants_shared(*to.instance_, was.id))) {
      const double ratio = memory_ratio(*to.instance_, was.id, limits->ram_allocation_ratio, pins_in_free);
      memory = left(static_cast<double>(was.memory), ratio, was.memory_usage);
    }
    add(to, resource_of_cell(was.id, "cpu_usage"), static_cast<double>(is.cpu_usage - was.cpu_usage), shared_cpus, row);
    // The limit is on pages if the instance asks for a page size, or pins CPUs by the rules of Dalmatian. Otherwise it is
    // on memory.
    const bool counts_pages = asks_size || pins_in_free;
    for (std::size_t size = 0; size < was.mempages.size() && size < is.mempages.size(); ++size) {
      const auto& pages = was.mempages[size];
      const auto free = static_cast<double>(pages.total - pages.used - pages.reserved.value_or(0));
      add(to, resource_of_pages(was.id, pages.size_kb), static_cast<double>(is.mempages[size].used - pages.used),
          counts_pages ? room(free) : room(), row);
    }
    add(to, resource_of_cell(was.id, "memory_usage"), static_cast<double>(is.memory_usage - was.memory_usage),
        asks_size ? room() : memory, row);
  }
  if (!to.items_.empty()) add(to, std::string(numa_resource), 1, std::nullopt, row);
}

void cell_and_device_use::add_devices(placing& to, const pci_pools& before, std::uint32_t row) {
  const auto left = devices_of(*to.pools_);
  double all = 0;
  for (const auto& [resource, count] : devices_of(before)) {
    const auto rest = left.find(resource);
    const auto taken = static_cast<double>(count - (rest == left.end() ? 0 : rest->second));
    add(to, resource, taken, static_cast<double>(count), row);
    all += taken;
  }
  add(to, std::string(pci_resource), all, std::nullopt, row);
}

void cell_and_device_use::show(const placing& placed, std::uint32_t row, const gantry::view& derived,
                               request_facts& request) {
  take(placed, row);
  // If the instance does not fit, the next instance has no topology, as in Nova.
  if (placed.topology_) request.numa_topology = placed.instance_ ? to_json(*placed.instance_) : json::value();
  if (placed.topology_ && placed.instance_) {
    write(derived, row, "numa_topology", to_json(*placed.topology_));
    clear_claims(derived, row, "claims.numa");
  }
  if (placed.pools_ && !placed.items_.empty()) {
    write(derived, row, "pci_stats", to_json(*placed.pools_));
    clear_claims(derived, row, "claims.pci");
  }
}

void cell_and_device_use::write(const gantry::view& derived, std::uint32_t row, const char* column,
                                const json::value& document) {
  const auto shown = derived.find<gantry::column<gantry_json>>(column);
  if (!shown || !shown->has(row)) return;
  const auto text = json::serialize(document);
  const auto copy = call_.scratch<char>(text.size());
  std::copy(text.begin(), text.end(), copy.data());
  call_.write<gantry_json>(derived, column)[row] = {{copy.data(), text.size()}, 0};
}

// Sets the count of claims to 0, since the written document includes the claims.
void cell_and_device_use::clear_claims(const gantry::view& derived, std::uint32_t row, const char* column) {
  const auto& raw = derived.raw();
  const auto* at = reinterpret_cast<const char*>(raw.columns);
  for (std::uint32_t index = 0; index < raw.column_count; ++index, at += raw.column_stride) {
    if (gantry::text(reinterpret_cast<const gantry_column*>(at)->name) == column)
      call_.write<double>(derived, column)[row] = 0;
  }
}

}  // namespace filter_driver

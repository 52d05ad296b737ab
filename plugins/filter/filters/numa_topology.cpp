// SPDX-License-Identifier: Apache-2.0
//
// NUMATopologyFilter (Juno to Zed; the rules of Ocata and Zed): the instance's NUMA topology must fit the host's, with its
// PCI requests and, in Zed, networks. An instance that wants dedicated CPUs and requires hyperthreads is refused by hosts without.
// Hosts that the instance was fitted to get the limits that the fit kept to.
#include <algorithm>
#include <array>
#include <bit>
#include <gantry/driver/failure.hpp>
#include <span>

#include "filters/filters.hpp"
#include "filters/parts/column_fit.hpp"
#include "numa/topology_filter.hpp"
#include "numa/topology_json.hpp"
#include "rules/read_cache.hpp"
#include "rules/refusal.hpp"
#include "rules/values_by_request.hpp"
#include "rules/values_by_row.hpp"

namespace filter_driver {

namespace {

constexpr const char* numa_topology_name = "NUMATopologyFilter";

[[noreturn]] void refuse_numa(const std::string& whose, const raised& error) {
  throw gantry::failure(gantry::code::invalid_argument, whose + ": " + error.sentence);
}

template <class Value>
Value of_request(outcome<Value> read) {
  if (!read) refuse_numa("the request", read.error());
  return std::move(*read);
}

template <class Value>
const Value* address(const std::optional<Value>& value) {
  return value ? &*value : nullptr;
}

// One of the two may say it: the flavor's extra spec, the image's property.
bool is_asked(const request_facts& request, std::string_view extra_spec, std::string_view property,
              std::string_view value) {
  if (request.flavor && request.flavor->extra_specs) {
    for (const auto& [key, given] : *request.flavor->extra_specs) {
      if (key == extra_spec && given == value) return true;
    }
  }
  const auto* const given = request.image->properties.if_contains(property);
  return given != nullptr && given->is_string() && given->get_string() == value;
}

// What a host's documents say, as read.
struct numa_host {
  std::span<const host_cell> cells;  // of the topology
  std::shared_ptr<const read_cache<host_topology>::reading> topology;
  std::shared_ptr<const read_cache<pci_pools>::reading> pools;
};

// Of a host whose documents cannot be read, or of whose devices the fit may complain, the columns are silent.
struct columns_of_hosts : cell_columns {
  void set(std::size_t row, const numa_host& host) {
    const bool is_read = *host.topology && *host.pools;
    if (!is_read || has_unplaced_devices(host)) return set_untold(row);
    cell_columns::set(row, host.cells);
  }
  static bool has_unplaced_devices(const numa_host& host) {
    const pci_pools* const pools = address(**host.pools);
    return pools != nullptr && std::any_of(pools->begin(), pools->end(),
                                           [](const pci_pool& pool) { return pool.find("numa_node") == nullptr; });
  }
};

struct host_documents {
  using rows = values_by_row<numa_host, 2, columns_of_hosts>;

  read_cache<host_topology> topologies{read_host_topology};
  read_cache<pci_pools> pools{read_pci_pools};
  // By both: a scan of all hosts finds them without a search.
  rows hosts;
  // By topology, pools and the two ratios.
  values_by_request<std::uint8_t, 4> verdicts;
};

class numa_topology_run final : public filter_run {
 public:
  numa_topology_run(const question& asked, host_documents& documents)
      : hosts_(asked.hosts),
        documents_(documents),
        topology_(of_request(read_instance_topology(asked.request.numa_topology))),
        networks_(of_request(read_network_metadata(asked.request.network_metadata))),
        requests_(of_request(read_pci_requests(asked.request.pci_requests))) {
    wishes_.topology = address(topology_);
    wishes_.requests = &requests_;
    wishes_.rules = asked.options.compatibility;
    if (wishes_.rules != release::ocata) wishes_.networks = address(networks_);
    wishes_.requires_threads = is_asked(asked.request, "hw:cpu_policy", "hw_cpu_policy", "dedicated") &&
                               is_asked(asked.request, "hw:cpu_thread_policy", "hw_cpu_thread_policy", "require");
    wishes_.packing_host_numa_cells_allocation_strategy = asked.options.packing_host_numa_cells_allocation_strategy;
    by_columns_ = column_fit::of(wishes_);
    if (asks_anything()) known_ = documents_.verdicts.find(text_of(asked.request), hosts_.rows);
  }

  bool asks_anything() const { return wishes_.topology != nullptr || wishes_.requires_threads; }

  void keep(const block& candidates) override {
    std::array<row_keys, 4> keys;
    read_keys(hosts_.numa_topology, candidates, keys[0]);
    read_keys(hosts_.pci_stats, candidates, keys[1]);
    const double* const cpu = read_ratios(hosts_.cpu_allocation_ratio, candidates, 0, keys[2]);
    const double* const ram = read_ratios(hosts_.ram_allocation_ratio, candidates, 1, keys[3]);
    std::array<std::uint8_t, block_rows> verdicts{};
    host_documents::rows::held near;  // the block's, once one of its rows is asked
    column_fit::verdicts judged;
    known_->read({keys[0].data(), keys[1].data(), keys[2].data(), keys[3].data()}, candidates, verdicts.data(),
                 [&](std::uint32_t row) -> std::uint8_t {
                   if (near.values == nullptr) {
                     near = documents_.hosts.hold({keys[0].data(), keys[1].data()}, candidates,
                                                  [this](std::uint32_t each) { return host_at(each); });
                     if (by_columns_) judged = by_columns_->judge(*near.beside, candidates, cpu, ram);
                   }
                   const std::size_t at = row - candidates.first;
                   const std::uint64_t bit = std::uint64_t{1} << at % 64;
                   if (by_columns_ && (judged.unsure[at / 64] & bit) == 0)
                     return (judged.fit[at / 64] & bit) != 0 ? 1 : 0;
                   if (at + ahead < candidates.count) fetch(near.values[at + ahead]);
                   const auto verdict = ask(near.values[at], {cpu[at], ram[at]}, passes_numa_topology);
                   if (!verdict) refuse_numa("host " + hosts_.name_of(row), verdict.error());
                   return *verdict ? 1 : 0;
                 });
    candidates.keep_where(
        [](auto verdict) __attribute__((always_inline)) { return verdict == 1; }, verdicts.data());
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const auto host = host_at(row);
    const ratios of_row{hosts_.cpu_allocation_ratio[row], hosts_.ram_allocation_ratio[row]};
    const auto passes = ask(host, of_row, passes_numa_topology);
    if (!passes || !*passes) return;
    const auto kept_to = ask(host, of_row, numa_limits_of);
    if (kept_to && *kept_to) limits.numa_topology = to_json(**kept_to);
  }

 private:
  // Not a number: the host has none.
  struct ratios {
    double cpu;
    double ram;
  };

  // All of the request that a verdict depends on.
  std::string text_of(const request_facts& request) const {
    const boost::json::array parts{topology_ ? to_json(*topology_) : boost::json::value(), request.network_metadata,
                                   request.pci_requests, wishes_.requires_threads};
    return boost::json::serialize(parts);
  }
  static const double* read_ratios(const number_column& column, const block& rows, std::size_t room, row_keys& into) {
    const double* const numbers = column.read(rows.first, rows.count, rows.room(room));
    for (std::uint32_t i = 0; i < rows.count; ++i) into[i] = std::bit_cast<std::uint64_t>(numbers[i]);
    return numbers;
  }

  numa_host host_at(std::uint32_t row) {
    auto topology = documents_.topologies.find(hosts_.numa_topology, row);
    std::span<const host_cell> cells;
    if (*topology && **topology) cells = (**topology)->cells;
    return {cells, std::move(topology), documents_.pools.find(hosts_.pci_stats, row)};
  }

  // Hosts' topologies lie wherever their reports put them: the fit would wait for each.
  static constexpr std::size_t ahead = 8;
  static void fetch(const numa_host& host) {
    if (host.topology == nullptr) return;
    __builtin_prefetch(host.topology.get());
    __builtin_prefetch(host.pools.get());
    for (const host_cell& cell : host.cells) {
      const auto* const front = reinterpret_cast<const char*>(&cell);
      for (std::size_t at = 0; at < host_cell::front; at += 64) __builtin_prefetch(front + at);
    }
  }

  template <class Answer>
  Answer ask(const numa_host& documents, const ratios& of_row,
             Answer (*function)(const numa_wishes&, const numa_supply&)) const {
    if (!*documents.topology) return documents.topology->error();
    if (!*documents.pools) return documents.pools->error();
    numa_supply host;
    host.topology = address(**documents.topology);
    host.pools = address(**documents.pools);
    host.cpu_allocation_ratio = known(of_row.cpu);
    host.ram_allocation_ratio = known(of_row.ram);
    return function(wishes_, host);
  }
  static std::optional<double> known(double ratio) { return ratio == ratio ? std::optional(ratio) : std::nullopt; }

  const host_table& hosts_;
  host_documents& documents_;
  std::optional<instance_topology> topology_;
  std::optional<network_metadata> networks_;
  pci_requests requests_;
  numa_wishes wishes_;
  std::optional<column_fit> by_columns_;
  std::shared_ptr<values_by_request<std::uint8_t, 4>::rows> known_;
};

class numa_topology final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (!asked.request.flavor || !asked.request.flavor->extra_specs)
      return refuses_any(numa_topology_name, asked.hosts,
                         {"ObjectActionError", "the request's flavor comes without extra_specs"});
    if (!asked.request.image)
      return refuses_any(numa_topology_name, asked.hosts,
                         {"AttributeError", "the request has no image, whose properties are asked for"});
    auto run = std::make_unique<numa_topology_run>(asked, documents_);
    if (!run->asks_anything()) return nullptr;
    return run;
  }

 private:
  mutable host_documents documents_;
};

}  // namespace

const filter_rule numa_topology_filter{numa_topology_name, false, false, make_filter<numa_topology>,
                                       "the instance's NUMA topology does not fit into the host's"};

}  // namespace filter_driver

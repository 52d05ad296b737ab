// SPDX-License-Identifier: Apache-2.0
//
// NUMATopologyFilter (from Juno on; the rules of Ocata and of Zed on): the instance's NUMA topology must fit the
// host's, with its PCI requests and, in Zed, networks. An instance that wants dedicated CPUs and requires hyperthreads
// is refused by hosts without hyperthreads. Hosts that fit the instance get the limits of the fit. From Antelope on, the
// instance must fit with the PCI devices of one of the host's allocation candidates.
#include <algorithm>
#include <array>
#include <gantry/driver/failure.hpp>
#include <span>

#include "filters/filters.hpp"
#include "filters/parts/column_fit.hpp"
#include "numa/topology_filter.hpp"
#include "numa/topology_json.hpp"
#include "rules/refusal.hpp"
#include "rules/values_by_row.hpp"
#include "rules/wording.hpp"

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

// Returns true if the flavor's extra spec or the image's property has the value.
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

template <class Value>
using reading = outcome<std::optional<Value>>;

// Reads the row's document. Returns null, Python's None, if no host has these documents.
template <class Value>
std::shared_ptr<const reading<Value>> read_document(const document_column* column, std::uint32_t row,
                                                    reading<Value> (*read)(const boost::json::value&)) {
  if (column == nullptr) return std::make_shared<const reading<Value>>(std::optional<Value>());
  return std::make_shared<const reading<Value>>(read(column->at(row)));
}

// A host's documents.
struct numa_host {
  std::span<const host_cell> cells;  // the cells of the topology
  std::shared_ptr<const reading<host_topology>> topology;
  std::shared_ptr<const reading<pci_pools>> pools;
};

// The columns do not describe a host whose documents cannot be read, or whose devices may make the fit raise an
// error.
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

// Cached by the versions of topology and pools.
using numa_hosts = values_by_row<numa_host, 2, columns_of_hosts>;

std::string cell_in_words(std::size_t cpus, std::int64_t memory_mb) {
  return std::to_string(cpus) + (cpus == 1 ? " CPU with " : " CPUs with ") + std::to_string(memory_mb) + " MiB";
}

class numa_topology_run final : public filter_run, private left_candidates::judge {
 public:
  numa_topology_run(const question& asked, numa_hosts& known)
      : hosts_(asked.hosts),
        known_(known),
        candidates_(asked.candidates),
        topology_(of_request(read_instance_topology(asked.request.numa_topology))),
        networks_(of_request(read_network_metadata(asked.request.network_metadata))),
        requests_(of_request(read_pci_requests(asked.request.pci_requests))) {
    wishes_.topology = address(topology_);
    wishes_.requests = &requests_;
    wishes_.rules = asked.options.compatibility;
    if (!wishes_.rules->fits_numa_as_ocata) wishes_.networks = address(networks_);
    wishes_.requires_threads = is_asked(asked.request, "hw:cpu_policy", "hw_cpu_policy", "dedicated") &&
                               is_asked(asked.request, "hw:cpu_thread_policy", "hw_cpu_thread_policy", "require");
    wishes_.packing_host_numa_cells_allocation_strategy = asked.options.packing_host_numa_cells_allocation_strategy;
    by_columns_ = column_fit::of(wishes_);
    if (candidates_ != nullptr && candidates_->differ()) left_.resize((hosts_.rows + 63) / 64);
  }

  bool asks_anything() const { return wishes_.topology != nullptr || wishes_.requires_threads; }

  void keep(const block& candidates) override {
    std::array<row_keys, 2> keys;
    read_keys(hosts_.numa_topology, candidates, keys[0]);
    read_keys(hosts_.pci_stats, candidates, keys[1]);
    const double* const cpu = hosts_.cpu_allocation_ratio.read(candidates.first, candidates.count, candidates.room(0));
    const double* const ram = hosts_.ram_allocation_ratio.read(candidates.first, candidates.count, candidates.room(1));
    const auto near =
        known_.hold({keys[0].data(), keys[1].data()}, candidates, [this](std::uint32_t row) { return host_at(row); });
    column_fit::verdicts judged;
    if (by_columns_) judged = by_columns_->judge(*near.beside, candidates, cpu, ram);
    candidates.keep_if([&](std::uint32_t row) {
      const std::size_t at = row - candidates.first;
      const std::uint64_t bit = std::uint64_t{1} << at % 64;
      if (by_columns_ && (judged.unsure[at / 64] & bit) == 0)
        return (judged.fit[at / 64] & bit) != 0 && (candidates_ == nullptr || candidates_->has_any(row));
      if (at + ahead < candidates.count) fetch(near.values[at + ahead]);
      under_judgement_ = {row, &near.values[at], {cpu[at], ram[at]}};
      const auto verdict = verdict_on_host();
      if (!verdict) refuse_numa("host " + hosts_.name_of(row), verdict.error());
      return *verdict;
    });
    under_judgement_ = {};
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    std::string wanted = "hyperthreads (hw:cpu_thread_policy require)";
    if (topology_) {
      std::vector<std::string> cells;
      for (const auto& cell : topology_->cells)
        cells.push_back(cell_in_words(cell.cpuset.size() + cell.pcpuset.size(), cell.memory));
      wanted = "NUMA cells of " + listed(cells);
    }
    const bool dedicated = topology_ && !topology_->cells.empty() && topology_->cells.front().wants_dedicated();
    const auto host = host_at(row);
    std::vector<std::string> cells;
    for (const auto& cell : host.cells)
      cells.push_back(cell_in_words(dedicated ? cell.free_pcpus : cell.cpus, cell.free_memory()));
    return mismatch{std::move(wanted), cells.empty() ? "no NUMA topology" : listed(cells)};
  }

  claims_effect effect_of_claims() const override { return claims_effect::by_documents; }

  bool passes_with(std::uint32_t row, const host_documents& documents, std::optional<numa_limits>& limits) override {
    const numa_supply host{address(documents.topology), address(documents.pools),
                           known(hosts_.cpu_allocation_ratio[row]), known(hosts_.ram_allocation_ratio[row])};
    const auto passes = passes_numa_topology(wishes_, host);
    if (!passes) refuse_numa("host " + hosts_.name_of(row), passes.error());
    if (!*passes) return false;
    auto kept_to = numa_limits_of(wishes_, host);
    if (kept_to) limits = *std::move(kept_to);
    return true;
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    const auto host = host_at(row);
    const ratios of_row{hosts_.cpu_allocation_ratio[row], hosts_.ram_allocation_ratio[row]};
    if (!is_left(row, host, of_row)) return;
    const auto kept_to = ask(wishes_, host, of_row, numa_limits_of);
    if (kept_to && *kept_to) limits.numa_topology = to_json(**kept_to);
  }

 private:
  // NaN if the host has no ratio.
  struct ratios {
    double cpu;
    double ram;
  };

  numa_host host_at(std::uint32_t row) {
    auto topology = read_document(hosts_.numa_topology, row, read_host_topology);
    std::span<const host_cell> cells;
    if (*topology && **topology) cells = (**topology)->cells;
    return {cells, std::move(topology), read_document(hosts_.pci_stats, row, read_pci_pools)};
  }

  // The hosts' topologies are scattered in memory, so the fit would wait for a cache miss on each.
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

  // Judges the host's candidates if they may make a difference.
  outcome<bool> verdict_on_host() {
    const auto& [row, host, of_row] = under_judgement_;
    if (candidates_ == nullptr || wishes_.topology == nullptr) return ask(wishes_, *host, of_row, passes);
    if (candidates_->has_any(row) && !candidates_->differ()) return ask(wishes_, *host, of_row, passes);
    auto may_pass = ask(wishes_, *host, of_row, may_pass_numa_topology);
    if (!may_pass || !*may_pass) return may_pass;
    if (!candidates_->has_any(row)) return false;
    auto kept = candidates_->keep(row, *this);
    if (kept && *kept) left_[row / 64] |= std::uint64_t{1} << (row % 64);
    return kept;
  }

  // Returns whether the filter has left a candidate on the host.
  bool is_left(std::uint32_t row, const numa_host& host, const ratios& of_row) {
    if (candidates_ != nullptr && wishes_.topology != nullptr) {
      if (!candidates_->has_any(row)) return false;
      if (candidates_->differ()) return ((left_[row / 64] >> (row % 64)) & 1) != 0;
    }
    const auto verdict = ask(wishes_, host, of_row, passes);
    return verdict && *verdict;
  }

  outcome<bool> accepts(std::uint32_t row, const request_providers& providers) override {
    auto wishes = wishes_;
    wishes.providers = &providers;
    const auto fits = [this](const numa_wishes& asked, const numa_supply& host) {
      return changing_ ? passes_numa_topology(asked, host, *changing_) : passes_numa_topology(asked, host);
    };
    if (under_judgement_.host != nullptr && under_judgement_.row == row)
      return ask(wishes, *under_judgement_.host, under_judgement_.of_row, fits);
    return ask(wishes, host_at(row), {hosts_.cpu_allocation_ratio[row], hosts_.ram_allocation_ratio[row]}, fits);
  }

  void begin_list() override { changing_ = topology_; }
  void end_list() override { changing_.reset(); }
  std::vector<std::int64_t> state() const override {
    std::vector<std::int64_t> all;
    if (!changing_) return all;
    for (const instance_cell& cell : changing_->cells) {
      all.push_back(cell.id);
      all.push_back(cell.pagesize.value_or(0));
    }
    return all;
  }

  const pci_pools* pools_of(std::uint32_t /*row*/) override { return address(**under_judgement_.host->pools); }

  template <class Function>
  static auto ask(const numa_wishes& wishes, const numa_host& documents, const ratios& of_row, Function function)
      -> decltype(function(wishes, numa_supply())) {
    if (!*documents.topology) return documents.topology->error();
    if (!*documents.pools) return documents.pools->error();
    numa_supply host;
    host.topology = address(**documents.topology);
    host.pools = address(**documents.pools);
    host.cpu_allocation_ratio = known(of_row.cpu);
    host.ram_allocation_ratio = known(of_row.ram);
    return function(wishes, host);
  }
  static outcome<bool> passes(const numa_wishes& wishes, const numa_supply& host) {
    return passes_numa_topology(wishes, host);
  }
  static std::optional<double> known(double ratio) { return ratio == ratio ? std::optional(ratio) : std::nullopt; }

  // The host that keep() asks about. nullptr: it asks about none.
  struct judged_host {
    std::uint32_t row = 0;
    const numa_host* host = nullptr;
    ratios of_row{};
  };

  const host_table& hosts_;
  numa_hosts& known_;
  left_candidates* const candidates_;
  judged_host under_judgement_;
  std::vector<std::uint64_t> left_;            // bitmap: rows of which a candidate was left
  std::optional<instance_topology> changing_;  // the topology as the candidates of a list have changed it
  std::optional<instance_topology> topology_;
  std::optional<network_metadata> networks_;
  pci_requests requests_;
  numa_wishes wishes_;
  std::optional<column_fit> by_columns_;
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
    auto run = std::make_unique<numa_topology_run>(asked, known_);
    if (!run->asks_anything()) return nullptr;
    return run;
  }

 private:
  mutable numa_hosts known_;
};

}  // namespace

const filter_rule numa_topology_filter{.name = numa_topology_name,
                                       .once_per_request = false,
                                       .runs_on_rebuild = false,
                                       .make = make_filter<numa_topology>,
                                       .complaint = "the instance's NUMA topology does not fit into the host's",
                                       .runs_on_rebuild_in_ocata = true};

}  // namespace filter_driver

// SPDX-License-Identifier: Apache-2.0
#include "numa/fit.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <utility>

#include "numa/cell_fit.hpp"
#include "numa/networks.hpp"
#include "pci/supply.hpp"

namespace filter_driver {
namespace {

template <class Value, std::size_t Count>
using short_vector = boost::container::small_vector<Value, Count>;

// The search gives up after this many trials. A host of 8 cells has 40,320 orders of 8.
constexpr std::size_t most_trials = 2'000'000;

class search {
 public:
  search(const host_topology& host, const instance_topology& instance, const fit_terms& terms, bool keeps_state)
      : host_(host), instance_(instance), terms_(terms), keeps_state_(keeps_state) {}

  outcome<bool> run() {
    if (host_.cells.size() < instance_.cells.size() || instance_.cells.empty()) return false;
    if (std::optional<raised> error = unsortable_pools()) return *error;
    if (!keeps_state_ && fits_as_it_stands()) return true;
    if (!keeps_state_ && !fits_first_anywhere()) return false;
    begin();
    for (std::size_t trials = 0; trials < most_trials; ++trials) {
      changed_ = false;
      const std::size_t reached = place_all();
      if (error_) return *error_;
      std::size_t turn = order_.size() - 1;
      if (reached == order_.size()) {
        const outcome<bool> suits = suits_devices_and_networks();
        if (!suits) return suits.error();
        if (*suits) return true;
      } else if (!changed_) {
        turn = reached;  // every order with the same beginning would fail at the same position
      }
      if (!next_order(turn)) return false;
    }
    return raised{{},
                  "the instance's NUMA cells can be tried on the host's in too many orders: gave up after " +
                      std::to_string(most_trials)};
  }

  // Repeats the trials' changes on the instance, in the order of the trials.
  void apply_to(instance_topology& instance) const {
    for (const packing_done& done : packings_) {
      pin(*done.host, done.how, reserved(done.position), instance.cells[done.position]);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      instance.cells[i].id = places_[i].id;
      instance.cells[i].pagesize = places_[i].pagesize;
    }
  }

 private:
  // The fields of an instance's cell that a trial changes.
  struct place {
    std::int64_t id;
    std::optional<std::int64_t> pagesize;
  };
  struct packing_done {
    std::size_t position;
    const host_cell* host;
    packing how;
  };
  using pair_of_ids = std::pair<std::int64_t, std::int64_t>;
  using memory = short_vector<pair_of_ids, 16>;

  bool is_ocata() const { return terms_.rules->fits_numa_as_ocata; }
  std::size_t reserved(std::size_t position) const {
    return !is_ocata() && position == 0 && instance_.emulator_threads_policy == "isolate" ? 1 : 0;
  }

  cell_fit try_cell(const host_cell& host, const instance_cell& instance, std::optional<std::int64_t> pagesize,
                    std::size_t reserved) const {
    return is_ocata() ? fit_cell_of_ocata(host, instance, pagesize, terms_.limits)
                      : fit_cell(host, instance, pagesize, reserved, terms_.limits, terms_.rules);
  }

  // Tries the first order without sorting. Only for instances without devices and networks and with as many cells as
  // the host. Most hosts that take an instance take it in this order.
  bool fits_as_it_stands() const {
    const bool has_more = terms_.requests != nullptr && !terms_.requests->empty();
    if (has_more || host_.cells.size() != instance_.cells.size()) return false;
    if (terms_.limits != nullptr && terms_.limits->network_metadata) return false;
    for (std::size_t i = 0; i < instance_.cells.size(); ++i) {
      const instance_cell& wanted = instance_.cells[i];
      const auto fit = try_cell(host_.cells[i], wanted, wanted.pagesize, reserved(i));
      if (fit.result != cell_fit::kind::fits) return false;
    }
    return true;
  }

  // Returns false if no host cell takes the instance's first cell. Every order tries that cell first, so no order can
  // succeed then. The requested page size changes with each trial, so this check allows any size. Errors are left to
  // the trials, because their order decides whether an error occurs.
  bool fits_first_anywhere() const {
    const instance_cell& first = instance_.cells.front();
    const bool any_pages = first.pagesize && *first.pagesize < 0;
    return std::any_of(host_.cells.begin(), host_.cells.end(), [&](const host_cell& cell) {
      const cell_fit::kind result = try_cell(cell, first, any_pages ? -3 : first.pagesize, reserved(0)).result;
      return result == cell_fit::kind::fits || result == cell_fit::kind::raises;
    });
  }

  void begin() {
    for (const host_cell& cell : host_.cells) pool_.push_back(&cell);
    if (pool_.size() > instance_.cells.size() && !is_ocata()) sort_pool();
    for (std::size_t i = 0; i < instance_.cells.size(); ++i) {
      places_.push_back({instance_.cells[i].id, instance_.cells[i].pagesize});
      order_.push_back(i);
    }
  }

  std::optional<raised> unsortable_pools() const {
    if (is_ocata() || terms_.pools == nullptr || host_.cells.size() == instance_.cells.size()) return std::nullopt;
    for (const pci_pool& pool : *terms_.pools) {
      if (pool.find("numa_node") == nullptr) return raised{"KeyError", "a PCI pool of the host has no numa_node"};
    }
    return std::nullopt;
  }

  template <class Key>
  void sort_by(Key key, bool descending) {
    const auto before = [&](const host_cell* a, const host_cell* b) {
      return descending ? key(*a) > key(*b) : key(*a) < key(*b);
    };
    // An insertion sort: stable like Python's sort, without the memory of std::stable_sort. Hosts have few cells.
    for (auto next = pool_.begin(); next != pool_.end(); ++next) {
      std::rotate(std::upper_bound(pool_.begin(), next, *next, before), next, next + 1);
    }
  }
  void sort_pool() {
    const bool packs = terms_.packing_host_numa_cells_allocation_strategy;
    sort_by([](const host_cell& cell) { return cell.free_memory(); }, !packs);
    if (instance_.cells.front().wants_dedicated()) {
      sort_by([](const host_cell& cell) { return cell.free_pcpus; }, !packs);
    } else {
      sort_by([](const host_cell& cell) { return cell.cpu_usage; }, packs);
    }
    if (terms_.pools == nullptr) return;
    const auto devices = [&](const host_cell& cell) {
      std::int64_t sum = 0;
      for (const pci_pool& pool : *terms_.pools) sum += pool.numa_node == cell.id ? pool.count : 0;
      return sum;
    };
    sort_by(devices, terms_.requests != nullptr && !terms_.requests->empty());
  }

  // Tries the current order. Returns the position that failed, or the number of positions if all fit.
  std::size_t place_all() {
    chosen_.clear();
    for (std::size_t position = 0; position < order_.size(); ++position) {
      const host_cell& cell = *pool_[order_[position]];
      if (!place_one(position, cell)) return position;
      chosen_.push_back(&cell);
    }
    return order_.size();
  }

  bool place_one(std::size_t position, const host_cell& cell) {
    place& at = places_[position];
    const pair_of_ids key(cell.id, at.id);
    if (!is_ocata()) {
      if (std::find(refused_.begin(), refused_.end(), key) != refused_.end()) return false;
      if (std::find(taken_.begin(), taken_.end(), key) != taken_.end()) {
        changed_ = changed_ || at.id != cell.id;
        at.id = cell.id;
        return true;
      }
    }
    const cell_fit fit = try_cell(cell, instance_.cells[position], at.pagesize, reserved(position));
    if (fit.packed) at.id = cell.id;  // even if a later check fails
    if (fit.packed && keeps_state_) packings_.push_back({position, &cell, *fit.packed});
    if (fit.result == cell_fit::kind::raises) {
      error_ = raised{is_ocata() ? "UnboundLocalError" : "ValueError",
                      "cell " + std::to_string(cell.id) + " of the host has no siblings to pin the dedicated CPUs to"};
    }
    changed_ = changed_ || (fit.pagesize && at.pagesize != fit.pagesize);
    if (fit.pagesize) at.pagesize = fit.pagesize;
    if (fit.result == cell_fit::kind::raises) return false;
    if (is_ocata()) {
      if (fit.result == cell_fit::kind::fits) at.id = cell.id;
      return fit.result == cell_fit::kind::fits;
    }
    changed_ = true;
    (fit.result == cell_fit::kind::fits ? taken_ : refused_).push_back(key);
    if (fit.result != cell_fit::kind::fits) return false;
    at.id = cell.id;
    return true;
  }

  outcome<bool> suits_devices_and_networks() const {
    const bool asks_devices = terms_.requests != nullptr && !terms_.requests->empty();
    if (asks_devices && terms_.pools == nullptr && is_ocata()) return false;
    if (asks_devices && terms_.pools != nullptr) {
      short_vector<std::int64_t, 8> cells;
      for (const place& at : places_) cells.push_back(at.id);
      outcome<bool> served =
          supports(*terms_.pools, *terms_.requests,
                   {cells, host_.sockets, terms_.rules, terms_.requests_name_providers, terms_.providers});
      if (!served || !*served) return served;
    }
    if (terms_.limits == nullptr || !terms_.limits->network_metadata) return true;
    return near_networks(host_, chosen_, *terms_.limits->network_metadata);
  }

  // Moves on to the next order that differs at `position` or before it. Returns false if there is none.
  bool next_order(std::size_t position) {
    for (std::size_t turn = position + 1; turn-- > 0;) {
      const auto fixed = order_.begin() + static_cast<std::ptrdiff_t>(turn);
      const auto is_free = [&](std::size_t i) { return std::find(order_.begin(), fixed, i) == fixed; };
      std::size_t next = order_[turn] + 1;
      while (next < pool_.size() && !is_free(next)) ++next;
      if (next == pool_.size()) continue;
      order_[turn] = next;
      for (std::size_t i = turn + 1; i < order_.size(); ++i) {
        const auto end = order_.begin() + static_cast<std::ptrdiff_t>(i);
        std::size_t lowest = 0;
        while (std::find(order_.begin(), end, lowest) != end) ++lowest;
        order_[i] = lowest;
      }
      return true;
    }
    return false;
  }

  const host_topology& host_;
  const instance_topology& instance_;
  const fit_terms& terms_;
  const bool keeps_state_;
  short_vector<const host_cell*, 8> pool_;
  short_vector<std::size_t, 8> order_;  // for each cell of the instance: an index into the pool
  short_vector<place, 4> places_;
  short_vector<const host_cell*, 4> chosen_;
  memory taken_;
  memory refused_;
  std::vector<packing_done> packings_;
  std::optional<raised> error_;
  bool changed_ = false;
};

}  // namespace

outcome<bool> fits(const host_topology* host, const instance_topology* instance, const fit_terms& terms) {
  if (host == nullptr || instance == nullptr) return false;
  return search(*host, *instance, terms, false).run();
}

outcome<std::optional<instance_topology>> fit(const host_topology* host, instance_topology* instance,
                                              const fit_terms& terms) {
  if (host == nullptr || instance == nullptr) return std::optional<instance_topology>();
  const instance_topology before = *instance;
  search trials(*host, before, terms, true);
  const outcome<bool> fitted = trials.run();
  trials.apply_to(*instance);
  if (!fitted) return fitted.error();
  return *fitted ? std::optional(*instance) : std::optional<instance_topology>();
}

}  // namespace filter_driver

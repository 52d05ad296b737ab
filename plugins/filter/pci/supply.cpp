// SPDX-License-Identifier: Apache-2.0
#include "pci/supply.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "nova/object.hpp"
#include "python/python_value.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;

// The count of a pool whose last device was taken. Other pools have the number of devices left.
constexpr std::int64_t gone = -1;
using counts = boost::container::small_vector<std::int64_t, 16>;
using pool_list = boost::container::small_vector<std::uint32_t, 16>;

bool matches(const pci_pool& pool, const pci_value& wanted, release rules) {
  const pci_value* has = pool.find(wanted.key);
  if (has == nullptr) return wanted.value.is_null();
  if (!rules->pci_requests_have_policies) return equal_values(wanted.value, has->value);
  if (wanted.value.is_array() && has->value.is_array()) {
    const json::array& all = has->value.get_array();
    return std::all_of(wanted.value.get_array().begin(), wanted.value.get_array().end(),
                       [&](const json::value& element) {
                         return std::any_of(all.begin(), all.end(),
                                            [&](const json::value& one) { return equal_values(one, element); });
                       });
  }
  if (wanted.value.is_string() && has->value.is_string()) return wanted.lowered == has->lowered;
  return equal_values(wanted.value, has->value);
}

// Keys of a specification that placement judges, not the pools.
bool is_of_placement(std::string_view key) {
  return key == "resource_class" || key == "traits" || key == "rp_uuid" || key == "rp_uuids";
}

bool matches(const pci_pool& pool, const pci_request& request, release rules) {
  return std::any_of(request.specifications.begin(), request.specifications.end(), [&](const auto& specification) {
    return std::all_of(specification.begin(), specification.end(), [&](const pci_value& wanted) {
      const bool is_ignored = rules->pci_requests_may_name_providers && is_of_placement(wanted.key);
      return is_ignored || matches(pool, wanted, rules);
    });
  });
}

bool is_text(const pci_value* value, std::string_view text) {
  return value != nullptr && value->value.is_string() && value->value.get_string() == text;
}

using provider_list = boost::container::small_vector<std::string_view, 16>;

// Returns how many devices of the pool's resource provider a request takes by its list of providers.
std::int64_t named_of(const pci_pool& pool, const provider_list& providers) {
  if (!pool.has_provider) return 0;
  return std::count(providers.begin(), providers.end(), std::string_view(pool.provider));
}

// Returns true if devices of one resource provider are in several pools.
bool splits_a_provider(const pci_pools& pools, const counts& left) {
  for (std::size_t i = 0; i < pools.size(); ++i) {
    if (!pools[i].has_provider || left[i] == gone) continue;
    for (std::size_t j = i + 1; j < pools.size(); ++j) {
      if (pools[j].has_provider && left[j] != gone && pools[i].provider == pools[j].provider) return true;
    }
  }
  return false;
}

bool has(std::span<const std::int64_t> ids, std::optional<std::int64_t> id) {
  return id && std::find(ids.begin(), ids.end(), *id) != ids.end();
}

// Selects the pools that can serve one request.
class narrowing {
 public:
  // `providers`: those that serve the request. Empty: any.
  narrowing(const pci_pools& pools, const counts& left, const pci_request& request, release rules,
            const provider_list& providers)
      : pools_(pools), left_(left), request_(request), rules_(rules), providers_(providers) {
    for (std::uint32_t i = 0; i < pools.size(); ++i) {
      if (left[i] != gone && matches(pools[i], request, rules)) list_.push_back(i);
    }
  }

  // Reduces the list to the pools to take from, in order. An empty list means that the request cannot be served.
  std::optional<raised> narrow(const pci_placement& placement) {
    if (!request_.has_specifications) return raised{"ValueError", "InstancePCIRequest.spec is not set"};
    if (short_of_devices()) return std::nullopt;
    if (!placement.cells.empty()) {
      if (std::optional<raised> error = keep_near(placement)) return error;
      if (short_of_devices()) return std::nullopt;
    }
    if (!request_.wants_pf && rules_->keeps_physical_functions) drop([](const pci_pool& pool) { return pool.is_pf; });
    if (short_of_devices() || !rules_->pci_requests_have_policies) return std::nullopt;
    if (!request_.wants_vdpa) drop([](const pci_pool& pool) { return pool.is_vdpa; });
    if (!request_.wants_remote_managed) drop([](const pci_pool& pool) { return pool.remote_managed; });
    if (!providers_.empty()) keep_named();
    if (rules_->pci_devices_may_be_live_migratable) keep_by_migration();
    short_of_devices();
    return std::nullopt;
  }
  const pool_list& list() const { return list_; }

 private:
  template <class Test>
  std::int64_t devices(Test test) const {
    std::int64_t sum = 0;
    for (const std::uint32_t i : list_) sum += test(pools_[i]) ? left_[i] : 0;
    return sum;
  }
  // Returns true and clears the list if its pools have too few devices together.
  bool short_of_devices() {
    if (devices([](const pci_pool&) { return true; }) >= request_.count) return false;
    list_.clear();
    return true;
  }
  template <class Test>
  void drop(Test test) {
    list_.erase(std::remove_if(list_.begin(), list_.end(), [&](std::uint32_t i) { return test(pools_[i]); }),
                list_.end());
  }

  void keep_named() {
    list_.erase(std::remove_if(list_.begin(), list_.end(),
                               [&](std::uint32_t i) {
                                 const std::int64_t named = named_of(pools_[i], providers_);
                                 return named == 0 || left_[i] < named;
                               }),
                list_.end());
  }
  void keep_by_migration() {
    if (!request_.wants_migratable && !request_.wants_unmigratable) return;
    const std::string_view wanted = request_.wants_migratable ? "true" : "false";
    drop([&](const pci_pool& pool) { return !is_text(pool.find("live_migratable"), wanted); });
  }

  std::optional<raised> keep_near(const pci_placement& placement) {
    const auto in_cell = [&](const pci_pool& pool) { return has(placement.cells, pool.numa_node); };
    if (!rules_->pci_requests_have_policies) {
      drop([&](const pci_pool& pool) { return pool.numa_node && !in_cell(pool); });
      return std::nullopt;
    }
    if (request_.numa_policy == pci_numa_policy::required || devices(in_cell) >= request_.count) {
      drop([&](const pci_pool& pool) { return !in_cell(pool); });
      return std::nullopt;
    }
    if (request_.numa_policy == pci_numa_policy::socket) return keep_on_sockets(placement);
    const auto in_cell_or_none = [&](const pci_pool& pool) { return !pool.numa_node || in_cell(pool); };
    if (request_.numa_policy == pci_numa_policy::legacy || devices(in_cell_or_none) >= request_.count) {
      drop([&](const pci_pool& pool) { return !in_cell_or_none(pool); });
    } else {
      std::stable_partition(list_.begin(), list_.end(), [&](std::uint32_t i) { return in_cell_or_none(pools_[i]); });
    }
    return std::nullopt;
  }

  std::optional<raised> keep_on_sockets(const pci_placement& placement) {
    if (!placement.sockets) {
      return raised{"AttributeError", "a PCI request has the NUMA policy socket and the host has no NUMA topology"};
    }
    const std::span<const cell_socket> sockets = *placement.sockets;
    const bool known = std::all_of(sockets.begin(), sockets.end(), [](const cell_socket& one) { return one.socket; });
    const auto shares_socket = [&](std::int64_t node) {
      return std::any_of(sockets.begin(), sockets.end(), [&](const cell_socket& of_pool) {
        return of_pool.cell == node && std::any_of(sockets.begin(), sockets.end(), [&](const cell_socket& of_instance) {
                 return of_instance.socket == of_pool.socket && has(placement.cells, of_instance.cell);
               });
      });
    };
    drop([&](const pci_pool& pool) { return !known || !pool.numa_node || !shares_socket(*pool.numa_node); });
    return std::nullopt;
  }

  const pci_pools& pools_;
  const counts& left_;
  const pci_request& request_;
  const release rules_;
  const provider_list& providers_;
  pool_list list_;
};

// Takes from each pool of the list as many devices as its provider is named. Returns false if nothing can be taken.
bool take_named(const pci_pools& pools, const pool_list& list, const provider_list& providers, release rules,
                counts& left) {
  if (rules->refuses_split_providers && splits_a_provider(pools, left)) return false;
  for (const std::uint32_t i : list) {
    left[i] -= named_of(pools[i], providers);
    if (left[i] == 0) left[i] = gone;
  }
  return true;
}

void take_from(const pool_list& list, std::int64_t wanted, counts& left) {
  for (const std::uint32_t i : list) {
    if (left[i] > wanted) {
      left[i] -= wanted;
      return;
    }
    wanted -= left[i];
    left[i] = gone;
    if (wanted == 0) return;
  }
}

// Returns the providers that serve the request. Empty: any.
outcome<provider_list> providers_of(const pci_requests& requests, std::size_t at, const pci_placement& placement) {
  const pci_request& request = requests[at];
  provider_list all;
  if (!placement.rules->pci_requests_may_name_providers || !request.is_of_flavor) return all;
  if (placement.providers != nullptr) {
    const auto& given = (*placement.providers)[at];
    all.assign(given.begin(), given.end());
  } else if (placement.requests_name_providers && request.has_specifications) {
    if (request.specifications.empty()) return raised{"IndexError", "a PCI request of the flavor has no specification"};
    all.assign(request.providers.begin(), request.providers.end());
  }
  return all;
}

// Takes the requested devices from the counts. Returns false if a request cannot be served. Before Zed the requests
// after it are still served.
outcome<bool> take(const pci_pools& pools, const pci_requests& requests, const pci_placement& placement, counts& left) {
  bool served = true;
  for (std::size_t at = 0; at < requests.size(); ++at) {
    const pci_request& request = requests[at];
    const auto providers = providers_of(requests, at, placement);
    if (!providers) return providers.error();
    narrowing choice(pools, left, request, placement.rules, *providers);
    if (std::optional<raised> error = choice.narrow(placement)) return *error;
    const bool by_providers = !providers->empty();
    const bool is_taken = !choice.list().empty() &&
                          (!by_providers || take_named(pools, choice.list(), *providers, placement.rules, left));
    if (!is_taken) {
      served = false;
      if (placement.rules->pci_requests_have_policies) break;
      continue;
    }
    if (!by_providers) take_from(choice.list(), request.count, left);
  }
  return served;
}

counts counts_of(const pci_pools& pools) {
  counts left;
  left.reserve(pools.size());
  for (const pci_pool& pool : pools) left.push_back(pool.count);
  return left;
}

std::string described(const pci_requests& requests) {
  std::string text;
  for (const pci_request& request : requests) {
    const json::value* specification = request.fields.if_contains("spec");
    if (!text.empty()) text += ", ";
    text += std::to_string(request.count) + " of " +
            (specification == nullptr ? std::string("[]") : json::serialize(*specification).substr(0, 200));
  }
  return text;
}

}  // namespace

outcome<bool> supports(const pci_pools& pools, const pci_requests& requests, const pci_placement& placement) {
  counts left = counts_of(pools);
  return take(pools, requests, placement, left);
}

std::optional<raised> take(pci_pools& pools, const pci_requests& requests, const pci_placement& placement) {
  counts left = counts_of(pools);
  const outcome<bool> taken = take(pools, requests, placement, left);
  for (std::size_t i = 0; i < pools.size(); ++i) pools[i].count = left[i];
  pools.erase(std::remove_if(pools.begin(), pools.end(), [](const pci_pool& pool) { return pool.count == gone; }),
              pools.end());
  if (!taken) return taken.error();
  if (*taken) return std::nullopt;
  return raised{"PciDeviceRequestFailed", "the host's PCI pools cannot serve the requests: " + described(requests)};
}

outcome<bool> passes_pci_passthrough(const std::optional<pci_pools>& pools, const pci_requests& requests, release rules,
                                     const request_providers* providers) {
  if (requests.empty()) return true;
  if (!pools) return false;
  return supports(*pools, requests, {{}, {}, rules, false, providers});
}

}  // namespace filter_driver

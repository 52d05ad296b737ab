// SPDX-License-Identifier: Apache-2.0
//
// The allocation candidates that the filters have left on each host, from Antelope on. A candidate says which resource
// provider serves each group of the request, and a group asks for one PCI device. The filters of NUMA cells and PCI
// devices judge the candidates of a host one by one. The claim takes the first candidate that they leave.
//
// Placement lists the candidates of most hosts one by one. All of them are judged then, and the ones that a filter has
// rejected stay rejected for the later instances of the request, as in Nova. Equal devices have too many candidates for
// a list. They come as sets of choices. The first candidate that all filters accept is searched then, again for each
// instance. The search does not try two candidates that differ only in which of equal devices they take. It remembers no
// rejection, which costs time alone: an instance only takes from a host, so the next one finds no more than it.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <gantry/driver.hpp>
#include <gantry/driver/allocation_candidates.hpp>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "pci/pools.hpp"
#include "pci/providers.hpp"
#include "pci/requests.hpp"
#include "python/outcome.hpp"

namespace filter_driver {

class left_candidates {
 public:
  using choice = std::vector<std::uint32_t>;  // by group: the number of a provider

  // A filter that judges candidates.
  class judge {
   public:
    virtual ~judge() = default;
    // Returns whether a candidate of the row passes the filter.
    virtual outcome<bool> accepts(std::uint32_t row, const request_providers& providers) = 0;
    // Begins or ends a list: candidates of the row that are judged one after the other. Nova changes the instance's
    // topology as it judges one, and judges the next with the changed one.
    virtual void begin_list() {}
    virtual void end_list() {}
    // Returns what the candidates before have changed, for the verdict on the next one.
    virtual std::vector<std::int64_t> state() const { return {}; }
    // Returns the PCI pools of the row. nullptr: it has none. Valid until keep() returns, which asks the judge given to it.
    virtual const pci_pools* pools_of(std::uint32_t row) = 0;
  };

  // `claimable`: the rows with candidates. `offered`: as in gantry_request, may be nullptr. `call`: a long search ends with
  // deadline_exceeded if its deadline passes; may be nullptr. All must outlive this object.
  left_candidates(const gantry::bits& claimable, const gantry_candidates* offered, const pci_requests& requests,
                  const gantry::call* call = nullptr);

  // Returns whether the row has a candidate.
  bool has_any(std::uint32_t row) const { return claimable_.test(row); }
  // Returns whether candidates differ in the providers of PCI requests. If they do not, a row has one at most.
  bool differ() const { return candidates_.has_value(); }
  // Begins the filters of an instance.
  void begin();
  // Keeps the row's candidates that the judge accepts. Returns whether one is left. Without one, the candidates stay as
  // they were. The judges of an instance must outlive its last call.
  outcome<bool> keep(std::uint32_t row, judge& by);
  // Returns the first candidate that is left. Empty: the row has none, or candidates do not differ.
  choice first(std::uint32_t row) const;
  // Returns the providers of each PCI request in a candidate.
  request_providers providers_of(const choice& chosen) const;

 private:
  using judges = boost::container::small_vector<judge*, 2>;
  // The first candidate of a row with sets of choices that is accepted by the judges that have kept the row.
  struct kept_choice {
    choice chosen;
    judges by;
  };

  bool is_listed(std::uint32_t row) const;
  std::vector<std::uint32_t> listed(std::uint32_t row) const;
  choice choice_of(std::uint32_t set) const;
  std::vector<std::uint32_t> key_of(const choice& chosen) const;
  outcome<bool> keep_listed(std::uint32_t row, judge& by);
  outcome<std::vector<std::uint32_t>> accepted_of(std::uint32_t row, const std::vector<std::uint32_t>& sets, judge& by);
  outcome<bool> keep_first(std::uint32_t row, judge& by);
  outcome<choice> search(std::uint32_t row, const judges& all, judge& by);
  void look_at_deadline();
  choice first_with_room(std::uint32_t row) const;
  bool fails_with_any(std::uint32_t row, judge& by) const;

  gantry::bits claimable_;
  std::optional<gantry::allocation_candidates> candidates_;
  std::vector<std::vector<std::uint32_t>> groups_of_;                   // by PCI request
  bool all_have_groups_ = true;                                         // each PCI request has groups
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> left_;  // by row: the sets that are left of a list
  std::unordered_map<std::uint32_t, kept_choice> kept_;                 // by row with sets of choices
  const gantry::call* call_;
  std::uint32_t rejected_ = 0;  // candidates
};

}  // namespace filter_driver

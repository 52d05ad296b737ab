// SPDX-License-Identifier: Apache-2.0
//
// Decides one request as Nova's FilterScheduler does. For each instance, the decision filters and weighs the remaining
// hosts and picks the best one whose claim succeeds. The resources that the instance takes are written into a derived
// view, which the next instance sees. gantry::place_all and gantry::place_each (gantry/driver/placement.hpp) call
// place() for each instance.
#pragma once

#include <array>
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decision/classes/class_cache.hpp"
#include "decision/document_counts.hpp"
#include "decision/placing.hpp"
#include "decision/ranking.hpp"
#include "hosts/document_cache.hpp"
#include "hosts/view_hosts.hpp"
#include "policy/policy.hpp"
#include "request/request_facts.hpp"
#include "rules/asking.hpp"

namespace filter_driver {

class decision {
 public:
  // Throws gantry::failure if the request is invalid. `classes` caches the results for classes of equivalent requests.
  // Without it (nullptr) the decision is the same, but may take longer. All arguments must outlive this object.
  decision(gantry::call& call, const gantry::request& request, const policy& rules, document_cache& documents,
           class_cache* classes = nullptr);
  ~decision();
  decision(const decision&) = delete;
  decision& operator=(const decision&) = delete;

  // Picks a host for the instance with that index. Call it for the instances in ascending order. Returns no_valid_host
  // if no host passes the filters, or if the claim failed on each host that did. Another code than these and ok is an
  // error of the pick. Throws gantry::failure if a filter or weigher throws.
  gantry::code place(std::uint32_t instance);
  // Returns why the last place() found no host.
  const std::string& reason() const { return reason_; }
  // Offers the core alternate hosts for each placed instance, if the request wants some. Call it after all instances
  // are placed.
  gantry::code offer_alternates();

  // Writes to `counts`, by row, how many requests like this one would be placed there, each of one instance that claims
  // what it takes (gantry.capacity/1). Call it in place of place(). Throws gantry::failure, unsupported, if the rules do
  // not allow to count row by row. `kept` has what earlier calls have found.
  void count(gantry::row_counts counts, document_counts& kept);

  // Returns the host table. During place(), the used resources include those of the instances that were placed before.
  const host_table& hosts() const { return hosts_->table(); }
  const request_facts& facts() const { return facts_; }

 private:
  struct placed {
    std::uint32_t instance;
    std::uint32_t row;
  };

  // Removes the hint of a rebuild from a request that Nova's own rebuild would not send, unless strict_parity asks for
  // what the release does.
  void pass_over_foreign_rebuild();
  void read_hosts(const gantry::view& view);
  void choose_hosts();
  // Brings the cached results of the request's class up to date, or computes them. The first instance then uses these
  // results and skips narrow(). Returns false if there are no results to use.
  bool use_class();
  std::optional<std::span<const std::uint32_t>> find_changes(const kept_class& kept);
  bool bring_up_to_date(std::unique_ptr<kept_class>& kept, std::span<const std::uint32_t> changed);
  void leave_class();
  const std::vector<std::uint64_t>& left() const { return uses_class_ ? kept_->left_rows() : rows_; }
  // Filters and weighs the remaining hosts for the instance. Returns false if no host passes.
  bool narrow(std::uint32_t instance);
  gantry::code pick_best(std::uint32_t instance);
  std::vector<std::uint32_t> front_of(ranking& order, std::uint32_t instance);
  gantry::code pick(std::uint32_t instance, std::uint32_t row);
  void read_candidates();
  // The candidate that a claim of the row takes. Empty: the choice is left to placement.
  left_candidates::choice choice_on(std::uint32_t row) const;
  // The providers that serve the PCI requests there. nullptr: the requests name them.
  std::optional<request_providers> providers_of(const left_candidates::choice& chosen) const;
  gantry::limits limits_of(std::uint32_t row);
  gantry::limits limits_from(host_limits set);
  void consume(std::uint32_t instance, std::uint32_t row, const placing& taken);
  void explain(std::uint32_t instance);
  std::string why_none_came() const;
  void explain_complete(std::uint64_t in, std::uint64_t out);
  // Explains each host of the decision for the instance. The order of choice is `front`, then the rows that `rest`
  // still gives.
  void explain_hosts(std::uint32_t instance, const std::vector<std::uint32_t>& front, const ranking& rest);
  std::string lack(const filtering::step& step, std::size_t at);

  gantry::call& call_;
  const gantry::request& request_;
  const policy& rules_;
  document_cache& documents_;
  request_facts facts_;
  gantry::view view_;  // the request's view until the first consume(), then the derived view
  bool is_derived_ = false;
  cell_and_device_use use_;
  std::optional<view_hosts> hosts_;
  bool skips_filters_ = false;
  std::vector<std::uint64_t> named_;   // bitmap: hosts that the request allows. Not filled if no explanation is wanted
  std::vector<std::uint64_t> rows_;    // bitmap: remaining candidates, for the later instances too
  std::vector<std::uint64_t> before_;  // bitmap: candidates before the last narrow()
  std::optional<left_candidates> candidates_;         // nullopt: they are not judged
  std::optional<left_candidates> candidates_before_;  // before the last narrow(). Only if an explanation is wanted
  std::size_t pci_requests_ = 0;                      // the number of them
  // The question that filters_ judges. The runs of filters_ refer to both when a reason is read, after the run.
  std::optional<asking> with_;
  std::optional<question> asked_;
  std::optional<filtering> filters_;  // as run by the last narrow() or by use_class(), with their counts
  gantry::group_bound bound_;         // set by the last narrow(): the group rule that the core checks at the claim
  rounds rounds_;
  std::array<std::span<double>, 2> totals_;  // weights of a round and of the one before, in turns
  double* rooms_;                            // scratch memory of the call, as block::rooms
  class_cache* classes_;
  std::string class_;                 // key of the request's class
  std::unique_ptr<kept_class> kept_;  // results of class_, held until the end, since rounds_ refers to their weights
  bool uses_class_ = false;           // true: the remaining hosts are in kept_, not in rows_
  std::vector<placed> placed_;
  std::vector<placed_here> consumed_;  // the placed instances whose resources view_ includes
  std::string limits_text_;            // JSON that the limits of the last pick or alternate refer to
  std::string reason_;
  bool reported_none_ = false;  // the request allows some hosts, but none of these hosts has reported its capacity
};

}  // namespace filter_driver

// SPDX-License-Identifier: Apache-2.0
//
// One request decided, as Nova's FilterScheduler does: for each instance the hosts that are left are filtered and
// weighed, the best whose claim holds is picked, and what the instance takes is written into a derived view that the
// next one sees. gantry::place_all and place_each go over the instances.
#pragma once

#include <gantry/driver.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "decision/classes/class_cache.hpp"
#include "decision/placing.hpp"
#include "decision/ranking.hpp"
#include "hosts/document_cache.hpp"
#include "hosts/view_hosts.hpp"
#include "policy/policy.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

class decision {
 public:
  // Throws gantry::failure where the request makes no sense. `classes`: what is kept of requests like it, which changes
  // nothing but the time it takes; nullptr: nothing is.
  decision(gantry::call& call, const gantry::request& request, const policy& rules, document_cache& documents,
           class_cache* classes = nullptr);
  ~decision();
  decision(const decision&) = delete;
  decision& operator=(const decision&) = delete;

  // A host for that instance. Instances are asked for in their order.
  gantry::code place(std::uint32_t instance);
  // Why the last one has none.
  const std::string& reason() const { return reason_; }
  // Further hosts for each placed instance, once all are placed.
  gantry::code offer_alternates();

  // As they are now, with what the instances placed so far take.
  const host_table& hosts() const { return hosts_->table(); }
  const request_facts& facts() const { return facts_; }

 private:
  struct placed {
    std::uint32_t instance;
    std::uint32_t row;
  };

  void read_hosts(const gantry::view& view);
  void choose_hosts();
  // What is kept of the request's class, brought up to date, stands for the first narrow(). False: there is none.
  bool use_class();
  std::optional<std::span<const std::uint32_t>> find_changes(const kept_class& kept);
  bool bring_up_to_date(std::unique_ptr<kept_class>& kept, std::span<const std::uint32_t> changed);
  void leave_class();
  const std::vector<std::uint64_t>& left() const { return uses_class_ ? kept_->left_rows() : rows_; }
  // Filters and weighs what is left; false: nothing is.
  bool narrow(std::uint32_t instance);
  gantry::code pick_best(std::uint32_t instance);
  std::vector<std::uint32_t> front_of(ranking& order);
  gantry::code pick(std::uint32_t instance, std::uint32_t row);
  gantry::limits limits_of(std::uint32_t row);
  gantry::limits limits_from(host_limits set);
  void consume(std::uint32_t instance, std::uint32_t row, const placing& taken);
  void explain(std::uint32_t instance);
  std::string why_none_came() const;
  void explain_complete(std::uint64_t in, std::uint64_t out);
  // `front` and what follows it in `rest`: the final order.
  void explain_hosts(std::uint32_t instance, const std::vector<std::uint32_t>& front, const ranking& rest);
  std::string lack(const filtering::step& step, std::size_t at);

  gantry::call& call_;
  const gantry::request& request_;
  const policy& rules_;
  document_cache& documents_;
  request_facts facts_;
  gantry::view view_;  // the request's, later the derived one
  bool is_derived_ = false;
  cell_and_device_use use_;
  std::optional<view_hosts> hosts_;
  bool skips_filters_ = false;
  std::vector<std::uint64_t> named_;   // those that the request may use at all; empty: nobody asks
  std::vector<std::uint64_t> rows_;    // candidates that are left, for the later instances too
  std::vector<std::uint64_t> before_;  // candidates before the last narrow()
  std::optional<filtering> filters_;   // of the last narrow()
  gantry::group_bound bound_;          // likewise
  rounds rounds_;
  double* rooms_;  // the call's
  class_cache* classes_;
  std::string class_;                 // the request's
  std::unique_ptr<kept_class> kept_;  // of it, until the end: rounds_ refers to its weights
  bool uses_class_ = false;           // kept_, not rows_, says who is left
  std::vector<placed> placed_;
  std::vector<placed_here> consumed_;
  std::uint64_t lost_claims_ = 0;
  std::string limits_text_;
  std::string reason_;
  bool reported_none_ = false;  // none of those that the request may go to
};

}  // namespace filter_driver

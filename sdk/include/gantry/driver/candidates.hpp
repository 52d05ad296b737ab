// SPDX-License-Identifier: Apache-2.0
//
// The rows that a request may use at all, before a driver compares the rows. Each function is one rule. candidates()
// applies all rules in order and explains each rule as a step. No row outside of request.eligible() is ever among them. The manifest's columns.needs or columns.uses must name
// up, disabled and host, and hypervisor_hostname for requests that name nodes.
#pragma once

#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/request.hpp>
#include <gantry/driver/view.hpp>

#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry {

// Returns the rows whose service is up and not disabled.
inline bitmap rows_up(call& call, const view& view) {
  bitmap rows = call.empty_bitmap(view.rows());
  rows.assign(view.flags("up").values());
  rows.remove(view.flags("disabled").values());
  return rows;
}

// Returns why a row's service may not be chosen: disabled and for which reason, forced down, or down since when.
inline std::string why_not_up(const view& view, std::uint32_t row) {
  if (view.flags("disabled")[row]) {
    const std::optional<text_column> reason = view.find<text_column>("disabled_reason");
    return reason && reason->has(row) ? "disabled: " + std::string((*reason)[row]) : "disabled";
  }
  const std::optional<flag_column> forced = view.find<flag_column>("forced_down");
  if (forced && (*forced)[row]) return "forced down";
  const std::optional<column<std::int64_t>> seen = view.find<column<std::int64_t>>("last_seen_up");
  if (!seen || !seen->has(row)) return "down, never seen up";
  constexpr std::int64_t second = 1'000'000'000;
  const std::time_t at = static_cast<std::time_t>((*seen)[row] / second);
  std::tm parts = {};
  char text[32] = {};
  if (gmtime_r(&at, &parts) == nullptr || std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
    return "down";
  return "down, last seen up at " + std::string(text);
}

// Removes the rows of the hosts in ignore_hosts.
inline void drop_ignored_hosts(bitmap& rows, const request& request) {
  if (request.ignore_hosts().count == 0) return;
  const name_set ignored(request.ignore_hosts());
  const text_column hosts = request.view().texts("host");
  rows.keep_if([&](std::uint32_t row) { return !ignored.contains(hosts[row]); });
}

// Removes the rows whose text in the column is not one of `names`, and the rows without a text.
inline void keep_named(bitmap& rows, const view& view, std::string_view column, gantry_strings names) {
  const name_set wanted(names);
  const std::optional<text_column> found = view.find<text_column>(column);
  rows.keep_if([&](std::uint32_t row) { return found && found->has(row) && wanted.contains((*found)[row]); });
}

// Removes the rows that force_hosts, force_nodes or the requested destination exclude. Changes nothing if the request
// has none of the three.
inline void keep_requested(bitmap& rows, const request& request) {
  if (request.force_hosts().count != 0) keep_named(rows, request.view(), "host", request.force_hosts());
  if (request.force_nodes().count != 0) keep_named(rows, request.view(), "hypervisor_hostname", request.force_nodes());
  const gantry_string host = raw(request.requested_host());
  const gantry_string node = raw(request.requested_node());
  if (host.size != 0) keep_named(rows, request.view(), "host", {&host, 1});
  if (node.size != 0) keep_named(rows, request.view(), "hypervisor_hostname", {&node, 1});
}

// Returns the text in quotes, of more than 64 bytes the beginning: for reasons, which show what requests and hosts say.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t most = 64;
  if (text.size() <= most) return "'" + std::string(text) + "'";
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return "'" + std::string(text.substr(0, end)) + "...'";
}

// Returns the different texts of the column in these rows, quoted: "'a', 'b' and 5 more". "none" if no row has a text.
inline std::string texts_of(const bits& rows, const view& view, std::string_view column) {
  const std::optional<text_column> found = view.find<text_column>(column);
  if (!found) return "none";
  std::vector<bool> seen(found->dictionary().size());
  std::vector<std::string> texts;
  std::size_t count = 0;
  rows.for_each([&](std::uint32_t row) {
    if (!found->has(row) || seen[found->codes()[row]]) return;
    seen[found->codes()[row]] = true;
    constexpr std::size_t most = 3;
    if (++count <= most) texts.push_back(quoted((*found)[row]));
  });
  if (texts.empty()) return "none";
  std::string all;
  for (std::size_t at = 0; at < texts.size(); ++at) {
    const bool is_last = at + 1 == count;
    all += (at == 0 ? "" : is_last ? " and " : ", ") + texts[at];
  }
  return count > texts.size() ? all + " and " + std::to_string(count - texts.size()) + " more" : all;
}

// Returns what the request names: "force_hosts 'a' and 2 more, requested_destination 'b'".
inline std::string what_is_named(const request& request) {
  std::string all;
  const auto add = [&all](std::string_view key, std::string_view first, std::uint64_t count) {
    all += (all.empty() ? "" : ", ") + std::string(key) + " " + quoted(first);
    if (count > 1) all += " and " + std::to_string(count - 1) + " more";
  };
  const auto add_list = [&add](std::string_view key, gantry_strings names) {
    if (names.count != 0) add(key, text(names.items[0]), names.count);
  };
  add_list("force_hosts", request.force_hosts());
  add_list("force_nodes", request.force_nodes());
  if (!request.requested_host().empty()) add("requested_destination.host", request.requested_host(), 1);
  if (!request.requested_node().empty()) add("requested_destination.node", request.requested_node(), 1);
  return all;
}

// A set of rows that shrinks rule by rule. Each rule is explained to the host as a step with its numbers of rows, until
// the set is empty. The step that emptied the set is remembered, for the sentence of no_valid_host.
class narrowing {
 public:
  // Starts with the rows that are up and not disabled.
  narrowing(call& call, const view& view) : narrowing(call, view, false, std::nullopt) {}

  // The same for a request, which may ask for explanations of single hosts. Rows that are not eligible are left out from
  // the start, and no step counts them.
  narrowing(call& call, const request& request)
      : narrowing(call, request.view(), request.explain_hosts() != explain_hosts::none, request.eligible()) {}

  // Returns whether any row was up and not disabled at the start.
  bool any_up() const noexcept { return any_up_; }

  bitmap& rows() noexcept { return rows_; }
  const bits& rows() const noexcept { return rows_; }
  // Returns the number of rows that the last step left.
  std::uint64_t left() const noexcept { return left_; }

  // Explains a rule. Call this after the rule has changed rows(). `reason` says why rows were removed.
  void step(std::string_view name, std::string_view reason) { step(name, reason, rows_.count()); }

  // Explains a rule that does not change rows(). `left` is the number of rows that the rule left.
  void step(std::string_view name, std::string_view reason, std::uint64_t left) {
    if (left_ != 0) tell(name, reason, left);
  }

  // Explains a rule with which each row has a reason of its own. `reason_of` lives until explain_removed().
  void step(std::string_view name, std::string_view reason, std::function<std::string(std::uint32_t)> reason_of) {
    if (left_ == 0) return;
    tell(name, reason, rows_.count());
    if (before_) steps_.back().reason_of = std::move(reason_of);
  }

  // Returns "<step>: <reason>" of the step that emptied the set. Empty if rows are left.
  const std::string& emptied_by() const noexcept { return emptied_by_; }

  // Returns whether the request asks for explanations of single hosts.
  bool explains_hosts() const noexcept { return explains_; }

  // Explains, for the first instance, the rows that the steps removed, if the request asks for it. Call this once,
  // after the last step and after the rows that are left were explained.
  void explain_removed() {
    for (const removed& each : removed_) {
      const auto& step = steps_[each.step];
      const std::string reason = each.step == 0   ? why_not_up(view_, each.row)
                                 : step.reason_of ? step.reason_of(each.row)
                                                  : step.reason;
      const verdict against(each.step == 0 ? "up" : std::string_view(step.name), false, reason);
      explain(each.row, {&against, 1});
    }
    if (!explains_ || !eligible_) return;
    const verdict against("placement", false, "not among placement's candidates");
    for (std::uint32_t row = 0; row < view_.rows(); ++row) {
      if (!eligible_->test(row)) explain(row, {&against, 1});
    }
  }

  // Explains, for the first instance, all rows, if the request asks for it: rows that are left passed, and no rank or
  // weight is known of them.
  void explain_all() {
    if (!explains_) return;
    rows_.for_each([this](std::uint32_t row) { explain(row, {}); });
    explain_removed();
  }

 private:
  struct removed {
    std::uint32_t row;
    std::size_t step;
  };
  struct told_step {
    std::string name;
    std::string reason;
    std::function<std::string(std::uint32_t)> reason_of = {};  // empty: `reason` holds for each row
  };

  narrowing(call& call, const view& view, bool explains, std::optional<bits> eligible)
      : call_(call),
        view_(view),
        rows_(rows_up(call, view)),
        left_(eligible ? eligible->count() : view.rows()),
        explains_(explains),
        eligible_(eligible) {
    if (eligible) rows_.keep(*eligible);
    if (explains_) {
      before_.emplace(call.empty_bitmap(view.rows()));
      for (std::uint32_t row = 0; row < view.rows(); ++row) {
        if (!eligible || eligible->test(row)) before_->set(row);
      }
    }
    const std::string_view why_none =
        view.rows() == 0 ? "no host is known on this topic" : "no host is among placement's candidates";
    tell("up", left_ == 0 ? why_none : "the service is down or disabled", rows_.count());
    any_up_ = left_ != 0;
  }

  void explain(std::uint32_t row, span<const verdict> verdicts) {
    host_explanation told;
    told.row = row;
    told.verdicts = verdicts;
    call_.explain_host(told);
  }

  void note_removed(std::string_view name, std::string_view reason) {
    if (!before_) return;
    before_->remove(rows_);
    before_->for_each([this](std::uint32_t row) { removed_.push_back({row, steps_.size()}); });
    steps_.push_back({std::string(name), std::string(reason), {}});
    before_->assign(rows_);
  }

  void tell(std::string_view name, std::string_view reason, std::uint64_t left) {
    note_removed(name, reason);
    call_.explain({name, left_, left, left < left_ || left_ == 0 ? reason : std::string_view()});
    if (left == 0) emptied_by_ = std::string(name) + ": " + std::string(reason);
    left_ = left;
  }

  call& call_;
  view view_;
  bitmap rows_;
  std::uint64_t left_;
  bool any_up_ = false;
  std::string emptied_by_;
  bool explains_;
  std::optional<bits> eligible_;
  std::optional<bitmap> before_;  // the rows that the last step left, if hosts are to be explained
  std::vector<removed> removed_;
  std::vector<told_step> steps_;
};

// Returns the rows that are up, not disabled and not in ignore_hosts. A row need not have reported anything. Nova's
// ChanceScheduler asked the same of a host.
inline narrowing usable_hosts(call& call, const request& request) {
  narrowing found(call, request);
  if (request.ignore_hosts().count != 0) {
    drop_ignored_hosts(found.rows(), request);
    found.step("ignore_hosts", "named in the request's ignore_hosts");
  }
  return found;
}

// Returns the rows of usable_hosts() that match the forced hosts and nodes and the requested destination, and that have
// a value in each column of the manifest's columns.needs.
inline narrowing candidates(call& call, const request& request) {
  narrowing found = usable_hosts(call, request);
  if (request.force_hosts().count != 0 || request.force_nodes().count != 0 || !request.requested_host().empty() ||
      !request.requested_node().empty()) {
    keep_requested(found.rows(), request);
    found.step("requested", "the request names others: " + what_is_named(request));
  }
  found.rows().keep(request.complete());
  found.step("complete",
             "never reported a value in a column that the driver needs (`gantry driver inspect` lists them)");
  return found;
}

}  // namespace gantry

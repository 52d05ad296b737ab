// SPDX-License-Identifier: Apache-2.0
#include "decision/decision.hpp"

#include <algorithm>
#include <exception>

#include "decision/explain_hosts.hpp"
#include "decision/host_selection.hpp"
#include "decision/placement_requirements.hpp"
#include "python/python_json.hpp"
#include "request/request_reader.hpp"
#include "rules/amount.hpp"
#include "rules/asking.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

std::uint64_t count_rows(const std::vector<std::uint64_t>& rows) {
  std::uint64_t total = 0;
  for (const auto word : rows) total += gantry::count_bits(word);
  return total;
}

// Completes the request's server group by the group that the core found for the request's hint. Fields that the request
// sets itself take precedence. The hosts of both are joined.
void adopt_group(const gantry::request& request, const host_table& hosts, request_facts& facts) {
  const auto* const known = request.group();
  if (known == nullptr) return;
  const bool names_policy = facts.group && (facts.group->policy || facts.group->policies);
  if (!facts.group) facts.group.emplace().is_joined = true;
  auto& group = *facts.group;
  if (!names_policy && known->policy.size != 0) {
    group.policy_is_set = true;
    group.policy = gantry::text(known->policy);
    group.policies = std::vector<std::string>{*group.policy};
    const auto rules = read_json(gantry::text(known->rules));
    const bool has_rules = rules.ok() && rules.value().is_object();
    if (const auto* const most = has_rules ? rules.value().as_object().if_contains("max_server_per_host") : nullptr)
      group.max_server_per_host = *most;
  }
  if (!group.members) {
    auto& members = group.members.emplace();
    for (std::uint64_t i = 0; i < known->members.count; ++i)
      members.emplace_back(gantry::text(known->members.items[i]));
  }
  if (!group.hosts) group.hosts.emplace();
  group.hosts_are_none = false;
  for (std::uint64_t i = 0; i < known->member_row_count; ++i) {
    const std::string host(hosts.host[known->member_rows[i]].value_or(""));
    if (std::find(group.hosts->begin(), group.hosts->end(), host) == group.hosts->end()) group.hosts->push_back(host);
  }
}

// Copies the group's policy into the list of policies, where releases before Zed read it. The older interface sets the
// policy alone.
void read_as_before_zed(request_facts& facts) {
  if (facts.group && facts.group->policy && !facts.group->policies)
    facts.group->policies = std::vector<std::string>{*facts.group->policy};
}

request_facts facts_of(const gantry::request& request) {
  auto facts = read_request(request.spec());
  if (!facts) throw gantry::failure(gantry::code::invalid_argument, "the request spec is no JSON object");
  if (!facts->flavor) {
    // The request has only the flavor's numbers.
    auto& flavor = facts->flavor.emplace();
    flavor.vcpus = request.vcpus();
    flavor.memory_mb = request.memory_mb();
    flavor.root_gb = request.carries(GANTRY_REQUEST_ROOT_GB) ? request.raw().root_gb : 0;
    flavor.ephemeral_gb = request.carries(GANTRY_REQUEST_EPHEMERAL_GB) ? request.raw().ephemeral_gb : 0;
    flavor.swap = request.carries(GANTRY_REQUEST_SWAP_MB) ? request.raw().swap_mb : 0;
  }
  return *std::move(facts);
}

}  // namespace

decision::decision(gantry::call& call, const gantry::request& request, const policy& rules, document_cache& documents,
                   class_cache* classes)
    : call_(call),
      request_(request),
      rules_(rules),
      documents_(documents),
      facts_(facts_of(request)),
      view_(request.view()),
      use_(call, view_, rules.options()),
      rooms_(call.scratch<double>(block::room_count * block_rows).data()),
      classes_(classes) {
  // Eligible rows are those that placement has chosen by these requirements.
  if (!rules_.options().ignore_placement_requirements && !request.eligible()) {
    if (const auto need = placement_requirement(facts_)) {
      throw gantry::failure(gantry::code::invalid_argument,
                            *need +
                                " can be judged by a placement service alone, and Gantry asks none; "
                                "ignore_placement_requirements = true in [driver.filter] passes over it");
    }
  }
  read_hosts(view_);
  if (!rules_.options().compatibility->groups_have_one_policy) read_as_before_zed(facts_);
  adopt_group(request, hosts_->table(), facts_);
  if (!use_class()) choose_hosts();
}

decision::~decision() {
  if (!kept_) return;
  try {
    classes_->put(class_, std::move(kept_));
  } catch (const std::exception&) {
    kept_.reset();  // out of memory: a later decision computes the results again
  }
}

void decision::explain_complete(std::uint64_t in, std::uint64_t out) {
  if (out < in) call_.explain({"complete", in, out, "no compute node has reported their capacity"});
}

void decision::choose_hosts() {
  const auto eligible = request_.eligible();
  const std::uint64_t all = eligible ? eligible->count() : view_.rows();
  auto selected = select_hosts(hosts_->table(), facts_, rules_.options().compatibility, eligible);
  rows_ = std::move(selected.rows);
  const auto complete = request_.complete();
  skips_filters_ = selected.skips_filters;
  if (request_.explain_hosts() != gantry::explain_hosts::none) named_ = rows_;
  const auto left = count_rows(rows_);
  if (left < all) call_.explain({"requested", all, left, "the request ignores them or names others"});
  for (std::size_t word = 0; word < rows_.size(); ++word) rows_[word] &= complete.word(word);
  const auto reported = count_rows(rows_);
  reported_none_ = left != 0 && reported == 0;
  explain_complete(left, reported);
}

void decision::read_hosts(const gantry::view& view) {
  hosts_.emplace(call_, view, documents_, consumed_);
}

bool decision::narrow(std::uint32_t instance) {
  if (uses_class_ && instance == 0) return true;
  leave_class();
  const auto& table = hosts_->table();
  const asking with{call_, request_, view_, instance};
  const question asked{table, facts_, rules_.options(), &with};
  before_ = rows_;
  filters_.emplace(rules_.filters(), asked, instance == 0);
  bound_ = {};
  if (facts_.group && !skips_filters_) {
    for (const auto& each : rules_.filters()) each.made->bind(asked, bound_);
  }
  if (!skips_filters_) filters_->keep_whole(rows_, table.rows, rooms_);
  weighing weights(rules_.weighers(), asked);
  std::exception_ptr refused;  // error of a weigher. Thrown only if the hosts are weighed
  std::uint64_t left = 0;
  for (std::uint32_t first = 0; first < table.rows; first += block_rows) {
    const block here{first, std::min(block_rows, table.rows - first), rows_.data() + first / 64, rooms_};
    if (!skips_filters_) filters_->keep(here);
    std::uint64_t in_block = 0;
    for (std::uint32_t word = 0; word < here.words(); ++word) in_block += gantry::count_bits(here.rows[word]);
    left += in_block;
    if (in_block == 0 || refused) continue;
    try {
      weights.observe(here);
    } catch (const gantry::failure&) {
      refused = std::current_exception();
    }
  }
  auto& total = totals_[rounds_.count() % totals_.size()];
  if (total.empty()) {
    const auto made = call_.scratch<double>(table.rows);
    total = {made.data(), made.size()};
  }
  rounds_.begin(total, {}, rows_);
  if (!weights.weighs(left)) {
    std::fill_n(total.data(), total.size(), 0.0);
    return left != 0;
  }
  if (refused) std::rethrow_exception(refused);
  weights.observe_whole(rows_, table.rows, rooms_);
  for (std::uint32_t first = 0; first < table.rows; first += block_rows)
    weights.score({first, std::min(block_rows, table.rows - first), rows_.data() + first / 64, rooms_},
                  total.data() + first);
  return true;
}

gantry::code decision::place(std::uint32_t instance) {
  const auto uuids = request_.instance_uuids();
  if (instance < uuids.count) facts_.instance_uuid = gantry::text(uuids.items[instance]);
  const bool any_left = narrow(instance);
  explain(instance);
  if (any_left) return pick_best(instance);
  explain_hosts(instance, {}, ranking(rounds_, left()));
  return gantry::code::no_valid_host;
}

// Returns the first rows of the order: the rows among which chance decides, with the chosen one first.
std::vector<std::uint32_t> decision::front_of(ranking& order) {
  const auto& options = rules_.options();
  std::vector<std::uint32_t> front;
  if (options.shuffle_best_same_weighed_hosts) {
    front = order.take_equals_of_best();
    for (std::size_t i = front.size(); i > 1; --i) std::swap(front[i - 1], front[call_.random_below(i)]);
  }
  const auto subset = static_cast<std::size_t>(options.host_subset_size);
  if (front.size() < subset) {
    const auto more = order.take(subset - front.size());
    front.insert(front.end(), more.begin(), more.end());
  }
  const auto choices = std::min(subset, front.size());
  if (choices > 1) {
    const auto chosen = front.begin() + static_cast<std::ptrdiff_t>(call_.random_below(choices));
    std::rotate(front.begin(), chosen, chosen + 1);
  }
  return front;
}

gantry::code decision::pick_best(std::uint32_t instance) {
  ranking order(rounds_, left());
  const auto front = front_of(order);
  explain_hosts(instance, front, order);
  if (!front.empty()) rounds_.choose(front.front());
  std::size_t at = 0;
  std::uint64_t lost_claims = 0;
  for (;;) {
    const auto row = at < front.size() ? std::optional(front[at++]) : order.next();
    if (!row) break;
    const auto code = pick(instance, *row);
    if (code == gantry::code::claim_lost) {
      ++lost_claims;
      continue;
    }
    return code;
  }
  reason_ = std::string(request_.eligible() ? "claims were refused on " : "other requests were faster on ") +
            (lost_claims == 1 ? "" : "each of ") + number_of_hosts(lost_claims);
  call_.explain({"claims", count_rows(left()), 0, reason_, instance});
  return gantry::code::no_valid_host;
}

gantry::code decision::pick(std::uint32_t instance, std::uint32_t row) {
  host_limits set;
  if (!skips_filters_) filters_->set_limits(row, set);
  const auto taken = use_.place(hosts_->table(), facts_, set, row);
  const auto code = call_.pick(instance, row, limits_from(std::move(set)), rounds_.weight(row), taken.items(), bound_);
  if (code != gantry::code::ok) return code;
  if (facts_.group && !facts_.group->hosts)
    throw gantry::failure(gantry::code::invalid_argument, "the request's server group has no list of hosts, which " +
                                                              hosts_->table().name_of(row) + " is to be added to");
  placed_.push_back({instance, row});
  if (instance + 1 < request_.instances() || (request_.instances() > 1 && request_.alternates() > 0))
    consume(instance, row, taken);
  return code;
}

gantry::limits decision::limits_of(std::uint32_t row) {
  host_limits set;
  if (!skips_filters_) filters_->set_limits(row, set);
  return limits_from(std::move(set));
}

gantry::limits decision::limits_from(host_limits set) {
  gantry::limits limits{set.vcpu, set.memory_mb, set.disk_gb, {}};
  if (!set.numa_topology.is_null()) set.other["numa_topology"] = std::move(set.numa_topology);
  if (!set.other.empty()) {
    limits_text_ = json::serialize(set.other);
    limits.other = limits_text_;
  }
  return limits;
}

// Takes the same amounts as Nova's consume_from_request. The root disk counts for volume-backed instances too. Swap
// does not count. From Zed on local_gb_used grows by what Nova claims at placement.
void decision::consume(std::uint32_t instance, std::uint32_t row, const placing& taken) {
  if (!is_derived_) {
    view_ = call_.derive(view_);
    is_derived_ = true;
  }
  const auto& flavor = *facts_.flavor;
  const auto add = [&](const char* name, double amount) {
    const auto column = view_.find<gantry::column<double>>(name);
    if (!column || !column->has(row)) return;
    call_.write<double>(view_, name)[row] += amount;
  };
  const auto memory_mb = static_cast<double>(flavor.memory_mb);
  const auto disk_gb = static_cast<double>(flavor.root_gb) + static_cast<double>(flavor.ephemeral_gb);
  add("vcpus_used", static_cast<double>(flavor.vcpus));
  add("free_ram_mb", -memory_mb);
  add("memory_mb_used", memory_mb);
  add("free_disk_gb", -disk_gb);
  const bool by_placement = rules_.options().compatibility->placement_judges_resources;
  add("local_gb_used", by_placement ? facts_.disk_gb_to_allocate() : disk_gb);
  add("claims.instances", 1);
  const auto least = view_.find<gantry::column<std::int64_t>>("disk_available_least");
  if (least && least->has(row))
    call_.write<std::int64_t>(view_, "disk_available_least")[row] -= flavor.root_gb + flavor.ephemeral_gb;
  const auto uuids = request_.instance_uuids();
  if (instance < uuids.count) {
    if (const auto uuid = gantry::parse_uuid(gantry::text(uuids.items[instance])))
      call_.append(view_, "instances", row, *uuid);
  }
  use_.show(taken, row, view_, facts_);
  // Nova does not count an I/O operation for an instance whose NUMA cells or PCI devices could not be taken.
  const auto io_ops = view_.find<gantry::column<std::int64_t>>("stats.io_workload");
  if (taken.failed() && io_ops && io_ops->has(row)) call_.write<std::int64_t>(view_, "stats.io_workload")[row] -= 1;
  // An instance without a uuid counts too, under a name made from its index.
  const auto uuid = instance < uuids.count ? std::string(gantry::text(uuids.items[instance]))
                                           : "instance " + std::to_string(instance);
  consumed_.push_back({uuid, row});
  if (facts_.group) {
    auto& group = *facts_.group;
    group.hosts->emplace_back(hosts_->table().host[row].value_or(""));
    if (group.is_joined && std::find(group.members->begin(), group.members->end(), uuid) == group.members->end())
      group.members->push_back(uuid);
  }
  read_hosts(view_);
}

gantry::code decision::offer_alternates() {
  if (request_.alternates() == 0 || placed_.empty()) return gantry::code::ok;
  if (request_.instances() > 1 && !narrow(request_.instances() - 1)) return gantry::code::ok;
  const auto is_chosen = [this](std::uint32_t row) {
    return std::any_of(placed_.begin(), placed_.end(), [row](const placed& each) { return each.row == row; });
  };
  ranking order(rounds_, left());
  std::vector<std::uint32_t> others;  // filled on demand, since sorting all hosts would take longer than the decision
  const auto other = [&](std::size_t at) -> std::optional<std::uint32_t> {
    while (others.size() <= at) {
      const auto row = order.next();
      if (!row) return std::nullopt;
      if (!is_chosen(*row)) others.push_back(*row);
    }
    return others[at];
  };
  const auto& cells = hosts_->table().cell_uuid;
  for (const auto& each : placed_) {
    std::uint32_t offered = 0;
    for (std::size_t at = 0; offered < request_.alternates(); ++at) {
      const auto row = other(at);
      if (!row) break;
      if (cells.code(*row) != cells.code(each.row)) continue;
      const auto code = call_.alternate(each.instance, *row, limits_of(*row), rounds_.weight(*row));
      if (code == gantry::code::claim_lost) continue;
      if (code != gantry::code::ok) return code;
      ++offered;
    }
  }
  return gantry::code::ok;
}

void decision::explain_hosts(std::uint32_t instance, const std::vector<std::uint32_t>& front, const ranking& rest) {
  if (request_.explain_hosts() == gantry::explain_hosts::none) return;
  auto order = front;
  auto others = rest;
  while (const auto row = others.next()) order.push_back(*row);
  const asking with{call_, request_, view_, instance};
  const question asked{hosts_->table(), facts_, rules_.options(), &with};
  filter_driver::explain_hosts(call_, request_.explain_hosts(), rules_, asked,
                               {instance, skips_filters_, request_.eligible(), named_, before_, rows_, order}, rounds_);
}

void decision::explain(std::uint32_t instance) {
  if (skips_filters_) return;
  const auto& steps = filters_->steps();
  const bool none_left = !uses_class_ && count_rows(rows_) == 0;
  // No candidate was left before this instance: reason_ already names the filter that rejected the last ones.
  if (none_left && !reason_.empty() && count_rows(before_) == 0) return;
  reason_.clear();
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const auto& step = steps[at];
    if (step.hosts_in == 0) break;
    const bool empties = none_left && step.hosts_out == 0;
    std::string reason;
    if (none_left && step.hosts_out < step.hosts_in) {
      reason = lack(step, at);
      if (reason.empty()) reason = step.rule->complaint;
    }
    const std::string_view why = step.hosts_out < step.hosts_in && reason.empty() ? step.rule->complaint : reason;
    call_.explain({step.rule->name, step.hosts_in, step.hosts_out, why, instance});
    if (empties) reason_ = std::string(step.rule->name) + (reason.empty() ? "" : ": " + reason);
  }
  if (!none_left) return;
  if (reason_.empty()) reason_ = why_none_came();
  if (!placed_.empty()) reason_ += ", after " + std::to_string(placed_.size()) + " instances of this request";
}

// Why the filters were asked about no host.
std::string decision::why_none_came() const {
  if (view_.rows() == 0) return "no host is known on this topic";
  if (const auto eligible = request_.eligible(); eligible && eligible->none())
    return "no host is among placement's candidates";
  return reported_none_ ? "no compute node that the request may go to has reported its capacity"
                        : "no host that the request names is known";
}

// Returns the amount that was needed, and the greatest amount that a host rejected by this filter had. Runs the filters
// before this one once more, which is acceptable: lack() is called only if no host is left.
std::string decision::lack(const filtering::step& step, std::size_t at) {
  if (!step.run) return {};
  if (auto own = step.run->reason(); !own.empty()) return own;
  std::optional<filter_run::supply> best;
  auto rows = before_;
  const auto total = hosts_->table().rows;
  for (std::uint32_t first = 0; first < total; first += block_rows) {
    const block here{first, std::min(block_rows, total - first), rows.data() + first / 64, rooms_};
    for (std::size_t i = 0; i < at; ++i) {
      if (filters_->steps()[i].run) filters_->steps()[i].run->keep(here);
    }
    const std::vector<std::uint64_t> candidates(here.rows, here.rows + here.words());
    step.run->keep(here);
    for (std::uint32_t word = 0; word < here.words(); ++word) {
      for (std::uint64_t removed = candidates[word] & ~here.rows[word]; removed != 0; removed &= removed - 1) {
        const auto row = first + word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(removed));
        const auto supply = step.run->supply_of(row);
        if (!supply) return {};
        if (!best || supply->best > best->best) best = supply;
      }
    }
  }
  if (!best) return {};
  return amount(best->need) + " " + std::string(best->unit) + " wanted, at most " + amount(best->best) +
         " on a host that came so far";
}

}  // namespace filter_driver

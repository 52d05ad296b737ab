// SPDX-License-Identifier: Apache-2.0
#include "decision/decision.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "decision/adopted_group.hpp"
#include "decision/host_selection.hpp"
#include "decision/placement_requirements.hpp"
#include "request/request_reader.hpp"
#include "rules/amount.hpp"
#include "rules/count_rows.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

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
                                "the driver's option ignore_placement_requirements = true passes over it");
    }
  }
  pass_over_foreign_rebuild();
  read_hosts(view_);
  if (!rules_.options().compatibility->groups_have_one_policy) read_as_before_zed(facts_);
  adopt_group(request, hosts_->table(), facts_);
  read_candidates();
  if (!use_class()) choose_hosts();
}

void decision::pass_over_foreign_rebuild() {
  if (!rules_.options().compatibility->knows_the_hint_of_a_check) return;
  if (!facts_.is_rebuild() || facts_.forces_one_host_and_node()) return;
  // Eligible rows say that the core has placement's candidates and serves no rebuild. The core has counted the hint.
  const bool is_known_to_core = request_.eligible().has_value();
  if (rules_.options().strict_parity && !is_known_to_core) return;
  facts_.hints->erase("_nova_check_type");
  if (is_known_to_core) return;
  call_.host().count("rebuild_hints_passed_over");
  call_.log(gantry::level::warning,
            "the hint _nova_check_type is passed over: a rebuild of Nova forces one host and one node, and the request "
            "forces " +
                std::to_string(facts_.force_hosts.size()) + " and " + std::to_string(facts_.force_nodes.size()) +
                ", project " + facts_.project_id.value_or("unknown") + ", instance " + facts_.instance_uuid);
}

decision::~decision() {
  if (!kept_) return;
  try {
    classes_->put(class_, std::move(kept_));
  } catch (const std::exception&) {
    kept_.reset();  // out of memory: a later decision computes the results again
  }
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
  if (left < all) call_.explain({"requested", all, left, why_left_out(facts_)});
  for (std::size_t word = 0; word < rows_.size(); ++word) rows_[word] &= complete.word(word);
  const auto reported = count_rows(rows_);
  reported_none_ = left != 0 && reported == 0;
  explain_complete(left, reported);
}

void decision::read_candidates() {
  const auto requests = read_pci_requests(facts_.pci_requests);
  if (requests) pci_requests_ = requests->size();
  const auto claimable = request_.claimable();
  if (!rules_.options().compatibility->filters_judge_candidates || !claimable) return;
  candidates_.emplace(*claimable, call_.candidates(), requests ? *requests : pci_requests(), &call_);
}

void decision::read_hosts(const gantry::view& view) {
  hosts_.emplace(call_, view, documents_, consumed_);
}

bool decision::narrow(std::uint32_t instance) {
  if (uses_class_ && instance == 0) return true;
  leave_class();
  const auto& table = hosts_->table();
  if (candidates_) candidates_->begin();
  if (request_.explain_hosts() != gantry::explain_hosts::none) candidates_before_ = candidates_;
  before_ = rows_;
  filters_.reset();
  with_.emplace(asking{call_, request_, view_, instance});
  const auto& asked =
      asked_.emplace(question{table, facts_, rules_.options(), &*with_, candidates_ ? &*candidates_ : nullptr});
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
std::vector<std::uint32_t> decision::front_of(ranking& order, std::uint32_t instance) {
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
    const auto all = count_rows(left());
    call_.explain(
        {"host_subset_size", all, all, "taken at random among the best " + std::to_string(choices), instance});
    const auto chosen = front.begin() + static_cast<std::ptrdiff_t>(call_.random_below(choices));
    std::rotate(front.begin(), chosen, chosen + 1);
  }
  return front;
}

gantry::code decision::pick_best(std::uint32_t instance) {
  ranking order(rounds_, left());
  const auto front = front_of(order, instance);
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
  const auto chosen = choice_on(row);
  const auto providers = providers_of(chosen);
  const auto taken = use_.place(hosts_->table(), facts_, set, row, providers ? &*providers : nullptr);
  const auto code = call_.pick(instance, row, limits_from(std::move(set)), rounds_.weight(row), taken.items(), bound_,
                               {chosen.data(), chosen.size()});
  if (code != gantry::code::ok) return code;
  if (facts_.group && !facts_.group->hosts)
    throw gantry::failure(gantry::code::invalid_argument, "the request's server group has no list of hosts, which " +
                                                              hosts_->table().name_of(row) + " is to be added to");
  placed_.push_back({instance, row});
  if (instance + 1 < request_.instances() || (request_.instances() > 1 && request_.alternates() > 0))
    consume(instance, row, taken);
  return code;
}

left_candidates::choice decision::choice_on(std::uint32_t row) const {
  return candidates_ ? candidates_->first(row) : left_candidates::choice();
}

std::optional<request_providers> decision::providers_of(const left_candidates::choice& chosen) const {
  if (!chosen.empty()) return candidates_->providers_of(chosen);
  // Nova then has a provider for each group of requested_resources, and none for a PCI request.
  if (facts_.has_requested_groups) return request_providers(pci_requests_);
  return std::nullopt;
}

gantry::limits decision::limits_of(std::uint32_t row) {
  host_limits set;
  if (!skips_filters_) filters_->set_limits(row, set);
  return limits_from(std::move(set));
}

gantry::limits decision::limits_from(host_limits set) {
  // A ratio beyond all numbers leaves no limit.
  const auto finite = [](std::optional<double> limit) { return limit && std::isfinite(*limit) ? limit : std::nullopt; };
  gantry::limits limits{finite(set.vcpu), finite(set.memory_mb), finite(set.disk_gb), {}};
  if (!set.numa_topology.is_null()) set.other["numa_topology"] = std::move(set.numa_topology);
  if (!set.other.empty()) {
    limits_text_ = json::serialize(set.other);
    limits.other = limits_text_;
  }
  return limits;
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
      const auto chosen = choice_on(*row);
      const auto code =
          call_.alternate(each.instance, *row, limits_of(*row), rounds_.weight(*row), {chosen.data(), chosen.size()});
      if (code == gantry::code::claim_lost) continue;
      if (code != gantry::code::ok) return code;
      ++offered;
    }
  }
  return gantry::code::ok;
}

}  // namespace filter_driver

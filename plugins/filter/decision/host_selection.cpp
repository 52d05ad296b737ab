// SPDX-License-Identifier: Apache-2.0
#include "decision/host_selection.hpp"

#include <algorithm>
#include <gantry/driver/failure.hpp>
#include <string>
#include <unordered_set>

#include "python/python_value.hpp"
#include "rules/count_rows.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

using host_names = std::unordered_set<std::string>;

std::string folded(std::string_view name, bool folds) {
  std::string text(name);
  if (folds) {
    std::transform(text.begin(), text.end(), text.begin(), [](char letter) {
      return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
  }
  return text;
}

host_names set_of(const std::vector<std::string>& list, bool folds) {
  host_names all;
  for (const auto& each : list) all.insert(folded(each, folds));
  return all;
}

template <class Keeps>
void keep_if(std::vector<std::uint64_t>& rows, std::uint32_t count, Keeps&& keeps) {
  for (std::uint32_t row = 0; row < count; ++row) {
    const auto bit = std::uint64_t{1} << (row % 64);
    if ((rows[row / 64] & bit) != 0 && !keeps(row)) rows[row / 64] &= ~bit;
  }
}

[[noreturn]] void refuse_selection(const std::string& sentence) {
  throw gantry::failure(gantry::code::invalid_argument, "the request cannot be decided: " + sentence);
}

std::vector<std::uint64_t> all_rows(std::uint32_t count) {
  std::vector<std::uint64_t> rows((count + 63) / 64, ~std::uint64_t{0});
  if (count % 64 != 0) rows.back() = (std::uint64_t{1} << (count % 64)) - 1;
  return rows;
}

std::vector<std::uint64_t> rows_of(const gantry::bits& set) {
  std::vector<std::uint64_t> rows(set.word_count());
  for (std::size_t word = 0; word < rows.size(); ++word) rows[word] = set.word(word);
  return rows;
}

}  // namespace

host_selection select_hosts(const host_table& hosts, const request_facts& request, release compatibility,
                            const std::optional<gantry::bits>& eligible) {
  host_selection selected{eligible ? rows_of(*eligible) : all_rows(hosts.rows),
                          !request.force_hosts.empty() || !request.force_nodes.empty()};
  auto& rows = selected.rows;
  const bool folds = compatibility->folds_host_names;
  const auto* const destination =
      compatibility->requests_have_destinations && request.destination ? &*request.destination : nullptr;
  if (destination != nullptr && destination->host_is_set) {
    const auto& wanted = *destination;
    const bool any_node = compatibility->destination_may_leave_node_open && (!wanted.node || wanted.node->empty());
    if (!wanted.node_is_set)
      refuse_selection("requested_destination names the host " + wanted.host.value_or("null") +
                       " and its node is not set");
    keep_if(rows, hosts.rows, [&](std::uint32_t row) {
      if (!wanted.host || hosts.host[row].value_or("") != *wanted.host) return false;
      return any_node || (wanted.node && hosts.nodename[row] == *wanted.node);
    });
  }
  // A host that does not report its cell matches every cell.
  const bool may_leave_cell =
      compatibility->moves_may_leave_the_cell && destination != nullptr && destination->allow_cross_cell_move;
  if (destination != nullptr && destination->cell_uuid && !may_leave_cell) {
    keep_if(rows, hosts.rows, [&, wanted = std::string_view(*destination->cell_uuid)](std::uint32_t row) {
      return hosts.cell_uuid[row].value_or(wanted) == wanted;
    });
  }
  const auto is_named = [&](const host_names& listed, std::uint32_t row) {
    return listed.contains(folded(hosts.host[row].value_or(""), folds));
  };
  if (!request.ignore_hosts.empty()) {
    const auto ignored = set_of(request.ignore_hosts, folds);
    keep_if(rows, hosts.rows, [&](std::uint32_t row) { return !is_named(ignored, row); });
    if (std::all_of(rows.begin(), rows.end(), [](std::uint64_t word) { return word == 0; })) return selected;
  }
  if (!request.force_hosts.empty()) {
    const auto forced = set_of(request.force_hosts, folds);
    keep_if(rows, hosts.rows, [&](std::uint32_t row) { return is_named(forced, row); });
  }
  if (!request.force_nodes.empty()) {
    const auto forced = set_of(request.force_nodes, false);
    keep_if(rows, hosts.rows,
            [&](std::uint32_t row) { return forced.contains(std::string(hosts.nodename[row].value_or(""))); });
  }
  if (compatibility->knows_the_hint_of_a_check && request.hints_are_none &&
      (selected.skips_filters || !request.ignore_hosts.empty()))
    refuse_selection(
        "scheduler_hints is null and hosts are forced or ignored, for which its _nova_check_type is asked");
  // Nova runs the filters nevertheless when it checks hosts for an existing instance.
  if (compatibility->knows_the_hint_of_a_check && request.hints) {
    const auto* const check = request.hints->if_contains("_nova_check_type");
    if (check != nullptr && is_true(*check)) selected.skips_filters = false;
  }
  return selected;
}

namespace {

bool is_limited(const request_facts& request) {
  const auto& to = request.destination;
  return !request.force_hosts.empty() || !request.force_nodes.empty() || (to && (to->host_is_set || to->cell_uuid));
}

// "force_hosts 'a' and 'b', force_nodes 'n'"
std::string what_it_names(const request_facts& request) {
  std::string names;
  const auto add = [&names](std::string_view key, const std::vector<std::string>& values) {
    std::vector<std::string> quotes;
    quotes.reserve(values.size());
    for (const auto& value : values) quotes.push_back(quoted(value));
    if (!values.empty()) names += (names.empty() ? "" : ", ") + std::string(key) + " " + listed(quotes);
  };
  add("force_hosts", request.force_hosts);
  add("force_nodes", request.force_nodes);
  if (!request.destination) return names;
  const auto& to = *request.destination;
  if (to.host) add("requested_destination.host", {*to.host});
  if (to.host && to.node && !to.node->empty()) add("requested_destination.node", {*to.node});
  if (to.cell_uuid) add("requested_destination.cell", {*to.cell_uuid});
  return names;
}

}  // namespace

std::string why_none_selected(const host_table& hosts, const request_facts& request, release compatibility,
                              const std::optional<gantry::bits>& eligible) {
  if (!is_limited(request)) {
    const auto known = eligible ? eligible->count() : hosts.rows;
    return known == 1 ? "the request ignores the only host that is known"
                      : "the request ignores all " + std::to_string(known) + " hosts that are known";
  }
  auto without = request;
  without.ignore_hosts.clear();
  const auto named =
      request.ignore_hosts.empty() ? 0 : count_rows(select_hosts(hosts, without, compatibility, eligible).rows);
  if (named != 0)
    return "the request ignores " + std::string(named == 1 ? "the only host" : "each host") +
           " that it names: " + what_it_names(request);
  return "no known host matches what the request names: " + what_it_names(request);
}

std::string why_left_out(const request_facts& request, bool of_several) {
  const std::string ignored = std::string("ignores ") + (of_several ? "them" : "it");
  if (!is_limited(request)) return "the request " + ignored;
  return request.ignore_hosts.empty() ? "the request names others" : "the request " + ignored + " or names others";
}

}  // namespace filter_driver

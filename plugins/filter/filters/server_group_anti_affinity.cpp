// SPDX-License-Identifier: Apache-2.0
//
// ServerGroupAntiAffinityFilter (from Icehouse on). Zed: for a group of the policy 'anti-affinity', hosts pass that
// hold fewer of its members than max_server_per_host (1 where its rules say nothing), and the host that holds the
// instance itself. Before that: for a group with 'anti-affinity' among its policies, hosts pass that are none of the
// group's, and from Liberty on the host that holds the instance itself.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "filters/filters.hpp"
#include "filters/parts/group_hosts.hpp"
#include "python/python_number.hpp"
#include "rules/refusal.hpp"

namespace filter_driver {

namespace {

constexpr const char* server_group_anti_affinity_name = "ServerGroupAntiAffinityFilter";

// Rows in ascending order. A row occurs once for each time that it counts.
std::vector<std::uint32_t> sorted_rows(const question& asked, std::vector<std::string> uuids) {
  if (asked.hosts.instances == nullptr) return {};
  std::sort(uuids.begin(), uuids.end());
  uuids.erase(std::unique(uuids.begin(), uuids.end()), uuids.end());
  auto rows = asked.hosts.instances->rows_of(uuids);
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Rejects the given rows.
class all_but_rows final : public filter_run {
 public:
  // Each holds at least `most` members of the group.
  all_but_rows(std::vector<std::uint32_t> rejected, std::int64_t most) : rejected_(std::move(rejected)), most_(most) {}

  std::string reason() override {
    return "holds " + std::to_string(most_) + (most_ == 1 ? " member" : " members") +
           " of the server group, as many as max_server_per_host allows";
  }

  void keep(const block& candidates) override {
    auto row = std::lower_bound(rejected_.begin(), rejected_.end(), candidates.first);
    for (; row != rejected_.end() && *row - candidates.first < candidates.count; ++row) {
      const auto place = *row - candidates.first;
      candidates.rows[place / 64] &= ~(std::uint64_t{1} << (place % 64));
    }
  }

 private:
  std::vector<std::uint32_t> rejected_;  // in ascending order
  std::int64_t most_;
};

// Returns the other run's verdicts, but passes the rows that hold the instance itself.
class or_own_rows final : public filter_run {
 public:
  or_own_rows(std::unique_ptr<filter_run> others, std::vector<std::uint32_t> own)
      : others_(std::move(others)), own_(std::move(own)) {}

  std::string reason() override { return others_->reason(); }

  void keep(const block& candidates) override {
    std::vector<std::uint32_t> kept;
    for (const auto row : own_) {
      const auto place = row - candidates.first;
      const bool is_here = row >= candidates.first && place < candidates.count;
      if (is_here && ((candidates.rows[place / 64] >> (place % 64)) & 1) != 0) kept.push_back(place);
    }
    for (const auto place : kept) candidates.rows[place / 64] &= ~(std::uint64_t{1} << (place % 64));
    others_->keep(candidates);
    for (const auto place : kept) candidates.rows[place / 64] |= std::uint64_t{1} << (place % 64);
  }

 private:
  std::unique_ptr<filter_run> others_;
  std::vector<std::uint32_t> own_;
};

// For rules that allow no members.
class no_row final : public filter_run {
 public:
  explicit no_row(std::int64_t most) : most_(most) {}
  void keep(const block& candidates) override { std::fill_n(candidates.rows, candidates.words(), 0); }
  std::string reason() override {
    return "the server group allows no member on any host: its max_server_per_host is " + std::to_string(most_);
  }

 private:
  std::int64_t most_;
};

// Returns how many members a host may hold. Raises the errors of int().
outcome<std::int64_t> most_on_a_host(const group_facts& group) {
  if (!group.max_server_per_host) return std::int64_t{1};
  const auto& given = *group.max_server_per_host;
  const auto number = given.is_string() ? int_of(given.get_string()) : outcome<boost::json::value>(given);
  if (!number.ok()) return raised{number.error().kind, "max_server_per_host: " + number.error().sentence};
  const auto& value = number.value();
  if (!value.is_number()) return raised{"TypeError", "max_server_per_host: found " + boost::json::serialize(value)};
  constexpr double beyond = 9e18;
  return static_cast<std::int64_t>(std::clamp(value.to_number<double>(), -beyond, beyond));
}

std::unique_ptr<filter_run> begin_by_members(const question& asked) {
  const auto& group = *asked.request.group;
  const auto own = sorted_rows(asked, {asked.request.instance_uuid});
  const auto refused = [&](raised error) {
    return std::make_unique<or_own_rows>(refuses_any(server_group_anti_affinity_name, asked.hosts, std::move(error)),
                                         own);
  };
  if (!group.members) return refused({"ObjectActionError", "the request's server group comes without its members"});
  const auto allowed = most_on_a_host(group);
  if (!allowed.ok()) return refused(allowed.error());
  const auto most = allowed.value();
  if (most < 1) return std::make_unique<or_own_rows>(std::make_unique<no_row>(most), own);
  const auto members = sorted_rows(asked, *group.members);
  std::vector<std::uint32_t> rejected;
  for (auto row = members.begin(); row != members.end();) {
    const auto next = std::upper_bound(row, members.end(), *row);
    if (next - row >= most && !std::binary_search(own.begin(), own.end(), *row)) rejected.push_back(*row);
    row = next;
  }
  return std::make_unique<all_but_rows>(std::move(rejected), most);
}

class server_group_anti_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto compatibility = asked.options.compatibility;
    if (compatibility->groups_have_one_policy) {
      const auto& group = asked.request.group;
      if (group && !group->policy_is_set)
        return refuses_any(server_group_anti_affinity_name, asked.hosts,
                           {"ObjectActionError", "the request's server group comes without its policy"});
      if (!group || group->policy != "anti-affinity") return nullptr;
      return begin_by_members(asked);
    }
    if (!has_policy(asked, "anti-affinity")) return nullptr;
    auto elsewhere = begin_not_among(server_group_anti_affinity_name, asked);
    if (!compatibility->own_host_passes_anti_affinity || !elsewhere) return elsewhere;
    return std::make_unique<or_own_rows>(std::move(elsewhere), sorted_rows(asked, {asked.request.instance_uuid}));
  }

  void bind(const question& asked, gantry::group_bound& bound) const override {
    const bool has_one_policy = asked.options.compatibility->groups_have_one_policy;
    const auto& group = asked.request.group;
    if (!group || !(has_one_policy ? group->policy == "anti-affinity" : has_policy(asked, "anti-affinity"))) return;
    if (is_placed(asked)) return;
    const auto most = has_one_policy ? most_on_a_host(*group) : outcome<std::int64_t>(1);
    constexpr std::int64_t any = std::numeric_limits<std::uint32_t>::max();
    if (most.ok()) bound.most_on_a_host = static_cast<std::uint32_t>(std::clamp<std::int64_t>(most.value(), 1, any));
  }
};

}  // namespace

const filter_rule server_group_anti_affinity_filter{server_group_anti_affinity_name, false, false,
                                                    make_filter<server_group_anti_affinity>,
                                                    "holds as many members of the server group as a host may"};

}  // namespace filter_driver

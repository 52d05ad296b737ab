// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/fleet/tables/row_json.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/decision/pinned_moment.hpp"
#include "core/scheduling/decision/requested_group.hpp"
#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/shown.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

json::array host_names(const fleet::Moment& moment, const gantry_view& view, const std::vector<std::uint64_t>& rows) {
  std::set<std::string_view> names;
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    if (((rows[row / 64] >> (row % 64)) & 1U) != 0) names.insert(moment.row_name(view, row).host);
  }
  json::array result;
  for (const auto name : names) result.emplace_back(name);
  return result;
}

std::string_view row_state(const json::object& row) {
  if (json::find_bool(row, "forced_down").value_or(false)) return "forced_down";
  if (json::find_bool(row, "disabled").value_or(false)) return "disabled";
  return json::find_bool(row, "up").value_or(false) ? "up" : "down";
}

json::object host_json(const fleet::Moment& moment, const gantry_view& view, std::uint32_t row) {
  auto result = fleet::row_to_json(moment, view, row);
  result["state"] = row_state(result);
  for (const auto* key : {"last_seen_up", "updated_at"}) {
    if (const auto time = json::find_integer(result, key)) result[key] = time_json(*time);
  }
  return result;
}

// The filters of list_hosts. They read single cells, because most rows of a large fleet are not shown.
class HostFilter {
 public:
  HostFilter(const fleet::Moment& moment, const gantry_view& view, const Filters& filters)
      : moment_(moment), view_(view), filters_(filters) {
    if (const auto aggregate = filters.wanted("aggregate")) find_sets_of(*aggregate);
  }

  bool wants(std::uint32_t row) const {
    if (!filters_.fit("host", moment_.row_name(view_, row).host)) return false;
    if (filters_.wanted("availability_zone") && !filters_.fit("availability_zone", text(row, "availability_zone")))
      return false;
    if (filters_.wanted("state") && !filters_.fit("state", state(row))) return false;
    return !sets_ || is_in_aggregate(row);
  }

 private:
  json::value cell(std::uint32_t row, std::string_view column) const {
    return fleet::cell_to_json(moment_, view_, column, row);
  }
  std::string text(std::uint32_t row, std::string_view column) const {
    const auto value = cell(row, column);
    return value.is_string() ? std::string(std::string_view(value.get_string())) : std::string();
  }
  std::string_view state(std::uint32_t row) const {
    json::object cells;
    for (const auto* name : {"forced_down", "disabled", "up"}) cells[name] = cell(row, name);
    return row_state(cells);
  }
  // Many hosts share a set of aggregates: each set is searched once.
  void find_sets_of(const std::string& aggregate) {
    sets_.emplace();
    const auto* column = moment_.column(view_, "aggregates");
    if (column == nullptr || column->type != GANTRY_TYPE_SET) return;
    const auto is_meant = [&](std::uint32_t index) {
      const auto& item = *reinterpret_cast<const gantry_aggregate*>(reinterpret_cast<const char*>(view_.aggregates) +
                                                                    std::size_t{index} * view_.aggregate_stride);
      return std::string_view(item.name.data, item.name.size) == aggregate || std::to_string(item.id) == aggregate;
    };
    std::vector<bool> meant(view_.aggregate_count);
    for (std::uint32_t index = 0; index < meant.size(); ++index) meant[index] = is_meant(index);
    const std::span slices(static_cast<const gantry_slice*>(column->dictionary), column->dictionary_count);
    const auto* const elements = static_cast<const std::uint32_t*>(column->elements);
    for (const auto& slice : slices)
      sets_->push_back(std::any_of(elements + slice.begin, elements + slice.begin + slice.count,
                                   [&](std::uint32_t index) { return meant[index]; }));
    codes_ = static_cast<const std::uint32_t*>(column->values);
  }
  bool is_in_aggregate(std::uint32_t row) const { return codes_ != nullptr && (*sets_)[codes_[row]]; }

  const fleet::Moment& moment_;
  const gantry_view& view_;
  const Filters& filters_;
  std::optional<std::vector<bool>> sets_;  // by code: whether the set has the wanted aggregate; nullopt: none is wanted
  const std::uint32_t* codes_ = nullptr;   // by row
};

Result<std::string> topic_or_compute(const json::object& args) {
  auto topic = optional_text(args, "topic");
  if (!topic) return std::move(topic).error();
  return topic->value_or("compute");
}

Error no_such_topic(const fleet::Moment& moment, const std::string& topic) {
  std::string known;
  for (const auto name : moment.topics()) known.append(known.empty() ? "" : ", ").append(name);
  return {ErrorCode::not_found, "no service has registered on topic '" + topic + "'; known topics: " + known, {}};
}

Outcome hosts_up(State& state, const MethodCall& call) {
  auto topic = required_text(call.args, "topic");
  if (!topic) return failed(std::move(topic).error());
  PinnedMoment pinned(state, call, *topic);
  if (pinned.view == nullptr) return failed(no_such_topic(pinned.moment, *topic));
  std::vector<std::uint64_t> rows((pinned.view->rows + 63) / 64 + 1);
  // For a topic without a driver the compute driver answers, as in Nova.
  auto* driver = state.parts.drivers.for_topic(*topic);
  if (driver == nullptr) driver = state.parts.drivers.for_topic("compute");
  if (driver == nullptr) return failed({ErrorCode::not_found, "no driver serves topic '" + *topic + "'", {}});
  drivers::DriverCall driver_call(pinned.settings(nullptr));
  if (auto called = driver->hosts_up(driver_call, *pinned.view, rows.data()); !called) {
    return failed(std::move(called).error());
  }
  Outcome outcome;
  outcome.reply = json::value(host_names(pinned.moment, *pinned.view, rows));
  return outcome;
}

Outcome group_hosts(State& state, const MethodCall& call) {
  auto name = required_text(call.args, "group");
  if (!name) return failed(std::move(name).error());
  const auto group = find_group(state.parts.fleet, *name, RequestContext(call.context, call.request_id).project_id());
  if (!group) return failed(group.error());
  auto driver = state.parts.drivers.require("compute");
  if (!driver) return failed(std::move(driver).error());
  PinnedMoment pinned(state, call, "compute");
  drivers::DriverCall driver_call(pinned.settings(nullptr));
  const RequestedGroup requested{
      group->uuid, group->name, group->policy, json::write(group->rules), state.parts.fleet.members_of(group->uuid),
      {}};
  const auto* built = build_driver_group(driver_call, requested, {});
  if (built == nullptr) return failed({ErrorCode::resource_exhausted, "no memory to lay the group out", {}});
  std::vector<std::uint64_t> rows((pinned.view->rows + 63) / 64 + 1);
  if (auto called = (*driver)->group_hosts(driver_call, *built, *pinned.view, rows.data()); !called) {
    return failed(std::move(called).error());
  }
  Outcome outcome;
  outcome.reply = json::value(host_names(pinned.moment, *pinned.view, rows));
  return outcome;
}

Outcome stats_wanted(State& state, const MethodCall& call) {
  auto topic = topic_or_compute(call.args);
  if (!topic) return failed(std::move(topic).error());
  std::set<std::string> columns;
  std::set<std::string> stats;
  for (const auto* driver : state.parts.drivers.all()) {
    const auto& manifest = driver->manifest();
    if (std::find(manifest.topics.begin(), manifest.topics.end(), *topic) == manifest.topics.end()) continue;
    for (const auto* list : {&manifest.needs, &manifest.uses}) {
      for (const auto& column : *list) {
        columns.insert(column.name);
        if (column.name.rfind("stats.", 0) == 0) stats.insert(column.name.substr(6));
      }
    }
  }
  Outcome outcome;
  outcome.reply = json::value(json::object{{"columns", json::array(columns.begin(), columns.end())},
                                           {"stats", json::array(stats.begin(), stats.end())}});
  return outcome;
}

Outcome list_hosts(State& state, const MethodCall& call) {
  auto topic = topic_or_compute(call.args);
  if (!topic) return failed(std::move(topic).error());
  auto filters = read_filters(call.args, {"host", "state", "aggregate", "availability_zone"});
  if (!filters) return failed(std::move(filters).error());
  if (auto known = check_choice(*filters, "state", {"up", "down", "disabled", "forced_down"}); !known)
    return failed(std::move(known).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  const auto moment = state.parts.fleet.pin(steady_nanoseconds());
  const auto* view = moment.view(*topic);
  if (view == nullptr) return failed(no_such_topic(moment, *topic));
  std::vector<std::pair<fleet::RowName, std::uint32_t>> rows;
  rows.reserve(view->rows);
  for (std::uint32_t row = 0; row < view->rows; ++row) rows.emplace_back(moment.row_name(*view, row), row);
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first.host, a.first.node) < std::tie(b.first.host, b.first.node);
  });
  const HostFilter filter(moment, *view, *filters);
  return page_of(
      *wish, rows,
      [](const auto& item) {
        return item_id({item.first.host, item.first.node});
      },
      [&](const auto& item) { return filter.wants(item.second); },
      [&, before = std::string_view()](const auto& item) mutable {
        auto shown = host_json(moment, *view, item.second);
        // They are the host's, and stand with the first of its nodes in the answer.
        if (std::exchange(before, item.first.host) == item.first.host) shown.erase("capabilities");
        return shown;
      });
}

Outcome show_host(State& state, const MethodCall& call) {
  auto topic = topic_or_compute(call.args);
  if (!topic) return failed(std::move(topic).error());
  auto name = required_host_name(call.args, "name");
  if (!name) return failed(std::move(name).error());
  auto& fleet = state.parts.fleet;
  const auto now = steady_nanoseconds();
  const auto moment = fleet.pin(now);
  const auto row = moment.row_of(*topic, name->host, name->node);
  if (!row) {
    return failed({ErrorCode::not_found,
                   "no host '" + name->host + (name->node.empty() ? "" : "', node '" + name->node) + "' on topic '" +
                       *topic + "'; `gantry host list" + (*topic == "compute" ? "" : " --topic " + *topic) +
                       "` shows those there are",
                   {}});
  }
  const auto found = moment.row_name(*moment.view(*topic), *row);
  json::object result{{"row", host_json(moment, *moment.view(*topic), *row)}};
  if (const auto service = fleet.service(*topic, name->host)) result["service"] = shown(*service, fleet, now);
  if (const auto node = fleet.compute_node(*topic, found.host, found.node)) result["stats"] = node->stats;
  if (const auto known = fleet.capabilities(*topic, name->host)) result["capabilities"] = known->capabilities;
  json::array claims;
  for (const auto& claim : fleet.claims()) {
    if (claim.topic == *topic && claim.host == found.host && claim.node == found.node) claims.push_back(shown(claim));
  }
  json::array instances;
  if (*topic == "compute") {
    for (const auto& instance : fleet.instances({.host = std::string(found.host)}))
      instances.push_back(shown(instance, false));
  }
  result["claims"] = std::move(claims);
  result["instances"] = std::move(instances);
  Outcome outcome;
  outcome.reply = json::value(std::move(result));
  return outcome;
}

Outcome remove_host(State& state, const MethodCall& call) {
  auto topic = topic_or_compute(call.args);
  if (!topic) return failed(std::move(topic).error());
  auto name = required_host_name(call.args, "name");
  if (!name) return failed(std::move(name).error());
  auto& fleet = state.parts.fleet;
  auto outcome = changing(state);
  const auto removed = fleet.remove_compute_node(*topic, name->host, name->node);
  if (!removed)
    return failed({ErrorCode::not_found, "no report of host '" + name->host + "' on topic '" + *topic + "'", {}});
  outcome.reply = json::value(json::object());
  outcome.batch.push_back(erased(store::Kind::compute_node, compute_node_key(*topic, name->host, name->node)));
  outcome.batch.push_back(state.heartbeats.forget(*removed));
  outcome.undo = [&fleet, node = *removed] { fleet.restore_compute_node(node); };
  return outcome;
}

std::optional<json::object> host_before(const State& state, const MethodCall& call) {
  const auto topic = topic_or_compute(call.args);
  const auto name = required_host_name(call.args, "name");
  if (!topic || !name || state.parts.fleet.sampled_at(*topic, name->host, name->node) == 0) return json::object();
  return json::object{{"topic", *topic}, {"host", name->host}, {"node", name->node}};
}

}  // namespace

std::vector<Method> host_methods() {
  using enum ArgumentType;
  const auto host_topic =
      optional("topic", text, "The topic.", "compute").otherwise(R"("compute")").as(TextKind::known);
  const auto host =
      required("name", host_name, "The host, or the pair of host and node.", R"("node1")").as(TextKind::known);
  return {{.name = "list_hosts",
           .group = "hosts",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The rows that drivers see: (host, node) pairs of a topic, sorted.",
           .args = {host_topic, optional("host", text, "Only this host's rows.", "node1"),
                    optional("state", text, "Only those in this state.").one_of("up|down|disabled|forced_down"),
                    optional("aggregate", text, "Only those in this aggregate: its name or id."),
                    optional("availability_zone", text, "Only those of this zone."), page_limit, page_marker},
           .result = "[HostRow]",
           .handle = list_hosts},
          {.name = "show_host",
           .group = "hosts",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "A host with its service, its report, its claims and its instances.",
           .args = {host, host_topic},
           .result = "Host",
           .handle = show_host},
          {.name = "remove_host",
           .group = "hosts",
           .effect = Effect::changes,
           .callers = admins,
           .summary = "Forgets what a host or node has reported.",
           .args = {host, host_topic},
           .result = "Nothing",
           .handle = remove_host,
           .audit = {"host.removed", "host", host_before}},
          {.name = "hosts_up",
           .group = "scheduling",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The hosts whose service on a topic is up, sorted.",
           .args = {required("topic", text, "The topic, such as compute.", "compute")},
           .result = "HostNames",
           .handle = hosts_up,
           .driver = hosts_up_driver},
          {.name = "group_hosts",
           .group = "scheduling",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "The hosts that hold members of a server group, sorted.",
           .args = {required("group", text, "The group's uuid or name.", "web")},
           .result = "HostNames",
           .handle = group_hosts,
           .driver = group_hosts_driver},
          {.name = "stats_wanted",
           .group = "scheduling",
           .effect = Effect::reads,
           .callers = every_role,
           .summary = "The columns that the loaded drivers need or use, so that agents send only those.",
           .args = {optional("topic", text, "The topic.", "compute").otherwise(R"("compute")")},
           .result = "StatsWanted",
           .handle = stats_wanted}};
}

}  // namespace gantry::scheduling

// SPDX-License-Identifier: Apache-2.0
//
// Where instances go. The service chooses: the model asks whether the host was up, enabled and had room, and where none
// was chosen, whether there was any.
#include <algorithm>

#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

struct Request {
  std::vector<std::string> uuids;  // empty: nameless
  std::size_t count = 0;
  Amounts amounts;
  json::object flavor;
  std::string name;
  std::string project;
  std::string group;  // as the hint names it
  std::string ignored;
};

Request read(const json::object& args) {
  const auto& spec = args.at("request_spec").as_object();
  const auto& flavor = spec.at("instance_type").as_object();
  const auto& properties = spec.at("instance_properties").as_object();
  Request request;
  if (const auto* uuids = json::find_array(spec, "instance_uuids")) {
    for (const auto& uuid : *uuids) request.uuids.emplace_back(std::string_view(uuid.as_string()));
  }
  request.count = request.uuids.empty() ? static_cast<std::size_t>(*json::find_integer(spec, "num_instances"))
                                        : request.uuids.size();
  request.amounts = {*json::find_number(flavor, "vcpus"), *json::find_number(flavor, "memory_mb"),
                     *json::find_number(flavor, "root_gb")};
  request.flavor = flavor;
  request.name = text(properties, "display_name");
  request.project = text(properties, "project_id");
  if (const auto* hints = json::find_object(spec, "scheduler_hints")) request.group = text(*hints, "group");
  if (const auto* ignored = json::find_array(spec, "ignore_hosts")) {
    request.ignored = std::string_view(ignored->front().as_string());
  }
  return request;
}

GroupFact* group_of(Model& model, const Request& request) {
  for (auto& [uuid, group] : model.groups) {
    if (group.name == request.group) return &group;
  }
  return nullptr;
}

std::string uuid_of(const Model& model, const GroupFact* group) {
  for (const auto& [uuid, each] : model.groups) {
    if (&each == group) return uuid;
  }
  return {};
}

// The host of an instance that claims alone know, if they are all on one.
std::string claimed_host(const Model& model, const std::string& instance) {
  std::set<std::string> hosts;
  for (const auto& name : model.claims_of(instance)) {
    const auto row = model.row_of(name);
    hosts.insert(row ? row->host : std::string());
  }
  for (const auto& row : model.rows("compute")) {
    if (model.instances_on(row.name).contains(instance)) hosts.insert(row.name.host);
  }
  return hosts.size() == 1 ? *hosts.begin() : std::string();
}

// Whether a rule of a group may forbid what else has room.
bool is_bound(const GroupFact* group, bool has_limits) {
  return has_limits && group != nullptr && (group->policy == "affinity" || group->policy == "anti-affinity");
}

// Where the members of a group are that are not asked for themselves.
struct Members {
  std::map<std::string, std::int64_t> on_host;  // by their records
  std::set<std::string> hosts;                  // on which a member may be said to be, by record, report or claim
};

Members members_of(const Model& model, const GroupFact& group, const std::vector<std::string>& asked_for) {
  Members members;
  for (const auto& member : model.members_of(uuid_of(model, &group))) {
    if (std::find(asked_for.begin(), asked_for.end(), member) != asked_for.end()) continue;
    const auto known = model.instances.find(member);
    if (known != model.instances.end() && model.resolve("compute", {known->second.host, known->second.node})) {
      ++members.on_host[known->second.host];
    } else if (const auto host = claimed_host(model, member); known == model.instances.end() && !host.empty()) {
      ++members.on_host[host];
    }
    for (const auto& row : model.rows("compute")) {
      if (model.instances_on(row.name).contains(member)) members.hosts.insert(row.name.host);
    }
  }
  return members;
}

// The picks of one request, judged one after the other against the facts from before it.
class Picks {
 public:
  Picks(const Model& model, const Request& request, const GroupFact* group)
      : model_(model), request_(request), rows_(model.rows("compute")) {
    for (const auto& row : rows_)
      if (model.is_avoided(row.name.host, text(request.flavor, "name"))) avoided_.insert(row.name.host);
    if (!is_bound(group, model.has_limits)) {
      has_others_ = places(request.count, false) == request.count;
      return;
    }
    members_ = members_of(model, *group, request.uuids);
    most_on_a_host_ = json::find_integer(group->rules, "max_server_per_host").value_or(1);
    policy_ = group->policy;
  }

  Complaint judge(const HostNode& chosen) {
    for (const auto& row : rows_) {
      if (row.name != chosen) continue;
      if (!is_open(row))
        return "placed on " + chosen.host + " " + chosen.node + ", which the model finds closed or full";
      if (has_others_ && avoided_.contains(chosen.host))
        return "placed on " + chosen.host + ", which fails such builds, though others have room for all";
      auto complaint = judge_rule(chosen.host);
      ++placed_[chosen];
      ++members_.on_host[chosen.host];
      members_.hosts.insert(chosen.host);
      return complaint;
    }
    return "placed on " + chosen.host + " " + chosen.node + ", of which the model knows nothing";
  }

  // None was found for `wanted` more.
  Complaint judge_none(std::size_t wanted) const {
    return places(wanted, true) < wanted ? Complaint() : "no host was found, but the model finds room";
  }

  // As the driver set them.
  json::object limits(const HostNode& chosen) const {
    json::object limits;
    for (const auto& row : rows_) {
      if (row.name != chosen || !model_.has_limits) continue;
      const auto& stats = *row.stats;
      limits["vcpu"] =
          *json::find_number(stats, "vcpus") * json::find_number(stats, "cpu_allocation_ratio").value_or(16);
      limits["memory_mb"] = *json::find_number(stats, "memory_mb") * 1.5;
      limits["disk_gb"] = *json::find_number(stats, "local_gb") * 1.0;
    }
    return limits;
  }

 private:
  // How many more find a place, at most `wanted`: on hosts that are used last, too, or on others alone.
  std::size_t places(std::size_t wanted, bool on_avoided) const {
    std::size_t places = 0;
    for (const auto& row : rows_) {
      if (!on_avoided && avoided_.contains(row.name.host)) continue;
      for (std::size_t more = 0; places < wanted && is_open(row, more); ++more) ++places;
    }
    return places;
  }

  Complaint judge_rule(const std::string& host) const {
    const auto there = members_.on_host.find(host);
    if (policy_ == "anti-affinity" && there != members_.on_host.end() && there->second >= most_on_a_host_) {
      return "placed on " + host + ", where enough members of its group are";
    }
    if (policy_ == "affinity" && !members_.on_host.empty() && !members_.hosts.contains(host)) {
      return "placed on " + host + ", where no member of its group is";
    }
    return {};
  }

  bool is_open(const Model::Row& row, std::size_t more = 0) const {
    const auto there = placed_.find(row.name);
    return model_.is_usable(row.name) && row.name.host != request_.ignored &&
           model_.has_room(row, request_.amounts, more + (there == placed_.end() ? 0 : there->second));
  }

  const Model& model_;
  const Request& request_;
  std::vector<Model::Row> rows_;
  std::map<HostNode, std::size_t> placed_;
  std::set<std::string> avoided_;  // hosts that are used last
  bool has_others_ = false;        // all instances have room on hosts that are not avoided, and no rule binds them
  std::string policy_;             // that binds; empty: none
  Members members_;
  std::int64_t most_on_a_host_ = 1;
};

// A claim of the same consumer on the same row gives way; what was promised of it holds on.
void claim(Model& model, const std::string& consumer, const HostNode& row, ClaimFact made) {
  for (const auto& name : model.claims_of(consumer)) {
    if (model.row_of(name) != row) continue;
    made.durable = made.durable || model.claims.at(name).durable;
    made.cast_waits = made.cast_waits || model.claims.at(name).cast_waits;
    model.claims.erase(name);
  }
  model.claims[{consumer, row.host, row.node}] = made;
  model.claimed = true;
}

Complaint select_destinations(Model& model, const Asked& asked, const Reply& reply) {
  const auto request = read(asked.args);
  const auto* group = group_of(model, request);
  if (!request.group.empty() && group == nullptr) return expect_error(reply, ErrorCode::not_found);
  Picks picks(model, request, group);
  if (!reply) {
    if (auto complaint = expect_error(reply, ErrorCode::no_valid_host); !complaint.empty()) return complaint;
    return is_bound(group, model.has_limits) ? Complaint() : picks.judge_none(request.count);
  }
  const auto& list = reply->as_array();
  if (list.size() != request.count) return "expected one destination an instance, found " + text_of(reply);
  const bool claims = !request.uuids.empty() && !json::find_bool(asked.args, "dry_run").value_or(false);
  std::vector<HostNode> chosen;
  for (const auto& item : list) {
    const auto& destination = item.as_object();
    chosen.push_back({text(destination, "host"), text(destination, "nodename")});
    auto complaint = picks.judge(chosen.back());
    if (complaint.empty()) complaint = expect_same(destination.at("limits"), picks.limits(chosen.back()));
    if (!complaint.empty()) return complaint;
  }
  for (std::size_t i = 0; claims && i < chosen.size(); ++i) {
    claim(model, request.uuids[i], chosen[i],
          {request.amounts, picks.limits(chosen[i]), false, false, uuid_of(model, group)});
  }
  return {};
}

InstanceFact new_instance(const Request& request, std::size_t index) {
  InstanceFact made;
  made.name = request.count > 1 ? request.name + "-" + std::to_string(index + 1) : request.name;
  made.project = request.project;
  made.flavor = request.flavor;
  made.launch_index = static_cast<std::int64_t>(index);
  return made;
}

// Whether a host may run the instance already.
bool is_somewhere(const Model& model, const std::string& uuid) {
  const auto known = model.instances.find(uuid);
  const auto host = known == model.instances.end() ? std::string() : known->second.host;
  if (known != model.instances.end()) {
    const auto& [instance_uuid, instance] = *known;
    const bool failed_to_start = instance.vm_state == "error" && !instance.has_been_active;
    if (instance.vm_state == "active" || (!host.empty() && !failed_to_start && instance.vm_state != "deleted"))
      return true;
  }
  for (const auto& row : model.rows("compute")) {
    const auto* listed = row.stats == nullptr ? nullptr : json::find_array(*row.stats, "instances");
    if (listed == nullptr || row.name.host == host) continue;
    if (std::find(listed->begin(), listed->end(), json::value(uuid)) != listed->end()) return true;
  }
  return false;
}

// Releases the claims of the instance's earlier placement, except those that the new claim has replaced. Sends
// terminate_instance to a host on which the instance failed to start.
void settle(Model& model, const Request& request, std::size_t index, const InstanceFact& made, const Picks& picks,
            const std::string& group) {
  const auto& uuid = request.uuids[index];
  std::optional<ClaimName> kept;
  if (!made.host.empty()) {
    claim(model, uuid, {made.host, made.node},
          {request.amounts, picks.limits({made.host, made.node}), true, true, group});
    kept = ClaimName{uuid, made.host, made.node};
  }
  for (const auto& name : model.claims_of(uuid)) {
    if (name != kept) model.claims.erase(name);
  }
  for (const auto& id : model.casts_of(uuid)) model.casts.erase(id);
  if (kept) model.unseen_casts.push_back({made.host, made.node, "run_instance", uuid, uuid, 0, {}});
  const auto& before = model.instances[uuid];
  if (!before.host.empty() && (before.host != made.host || before.node != made.node))
    model.unseen_casts.push_back({before.host, before.node, "terminate_instance", "", uuid, 0, {}});
  model.instances[uuid] = made;
}

Complaint judge_instance(const Request& request, std::size_t index, const json::object& answered, bool is_bound,
                         Picks& picks, InstanceFact& made) {
  made = new_instance(request, index);
  if (text(answered, "uuid") != request.uuids[index]) return "expected the instances in the order that was asked";
  made.host = text(answered, "host");
  made.node = text(answered, "node");
  made.vm_state = made.host.empty() ? "error" : "building";
  made.task_state = made.host.empty() ? "" : "spawning";
  if (made.host.empty()) {
    made.fault = text(answered, "fault");
    if (!made.fault.starts_with("No valid host was found."))
      return "expected a fault that says why, found " + made.fault;
    return is_bound ? Complaint() : picks.judge_none(1);
  }
  return picks.judge({made.host, made.node});
}

Complaint schedule_run_instance(Model& model, const Asked& asked, const Reply& reply) {
  const auto request = read(asked.args);
  for (const auto& uuid : request.uuids)
    if (is_somewhere(model, uuid)) return expect_error(reply, ErrorCode::failed_precondition);
  auto* group = group_of(model, request);
  if (!request.group.empty() && group == nullptr) return expect_error(reply, ErrorCode::not_found);
  if (!reply) return "expected instances, found " + text_of(reply);
  const auto& list = reply->as_object().at("instances").as_array();
  if (list.size() != request.count) return "expected as many instances as were asked for, found " + text_of(reply);
  Picks picks(model, request, group);
  std::vector<InstanceFact> made(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto complaint = judge_instance(request, i, list[i].as_object(), is_bound(group, model.has_limits), picks, made[i]);
    if (!complaint.empty()) return complaint;
  }
  for (std::size_t i = 0; i < list.size(); ++i) settle(model, request, i, made[i], picks, uuid_of(model, group));
  for (const auto& uuid : request.uuids) {
    if (group == nullptr) break;
    auto& members = group->members;
    if (std::find(members.begin(), members.end(), uuid) == members.end()) members.push_back(uuid);
  }
  return {};
}

Complaint schedule(Model&, const Asked& asked, const Reply& reply) {
  const bool is_served = text(asked.args, "topic") == "compute";
  return expect_error(reply, is_served ? ErrorCode::unsupported : ErrorCode::not_found);
}

}  // namespace

void add_placement_rules(std::map<std::string, Model::Rule>& rules) {
  rules["select_destinations"] = select_destinations;
  rules["schedule_run_instance"] = schedule_run_instance;
  rules["schedule"] = schedule;
}

}  // namespace gantry::model

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

using Instances = std::map<std::string, InstanceFact>;

json::object shown(const std::string& uuid, const InstanceFact& instance) {
  return {{"uuid", uuid},
          {"name", instance.name},
          {"project_id", instance.project},
          {"host", instance.host},
          {"node", instance.node},
          {"vm_state", instance.vm_state},
          {"task_state", instance.task_state},
          {"fault", instance.fault},
          {"flavor", instance.flavor},
          {"launch_index", instance.launch_index}};
}

// Of an instance that was answered, what the model speaks of.
json::object predicted_instance(const json::object& instance) {
  return without(instance, {"availability_zone", "image", "user_id", "request_id", "created_at", "updated_at",
                            "active_at", "decision"});
}

// By uuid, or by a name that only one has.
Complaint refusal(const Model& model, const std::string& wanted, const Reply& reply, std::string& uuid) {
  if (model.instances.contains(wanted)) {
    uuid = wanted;
    return {};
  }
  std::size_t count = 0;
  for (const auto& [candidate, instance] : model.instances) {
    if (instance.name != wanted) continue;
    ++count;
    uuid = candidate;
  }
  if (count == 1) return {};
  uuid.clear();
  return expect_error(reply, count == 0 ? ErrorCode::not_found : ErrorCode::failed_precondition);
}

// An instance that was being built on its host fails or becomes active.
void note_build(Model& model, const InstanceFact& before, const std::string& state) {
  constexpr std::size_t most_failures = 16;
  const auto flavor = text(before.flavor, "name");
  if (before.vm_state != "building" || before.host.empty() || flavor.empty()) return;
  if (state == "active") model.failed_builds.erase({flavor, before.host});
  if (state != "error") return;
  auto& failures = model.failed_builds[{flavor, before.host}];
  failures = std::min(failures + 1, most_failures);
}

Complaint update_instance(Model& model, const Asked& asked, const Reply& reply) {
  const auto uuid = text(asked.args, "uuid");
  const auto found = model.instances.find(uuid);
  if (found == model.instances.end()) return expect_error(reply, ErrorCode::not_found);
  const auto state = text(asked.args, "vm_state");
  if (state == "deleted") return expect_error(reply, ErrorCode::invalid_argument);
  auto& instance = found->second;
  note_build(model, instance, state);
  for (const auto& [key, into] : {std::pair{"task_state", &instance.task_state}, std::pair{"fault", &instance.fault},
                                  std::pair{"host", &instance.host}, std::pair{"node", &instance.node}}) {
    if (asked.args.contains(key)) *into = text(asked.args, key);
  }
  if (state == "active" && instance.vm_state != "active") {
    instance.has_been_active = true;
    instance.fault.clear();
  }
  // What failed holds nothing any more.
  if (state == "error" && instance.vm_state != "error") model.release_all(uuid);
  if (!state.empty()) instance.vm_state = state;
  if (!state.empty() && state != "building" && !asked.args.contains("task_state")) instance.task_state.clear();
  if (!reply) return "expected the instance, found " + text_of(reply);
  return expect_same(predicted_instance(reply->as_object()), shown(uuid, instance));
}

Complaint delete_instance(Model& model, const Asked& asked, const Reply& reply) {
  std::string uuid;
  if (auto complaint = refusal(model, text(asked.args, "instance"), reply, uuid); uuid.empty()) return complaint;
  const auto instance = model.instances.at(uuid);
  model.release_all(uuid);
  for (const auto& id : model.casts_of(uuid)) model.casts.erase(id);
  if (!instance.host.empty()) {
    model.unseen_casts.push_back({instance.host, instance.node, "terminate_instance", "", uuid, 0, {}});
  }
  model.instances.erase(uuid);
  model.leave_groups(uuid);
  return expect_answer(reply, json::object());
}

Complaint show_instance(Model& model, const Asked& asked, const Reply& reply) {
  std::string uuid;
  if (auto complaint = refusal(model, text(asked.args, "instance"), reply, uuid); uuid.empty()) return complaint;
  if (!reply) return "expected the instance, found " + text_of(reply);
  return expect_same(predicted_instance(reply->as_object()), shown(uuid, model.instances.at(uuid)));
}

Complaint list_instances(Model& model, const Asked& asked, const Reply& reply) {
  json::object expected;
  for (const auto& [uuid, instance] : model.instances) {
    if (asked.args.contains("host") && instance.host != text(asked.args, "host")) continue;
    if (asked.args.contains("project_id") && instance.project != text(asked.args, "project_id")) continue;
    if (asked.args.contains("vm_state") && instance.vm_state != text(asked.args, "vm_state")) continue;
    expected[uuid] = shown(uuid, instance);
  }
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  json::object found;
  for (const auto& item : reply->get_array())
    found[text(item.as_object(), "uuid")] = predicted_instance(item.as_object());
  if (found.size() != reply->get_array().size()) return "an instance twice in the list";
  return expect_same(found, expected);
}

Complaint list_build_failures(Model& model, const Asked&, const Reply& reply) {
  json::array expected;
  for (const auto& [flavor_and_host, failures] : model.failed_builds) {
    const auto& [flavor, host] = flavor_and_host;
    expected.push_back(json::object{{"host", host},
                                    {"kind", "flavor " + flavor},
                                    {"failures", failures},
                                    {"avoided", model.is_avoided(host, flavor)}});
  }
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  json::array found;
  for (const auto& failed : reply->get_array()) found.push_back(without(failed.as_object(), {"since"}));
  return expect_same(found, expected);
}

Complaint clear_build_failures(Model& model, const Asked& asked, const Reply& reply) {
  const auto host = text(asked.args, "host");
  std::size_t cleared = 0;
  std::erase_if(model.failed_builds, [&](const auto& failed) {
    if (failed.first.second != host) return false;
    cleared += failed.second;
    return true;
  });
  return expect_answer(reply, json::object{{"cleared", cleared}});
}

Complaint status(Model& model, const Asked&, const Reply& reply) {
  if (!reply) return "expected the status, found " + text_of(reply);
  const auto& answer = reply->as_object();
  std::map<std::string, std::int64_t> counts;
  for (const auto& [uuid, instance] : model.instances) ++counts[instance.vm_state];
  json::object states;
  for (const auto& [state, count] : counts) states[state] = count;
  const json::object expected{{"instances", std::move(states)},
                              {"claims", model.claims.size()},
                              {"casts", model.casts.size() + model.unseen_casts.size()},
                              {"hosts", model.rows("compute").size()}};
  return expect_same(json::object{{"instances", answer.at("instances")},
                                  {"claims", answer.at("claims")},
                                  {"casts", answer.at("casts")},
                                  {"hosts", answer.at("topics").as_object().at("compute").as_object().at("hosts")}},
                     expected);
}

}  // namespace

void add_instance_rules(std::map<std::string, Model::Rule>& rules) {
  rules["update_instance"] = update_instance;
  rules["delete_instance"] = delete_instance;
  rules["show_instance"] = show_instance;
  rules["list_instances"] = list_instances;
  rules["list_build_failures"] = list_build_failures;
  rules["clear_build_failures"] = clear_build_failures;
  rules["status"] = status;
}

}  // namespace gantry::model

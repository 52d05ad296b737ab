// SPDX-License-Identifier: Apache-2.0
#include "tests/model/model.hpp"

#include <algorithm>

#include "core/scheduling/methods/method_table.hpp"

namespace gantry::model {

namespace {

// Arguments without which a call makes no sense.
const std::map<std::string, std::vector<std::string>>& required_arguments() {
  static const std::map<std::string, std::vector<std::string>> all{
      {"service_register", {"topic", "host"}},
      {"report_state", {"topic", "host"}},
      {"enable_service", {"topic", "host"}},
      {"disable_service", {"topic", "host"}},
      {"force_down_service", {"topic", "host"}},
      {"remove_service", {"topic", "host"}},
      {"update_resource_stats", {"name", "stats"}},
      {"update_service_capabilities", {"service_name", "host", "capabilities"}},
      {"remove_host", {"name"}},
      {"show_host", {"name"}},
      {"hosts_up", {"topic"}},
      {"create_aggregate", {"name"}},
      {"update_aggregate", {"aggregate"}},
      {"delete_aggregate", {"aggregate"}},
      {"show_aggregate", {"aggregate"}},
      {"add_aggregate_host", {"aggregate", "host"}},
      {"remove_aggregate_host", {"aggregate", "host"}},
      {"create_group", {"name", "policy"}},
      {"delete_group", {"group"}},
      {"show_group", {"group"}},
      {"group_hosts", {"group"}},
      {"schedule_run_instance", {"request_spec"}},
      {"select_destinations", {"request_spec"}},
      {"update_instance", {"uuid"}},
      {"delete_instance", {"instance"}},
      {"show_instance", {"instance"}},
      {"release_claims", {"instance_uuid"}},
      {"clear_build_failures", {"host"}},
      {"receive_casts", {"topic"}},
      {"acknowledge_cast", {"id"}},
      {"import", {"tables"}},
      {"schedule", {"topic", "schedule_method"}},
  };
  return all;
}

bool lacks_argument(const Asked& asked) {
  const auto required = required_arguments().find(asked.method);
  if (required == required_arguments().end()) return false;
  return std::any_of(required->second.begin(), required->second.end(),
                     [&](const auto& name) { return !asked.args.contains(name); });
}

bool keeps_answers(const std::string& name) {
  const auto* method = scheduling::find_method(name);
  return method != nullptr && method->effect == scheduling::Effect::changes;
}

// What changed nothing may be asked again.
bool changed_something(const std::string& method, const json::value& reply, bool claimed) {
  if (method == "select_destinations") return claimed;
  if (method != "release_claims" && method != "import") return true;
  const auto& counts = reply.as_object();
  return std::any_of(counts.begin(), counts.end(),
                     [](const auto& member) { return member.value().is_int64() && member.value().get_int64() != 0; });
}

}  // namespace

std::map<std::string, Model::Rule> Model::rules() {
  std::map<std::string, Rule> all;
  add_service_rules(all);
  add_host_rules(all);
  add_aggregate_rules(all);
  add_group_rules(all);
  add_instance_rules(all);
  add_placement_rules(all);
  add_cast_rules(all);
  add_import_rules(all);
  return all;
}

Complaint Model::take(const Asked& asked, const Reply& reply) {
  const auto rule = rule_of.find(asked.method);
  if (rule == rule_of.end()) return "the model has no rule for " + asked.method;
  if (asked.args.contains("no_such_argument")) {
    return expect_error(reply, asked.method == "no_such_method" ? ErrorCode::unsupported : ErrorCode::invalid_argument);
  }
  const bool keeps = !asked.key.empty() && keeps_answers(asked.method);
  const auto call = asked.method + " " + json::write_canonical(asked.args);
  if (const auto known = kept_.find(asked.key); keeps && known != kept_.end()) {
    if (known->second.call != call) return expect_error(reply, ErrorCode::invalid_argument);
    if (known->second.answer == text_of(reply)) return {};
    return "expected the first answer again, " + known->second.answer + ", found " + text_of(reply);
  }
  if (lacks_argument(asked)) return expect_error(reply, ErrorCode::invalid_argument);
  claimed = false;
  auto complaint = rule->second(*this, asked, reply);
  if (keeps && reply && changed_something(asked.method, *reply, claimed) && complaint.empty())
    kept_[asked.key] = {call, text_of(reply)};
  return complaint;
}

void Model::restart() {
  for (auto& [id, cast] : casts) {
    cast.attempts = 0;
    cast.handed_out.reset();
  }
  failed_builds.clear();
  // Whom nothing knows any more is gone.
  for (auto& [uuid, group] : groups) std::erase_if(group.members, [this](const auto& each) { return !knows(each); });
}

std::string Model::cast_at(std::int64_t number) const {
  if (casts.empty()) return "none";
  return std::next(casts.begin(), number % static_cast<std::int64_t>(casts.size()))->first;
}

std::string Model::building_at(std::int64_t number) const {
  std::vector<std::string> building;
  for (const auto& [uuid, instance] : instances)
    if (instance.vm_state == "building") building.push_back(uuid);
  return building.empty() ? "none" : building[static_cast<std::size_t>(number) % building.size()];
}

std::string text(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

json::object without(json::object object, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) object.erase(key);
  return object;
}

std::string text_of(const Reply& reply) {
  if (reply) return json::write_canonical(*reply);
  return std::string(name_of(reply.error().code)) + ": " + reply.error().message;
}

Complaint expect_error(const Reply& reply, ErrorCode code) {
  if (!reply && reply.error().code == code) return {};
  return "expected the error " + std::string(name_of(code)) + ", found " + text_of(reply);
}

Complaint expect_success(const Reply& reply) {
  return reply ? Complaint() : "expected success, found " + text_of(reply);
}

Complaint expect_same(const json::value& found, const json::value& expected) {
  const auto found_text = json::write_canonical(found);
  const auto expected_text = json::write_canonical(expected);
  if (found_text == expected_text) return {};
  return "expected " + expected_text + "\n   found " + found_text;
}

Complaint expect_answer(const Reply& reply, const json::value& expected) {
  if (!reply) return "expected " + json::write_canonical(expected) + ", found " + text_of(reply);
  return expect_same(*reply, expected);
}

}  // namespace gantry::model

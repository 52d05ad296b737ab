// SPDX-License-Identifier: Apache-2.0
//
// The body of a scheduling request, {"context": {...}, "args": {...}}, through the reader of both forms and, for a few
// instances, through select_destinations and schedule_run_instance of the real manager over three hosts. Nothing may be
// left of it afterwards. The outcome is what select_destinations made of it: placed, or the code of its error.
#include <algorithm>

#include "core/encoding/json.hpp"
#include "core/scheduling/request/request_context.hpp"
#include "core/scheduling/request/request_spec.hpp"
#include "tests/fuzz/small_manager.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::uint32_t few_instances = 8;

json::object read(std::string_view text) {
  auto parsed = json::parse_object(text);
  if (!parsed) broken(parsed.error().message);
  return *std::move(parsed);
}

// One host up with room, one with a node and little room, one that never reported; a group with a rule.
void fill(SmallManager& manager) {
  for (const auto* host : {"h1", "h2", "h3"}) {
    if (!manager.call("service_register", {{"topic", "compute"}, {"host", host}})) broken("no service");
  }
  const auto stats = read(R"({"vcpus":8,"memory_mb":8192,"local_gb":100,"vcpus_used":0,"memory_mb_used":512,
    "local_gb_used":1,"cpu_allocation_ratio":1,"instances":["00000000-0000-4000-8000-000000000009"]})");
  if (!manager.call("update_resource_stats", {{"name", "h1"}, {"stats", stats}})) broken("no report");
  if (!manager.call("update_resource_stats", {{"name", json::array{"h2", "n2"}}, {"stats", stats}}))
    broken("no report");
  if (!manager.call("create_group", read(R"({"name":"g","policy":"anti-affinity","rules":{"max_server_per_host":2}})")))
    broken("no group");
}

SmallManager& manager() {
  static const std::unique_ptr<SmallManager> made = [] {
    auto started = SmallManager::start({});
    if (!started) broken(started.error().message);
    fill(**started);
    return *std::move(started);
  }();
  return *made;
}

// What a driver or a log gets to see has no secret left in it, and reads back as the same request.
void check_spec(const scheduling::RequestSpec& spec, const json::object& filter_properties,
                const std::vector<std::string>& uuids) {
  if (json::write(scheduling::without_secrets(spec.plain)) != json::write(spec.plain)) broken("a secret is left");
  const auto original = json::parse(spec.original, json::stored_depth);
  if (!original) broken("the original is not JSON: " + spec.original);
  const auto again = scheduling::parse_request_spec(*original, filter_properties, uuids);
  if (!again) broken("the original is refused: " + again.error().message);
  if (json::write(again->plain) != json::write(spec.plain)) broken("the original reads as another request");
}

void select(const json::object& args, const json::object& context, std::size_t instances, std::string& outcome) {
  const auto reply = manager().call("select_destinations", args, context);
  outcome = reply ? "placed" : std::string(name_of(reply.error().code));
  const auto claims = manager().fleet().claims();
  if (!reply && !claims.empty()) broken("a failed selection leaves a claim");
  if (reply) {
    const auto* list = reply->is_object() ? json::find_array(reply->get_object(), "destinations") : reply->if_array();
    if (list == nullptr || list->size() != instances) broken("not one destination an instance: " + json::write(*reply));
  }
  for (const auto& claim : claims) {
    static_cast<void>(manager().call("release_claims", {{"instance_uuid", claim.consumer}}));
  }
}

void run_instances(const json::object& args, const json::object& context, std::size_t instances) {
  json::object run_args;
  for (const auto* key : {"request_spec", "filter_properties"}) {
    if (const auto* value = json::find(args, key)) run_args.emplace(key, *value);
  }
  const auto reply = manager().call("schedule_run_instance", std::move(run_args), context);
  if (reply) {
    const auto& list = reply->as_object().at("instances").as_array();
    if (list.size() != instances) broken("not one answer an instance");
    for (const auto& instance : list) {
      if (!manager().call("delete_instance", {{"instance", instance.as_object().at("uuid")}}))
        broken("an instance that was answered is not there");
    }
  }
  const auto casts = manager().call("list_casts", {});
  for (const auto& cast : casts->as_array()) {
    if (!reply) broken("a failed request leaves a cast");
    static_cast<void>(manager().call("acknowledge_cast", {{"id", cast.as_object().at("id")}}));
  }
  if (!manager().fleet().claims().empty() || !manager().fleet().instances().empty()) broken("something is left");
}

void forget_members() {
  auto groups = manager().fleet().groups();
  for (auto& group : groups) {
    group.members.clear();
    manager().fleet().put_group(group);
  }
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto body = json::parse_object(text_of(input), json::max_part_depth);
  if (!body) return "not_json";
  const auto* args = json::find_object(*body, "args");
  if (args == nullptr) return "no_args";
  const auto* given_context = json::find_object(*body, "context");
  const auto context = given_context == nullptr ? json::object() : *given_context;

  const auto* request_spec = json::find(*args, "request_spec");
  if (request_spec == nullptr) request_spec = json::find(*args, "spec_obj");
  const auto* given_properties = json::find_object(*args, "filter_properties");
  const auto properties = given_properties == nullptr ? json::object() : *given_properties;
  std::vector<std::string> uuids;
  if (const auto* list = json::find_array(*args, "instance_uuids")) {
    for (const auto& uuid : *list) {
      if (uuid.is_string()) uuids.emplace_back(std::string_view(uuid.get_string()));
    }
  }
  std::size_t instances = 0;
  if (request_spec != nullptr) {
    const auto spec = scheduling::parse_request_spec(*request_spec, properties, uuids);
    if (spec) check_spec(*spec, properties, uuids);
    if (spec && spec->num_instances > few_instances) return "many";
    if (spec) instances = spec->num_instances;
  }
  std::string outcome;
  select(*args, context, instances, outcome);
  // Its own list of instances is the one in the spec.
  const auto of_spec = request_spec == nullptr ? Result<scheduling::RequestSpec>(Error{})
                                               : scheduling::parse_request_spec(*request_spec, properties, {});
  if (of_spec && of_spec->num_instances <= few_instances) run_instances(*args, context, of_spec->num_instances);
  forget_members();
  return outcome;
}

}  // namespace gantry::fuzz

// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/request_facts.hpp"

namespace gantry::scheduling {

namespace {

// The fields of a member that is an object, or the versioned object in its envelope. nullptr: there is no such member.
const json::object* fields_of(const json::object& object, std::string_view key) {
  const auto* member = json::find_object(object, key);
  const auto* data = member == nullptr ? nullptr : json::find_object(*member, "nova_object.data");
  return data == nullptr ? member : data;
}

std::string_view text_in(const json::object* object, std::string_view key) {
  return object == nullptr ? std::string_view() : json::find_string(*object, key).value_or("");
}

const json::object* first_of(const json::object* first, const json::object* second) {
  return first == nullptr ? second : first;
}

std::string_view first_of(std::string_view first, std::string_view second) {
  return first.empty() ? second : first;
}

}  // namespace

RequestFacts facts_of(const RequestSpec& spec, const RequestedGroup* group, std::string_view project,
                      const gantry_view* view) {
  RequestFacts facts;
  facts.flavor = spec.flavor;
  facts.project = first_of(spec.project_id, project);
  facts.availability_zone = spec.availability_zone;
  if (group != nullptr) facts.group_policy = group->policy;
  facts.hints = json::find_object(spec.plain, "scheduler_hints");
  facts.destination = json::find_object(spec.plain, "requested_destination");
  facts.view = view;
  return facts;
}

RequestFacts facts_of(const json::object& args, const json::object& context) {
  RequestFacts facts;
  const auto* const spec = first_of(fields_of(args, "request_spec"), fields_of(args, "spec_obj"));
  if (spec == nullptr) return facts;
  const auto* const properties = json::find_object(args, "filter_properties");
  const auto from_properties = [properties](std::string_view key) {
    return properties == nullptr ? nullptr : fields_of(*properties, key);
  };
  const auto* const instance = fields_of(*spec, "instance_properties");
  const auto* const flavor = first_of(first_of(fields_of(*spec, "flavor"), fields_of(*spec, "instance_type")),
                                      from_properties("instance_type"));
  facts.flavor = text_in(flavor, "name");
  facts.project = first_of(first_of(text_in(spec, "project_id"), text_in(instance, "project_id")),
                           json::find_string(context, "project_id").value_or(""));
  facts.availability_zone = first_of(text_in(spec, "availability_zone"), text_in(instance, "availability_zone"));
  facts.group_policy = text_in(fields_of(*spec, "instance_group"), "policy");
  facts.hints = first_of(fields_of(*spec, "scheduler_hints"), from_properties("scheduler_hints"));
  facts.destination = first_of(fields_of(*spec, "requested_destination"), from_properties("requested_destination"));
  return facts;
}

}  // namespace gantry::scheduling

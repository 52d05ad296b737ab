// SPDX-License-Identifier: Apache-2.0
//
// Records of the kinds request_filter, resource_request and resources_from_request_spec: the question for placement.
// Each record is put to the core's code twice, as a plain RequestSpec and as a versioned object.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/placement_question.hpp"
#include "core/nova/request/plain_object.hpp"
#include "core/nova/request/request_filters.hpp"
#include "tests/parity/recorded_lookups.hpp"
#include "tests/parity/recorded_request.hpp"
#include "tests/parity/replay.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;
namespace nova = gantry::nova;
using gantry::Error;

verdict differing(std::string why) {
  return {verdict::differed, std::move(why)};
}

verdict compare_failure(const Error& error, const json::object& expected) {
  const auto exception = nova::exception_of(error);
  const auto* const raised = expected.if_contains("raises");
  if (raised == nullptr || raised->as_string() != exception)
    return differing("failed with " + exception + ": " + error.message);
  const std::string_view message = expected.at("message").as_string();
  // Nova goes on with Python's text of the object.
  const bool shows_object = message.starts_with("Missing requester_id in RequestGroup!");
  if (shows_object ? message.starts_with(error.message) : message == error.message) return {};
  return differing("failed with the words " + error.message);
}

// Returns the value with each list of texts in order: where the order has a meaning, the query string tells.
json::value in_order(const json::value& value) {
  if (const auto* const object = value.if_object()) {
    json::object all;
    for (const auto& [key, member] : *object) all[key] = in_order(member);
    return all;
  }
  const auto* const list = value.if_array();
  if (list == nullptr) return value;
  std::vector<json::value> items;
  for (const auto& each : *list) items.push_back(in_order(each));
  std::sort(items.begin(), items.end(),
            [](const auto& a, const auto& b) { return json::serialize(a) < json::serialize(b); });
  return json::array(items.begin(), items.end());
}

// Aggregates that a host may be in one of come in no order.
json::value with_sorted_aggregates(const json::value& value) {
  auto sorted = value;
  auto* const object = sorted.if_object();
  auto* const entries = object == nullptr ? nullptr : object->if_contains("aggregates");
  if (entries == nullptr || !entries->is_array()) return sorted;
  for (auto& entry : entries->get_array()) {
    std::vector<std::string> uuids;
    std::string rest(std::string_view(entry.as_string()));
    for (std::size_t at = 0; at <= rest.size();) {
      const auto end = std::min(rest.find(',', at), rest.size());
      uuids.push_back(rest.substr(at, end - at));
      at = end + 1;
    }
    std::sort(uuids.begin(), uuids.end());
    std::string text;
    for (const auto& uuid : uuids) text += uuid + ",";
    entry = text;
  }
  return sorted;
}

template <class Texts>
json::array texts(const Texts& all) {
  json::array list;
  for (const auto& each : all) list.emplace_back(each);
  return list;
}

json::value text_or_null(const nova::OptionalText& text) {
  return text ? json::value(*text) : json::value();
}

// Returns the group as records write it. The query string tells the amounts.
json::object shown(const nova::RequestGroup& group) {
  json::array resources;
  for (const auto& [name, amount] : group.resources) resources.emplace_back(name);
  json::array aggregates;
  for (const auto& any : group.aggregates) aggregates.push_back(texts(any));
  return {{"aggregates", aggregates},
          {"forbidden_aggregates", texts(group.forbidden_aggregates)},
          {"forbidden_traits", texts(group.forbidden_traits)},
          {"in_tree", text_or_null(group.in_tree)},
          {"required_traits", texts(group.required_traits)},
          {"resources", resources}};
}

json::object recorded_group(const json::value& recorded) {
  auto group = unmarked(recorded).as_object();
  for (const auto* const key : {"provider_uuids", "requester_id", "use_same_provider"}) group.erase(key);
  json::array resources;
  for (const auto& [name, amount] : group.at("resources").as_object()) resources.emplace_back(name);
  group["resources"] = resources;
  return group;
}

verdict compare_groups(const nova::ResourceRequest& request, const json::array& expected) {
  if (request.groups.size() != expected.size())
    return differing("got " + std::to_string(request.groups.size()) + " groups");
  for (const auto& pair : expected) {
    const auto& suffix = pair.as_array().at(0);
    const auto found = request.groups.find(suffix.is_null() ? std::string() : std::string(suffix.as_string()));
    if (found == request.groups.end()) return differing("lacks group " + json::serialize(suffix));
    const auto group = json::value(shown(found->second));
    if (in_order(group) != in_order(recorded_group(pair.as_array().at(1))))
      return differing("group " + json::serialize(suffix) + " is " + json::serialize(group));
  }
  return {};
}

verdict compare_request(const nova::ResourceRequest& request, const json::object& expected) {
  if (const auto query = nova::query_string(request); expected.at("querystring").as_string() != query)
    return differing("got the query " + query);
  const auto limit = request.limit ? json::value(*request.limit) : json::value();
  if (expected.at("limit") != limit) return differing("got the limit " + json::serialize(limit));
  if (expected.at("group_policy") != text_or_null(request.group_policy)) return differing("got another group policy");
  if (const auto* const pinning = expected.if_contains("cpu_pinning_requested");
      pinning != nullptr && pinning->as_bool() != request.cpu_pinning_requested)
    return differing("got another cpu_pinning_requested");
  if (const auto* const suffixed = expected.if_contains("suffixed_groups_from_flavor");
      suffixed != nullptr && suffixed->to_number<std::size_t>() != request.suffixed_groups_from_flavor)
    return differing("got " + std::to_string(request.suffixed_groups_from_flavor) + " suffixed groups of the flavor");
  const auto* const groups = expected.if_contains("groups");
  return groups == nullptr ? verdict() : compare_groups(request, groups->as_array());
}

// Returns the member of the plain spec: null if absent. Leaves out the cell, whose dates have two forms, and members
// that are null or empty.
json::value member_of(const json::object& spec, std::string_view name) {
  const auto* const member = spec.if_contains(name);
  if (member == nullptr || !member->is_object()) return nullptr;
  json::object kept;
  for (const auto& [key, value] : member->get_object()) {
    if (key != "cell" && !value.is_null() && !(value.is_array() && value.get_array().empty())) kept[key] = value;
  }
  return in_order(with_sorted_aggregates(kept));
}

verdict compare_member(const json::object& spec, const json::object& expected, std::string_view name) {
  const auto got = member_of(spec, name);
  auto wanted = member_of(expected, name);
  // Nova's level parameters come into being where they are read.
  if (wanted.is_null() && name == "request_level_params") wanted = json::object();
  return got == wanted ? verdict() : differing("got " + std::string(name) + " " + json::serialize(got));
}

// Returns the required traits of each requested group.
json::value traits_of_groups(const json::object& spec) {
  json::array traits;
  const auto* const groups = spec.if_contains("requested_resources");
  if (groups == nullptr || !groups->is_array()) return traits;
  for (const auto& group : groups->get_array()) {
    const auto* const required = group.as_object().if_contains("required_traits");
    traits.push_back(required == nullptr ? json::value(json::array()) : in_order(*required));
  }
  return traits;
}

verdict compare_groups_traits(const json::object& spec, const json::object& expected) {
  const auto got = traits_of_groups(spec);
  return got == traits_of_groups(expected) ? verdict() : differing("got groups that require " + json::serialize(got));
}

struct recorded_case {
  json::object plain;
  nova::RequestSpec spec;
  nova::RequestOptions options;
  recorded_lookups lookups;
};

gantry::Result<recorded_case> read_case(const json::object& record, json::object spec) {
  auto plain = nova::plain_object(std::move(spec), "RequestSpec");
  if (!plain) return std::move(plain).error();
  auto read = nova::read_request_spec(*plain);
  if (!read) return std::move(read).error();
  return recorded_case{*std::move(plain), *std::move(read), recorded_request_options(record), recorded_lookups(record)};
}

using checked_case = verdict (*)(const json::object& record, recorded_case& asked);

verdict check_one(const json::object& record, const json::object& spec, checked_case check) {
  auto asked = read_case(record, spec);
  if (!asked) return compare_failure(asked.error(), record.at("expected").as_object());
  return check(record, *asked);
}

verdict check_both(const json::object& record, checked_case check) {
  auto result = check_one(record, recorded_spec(record), check);
  const auto* const wire = record.if_contains("spec_wire");
  if (result.what != verdict::agreed || wire == nullptr || wire->is_null()) return result;
  result = check_one(record, wire->as_object(), check);
  result.why = "as a versioned object: " + result.why;
  return result;
}

verdict filter_case(const json::object& record, recorded_case& asked) {
  const auto& name = record.at("request_filter").as_string();
  const auto& expected = record.at("expected").as_object();
  const auto* const filter = std::find_if(nova::request_filters.begin(), nova::request_filters.end(),
                                          [&](const auto& each) { return name == each.name; });
  if (filter == nova::request_filters.end()) return {verdict::not_judged, "names no request filter of Nova's"};
  if (!nova::has_filter(asked.options, *filter)) return differing("the release is said not to have the filter");
  const auto applied = filter->apply(asked.spec, asked.options, asked.lookups);
  if (!applied) return compare_failure(applied.error(), expected);
  if (raises(record)) return differing("did not fail");
  if (*applied != expected.at("ran").as_bool()) return differing(*applied ? "ran" : "did not run");
  nova::write_changes(asked.spec, asked.plain);
  const auto after = unmarked(expected.at("spec_after")).as_object();
  auto result = compare_member(asked.plain, after, "requested_destination");
  if (result.what == verdict::agreed) result = compare_member(asked.plain, after, "request_level_params");
  return result.what == verdict::agreed ? compare_groups_traits(asked.plain, after) : result;
}

verdict compare_outcome(const gantry::Result<nova::ResourceRequest>& request, const json::object& record) {
  const auto& expected = record.at("expected").as_object();
  if (!request) return compare_failure(request.error(), expected);
  if (raises(record)) return differing("asked " + nova::query_string(*request));
  return compare_request(*request, expected);
}

verdict resource_case(const json::object& record, recorded_case& asked) {
  const bool pinning = record.at("enable_pinning_translate").as_bool();
  return compare_outcome(nova::resource_request(asked.spec, asked.options, pinning), record);
}

verdict whole_case(const json::object& record, recorded_case& asked) {
  const bool pinning = record.at("enable_pinning_translate").as_bool();
  auto result =
      compare_outcome(nova::resources_from_request_spec(asked.spec, asked.options, asked.lookups, pinning), record);
  if (result.what != verdict::agreed || raises(record)) return result;
  nova::write_changes(asked.spec, asked.plain);
  const auto after = unmarked(record.at("expected").at("destination_after"));
  return compare_member(asked.plain, {{"requested_destination", after}}, "requested_destination");
}

}  // namespace

verdict check_request_filter(const json::object& record) {
  return check_both(record, filter_case);
}

verdict check_resource_request(const json::object& record) {
  return check_both(record, resource_case);
}

verdict check_resources_from_request_spec(const json::object& record) {
  return check_both(record, whole_case);
}

}  // namespace filter_driver::parity

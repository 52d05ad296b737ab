// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/casts.hpp"

#include <string_view>
#include <utility>

#include "core/encoding/text_rules.hpp"
#include "core/encoding/uuid.hpp"
#include "core/nova/request/plain_object.hpp"

namespace gantry::nova {

namespace {

// As the rows of the databases are judged: what the rows do not bring, a cast does not bring either.
bool is_name(std::string_view text) {
  return fault_of(TextKind::name, text).empty();
}

Error expected_in(std::string_view argument, std::string_view expected) {
  return {
      ErrorCode::invalid_argument, "argument '" + std::string(argument) + "': expected " + std::string(expected), {}};
}

// Returns the objects in an argument: one of Nova's objects, a list object, or a list of objects.
Result<json::array> objects_in(const json::object& args, std::string_view name) {
  constexpr std::string_view expected = "one of Nova's objects or a list of them";
  const auto* given = json::find(args, name);
  if (given == nullptr) return expected_in(name, expected);
  auto plain = plain_object(json::object{{"it", *given}}, "");
  if (!plain) return std::move(plain).error().within("argument '" + std::string(name) + "'");
  auto& value = plain->at("it");
  auto* object = value.if_object();
  auto* list = object == nullptr ? value.if_array() : nullptr;
  if (object != nullptr && object->contains("objects")) list = object->at("objects").if_array();
  json::array objects = list != nullptr ? std::move(*list) : json::array{std::move(value)};
  for (const auto& each : objects) {
    if (!each.is_object()) return expected_in(name, expected);
  }
  return objects;
}

Result<std::string> uuid_in(std::string_view text, std::string_view argument) {
  const auto uuid = parse_uuid(text);
  if (!uuid) return expected_in(argument, "the uuid of an instance");
  return to_text(*uuid);
}

Result<InstanceCast> cast_of_host(const json::object& args) {
  const auto host = json::find_string(args, "host_name");
  if (!host || host->empty() || !is_name(*host)) return expected_in("host_name", "the name of a host");
  return InstanceCast{std::string(*host), {}};
}

Result<void> append(std::string_view text, std::string_view argument, InstanceCast& cast) {
  auto uuid = uuid_in(text, argument);
  if (!uuid) return std::move(uuid).error();
  cast.uuids.push_back(*std::move(uuid));
  return {};
}

Result<fleet::Aggregate> read_aggregate(const json::object& object, std::string_view argument) {
  fleet::Aggregate aggregate;
  aggregate.id = json::find_integer(object, "id").value_or(0);
  aggregate.uuid = json::find_string(object, "uuid").value_or("");
  aggregate.name = json::find_string(object, "name").value_or("");
  if (aggregate.id <= 0) return expected_in(argument, "aggregates with a positive id");
  if (!is_name(aggregate.uuid) || !is_name(aggregate.name))
    return expected_in(argument, "aggregates whose name has at most 255 characters and no control characters");
  if (const auto* hosts = json::find_array(object, "hosts")) {
    for (const auto& host : *hosts) {
      if (const auto* named = host.if_string(); named != nullptr && is_name(*named))
        aggregate.hosts.emplace_back(named->data(), named->size());
    }
  }
  if (const auto* metadata = json::find_object(object, "metadata")) {
    for (const auto& [key, value] : *metadata)
      if (is_name(key)) aggregate.metadata[key] = json::find_string(*metadata, key).value_or("");
  }
  return aggregate;
}

}  // namespace

Result<std::vector<fleet::Aggregate>> read_update_aggregates(const json::object& args) {
  auto objects = objects_in(args, "aggregates");
  if (!objects) return std::move(objects).error();
  std::vector<fleet::Aggregate> aggregates;
  for (const auto& object : *objects) {
    auto aggregate = read_aggregate(object.get_object(), "aggregates");
    if (!aggregate) return std::move(aggregate).error();
    aggregates.push_back(*std::move(aggregate));
  }
  return aggregates;
}

Result<std::int64_t> read_delete_aggregate(const json::object& args) {
  auto objects = objects_in(args, "aggregate");
  if (!objects) return std::move(objects).error();
  if (objects->size() != 1) return expected_in("aggregate", "one aggregate");
  auto aggregate = read_aggregate(objects->front().get_object(), "aggregate");
  if (!aggregate) return std::move(aggregate).error();
  return aggregate->id;
}

Result<InstanceCast> read_update_instance_info(const json::object& args) {
  auto cast = cast_of_host(args);
  if (!cast) return cast;
  auto objects = objects_in(args, "instance_info");
  if (!objects) return std::move(objects).error();
  for (const auto& object : *objects) {
    auto done = append(json::find_string(object.get_object(), "uuid").value_or(""), "instance_info", *cast);
    if (!done) return std::move(done).error();
  }
  return cast;
}

Result<InstanceCast> read_delete_instance_info(const json::object& args) {
  auto cast = cast_of_host(args);
  if (!cast) return cast;
  auto done = append(json::find_string(args, "instance_uuid").value_or(""), "instance_uuid", *cast);
  if (!done) return std::move(done).error();
  return cast;
}

Result<InstanceCast> read_sync_instance_info(const json::object& args) {
  auto cast = cast_of_host(args);
  if (!cast) return cast;
  const auto* uuids = json::find_array(args, "instance_uuids");
  if (uuids == nullptr) return expected_in("instance_uuids", "a list of uuids");
  for (const auto& uuid : *uuids) {
    const auto* text = uuid.if_string();
    auto done = append(text == nullptr ? std::string_view() : std::string_view(text->data(), text->size()),
                       "instance_uuids", *cast);
    if (!done) return std::move(done).error();
  }
  return cast;
}

}  // namespace gantry::nova

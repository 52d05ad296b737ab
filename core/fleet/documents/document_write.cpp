// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/encoding/time.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/tables/report_fields.hpp"

namespace gantry::fleet {

namespace {

// An object of which only what says something is written.
class Written {
 public:
  Written& text(std::string_view key, const std::string& text) {
    if (!text.empty()) object_.emplace(key, text);
    return *this;
  }
  Written& truth(std::string_view key, bool value) {
    if (value) object_.emplace(key, true);
    return *this;
  }
  Written& time(std::string_view key, Nanoseconds time) {
    if (time != 0) object_.emplace(key, exact_time_text(time));
    return *this;
  }
  Written& object(std::string_view key, const json::object& value) {
    if (!value.empty()) object_.emplace(key, value);
    return *this;
  }
  Written& value(std::string_view key, json::value value) {
    object_.emplace(key, std::move(value));
    return *this;
  }
  json::object take() { return std::move(object_); }
  std::string line() const { return json::write(object_); }

 private:
  json::object object_;
};

json::object written(const Service& service) {
  Written shown;
  // No time says "never".
  service.last_seen_up != 0 ? shown.time("last_seen_up", service.last_seen_up) : shown.text("state", "down");
  shown.text("binary", service.binary).truth("disabled", service.disabled);
  shown.text("disabled_reason", service.disabled_reason).truth("forced_down", service.forced_down);
  if (service.report_count != 0) shown.value("report_count", service.report_count);
  return shown.take();
}

// What cannot be read counts as not reported, and no reader of the document would take it.
json::object written(const ComputeNode& node) {
  json::object stats;
  for (const auto& [key, value] : node.stats)
    if (!value.is_null() && expected_of_report(key, value).empty()) stats.emplace(key, value);
  return stats;
}

std::string written(const Instance& instance) {
  Written shown;
  shown.text("uuid", instance.uuid).text("name", instance.name).text("project_id", instance.project_id);
  shown.text("user_id", instance.user_id).text("availability_zone", instance.availability_zone);
  // Empty is not what holds where it is not said.
  shown.value("vm_state", json::value(instance.vm_state));
  shown.text("task_state", instance.task_state).text("fault", instance.fault).object("flavor", instance.flavor);
  shown.text("image", instance.image).object("image_properties", instance.image_properties);
  shown.text("request_id", instance.request_id);
  if (instance.launch_index != 0) shown.value("launch_index", instance.launch_index);
  shown.time("created_at", instance.created_at).time("updated_at", instance.updated_at);
  shown.time("active_at", instance.active_at);
  return shown.line();
}

std::string written(const Claim& claim) {
  json::array items;
  for (const auto& item : claim.items) {
    json::object shown{{"resource", item.resource}, {"amount", item.amount}};
    if (!std::isnan(item.limit)) shown.emplace("limit", item.limit);
    items.push_back(std::move(shown));
  }
  Written shown;
  shown.text("consumer", claim.consumer)
      .text("id", claim.id)
      .time("created_at", claim.created_at)
      .truth("durable", claim.durable);
  shown.truth("cast_waits", claim.cast_waits).text("group", claim.group).value("items", std::move(items));
  return shown.line();
}

std::string written(const Aggregate& aggregate) {
  json::object metadata;
  for (const auto& [key, value] : aggregate.metadata) metadata.emplace(key, value);
  Written shown;
  // A name is required, and Nova's database takes an empty one.
  shown.value("id", aggregate.id).text("uuid", aggregate.uuid).value("name", json::value(aggregate.name));
  shown.object("metadata", metadata);
  shown.value("hosts", json::array(aggregate.hosts.begin(), aggregate.hosts.end()));
  return shown.line();
}

std::string written(const Group& group) {
  Written shown;
  shown.text("uuid", group.uuid).text("name", group.name).text("policy", group.policy).object("rules", group.rules);
  shown.text("project_id", group.project_id).text("user_id", group.user_id);
  shown.value("members", json::array(group.members.begin(), group.members.end()));
  return shown.line();
}

// ,"key":[ and a line for each; nothing where there are none.
template <class Items, class Write>
void append_list(std::string& out, std::string_view key, const Items& items, std::string_view indent,
                 const Write& write) {
  if (items.empty()) return;
  out.append(",\n").append(indent).append("\"").append(key).append("\": [");
  bool first = true;
  for (const auto& item : items) {
    out.append(first ? "\n" : ",\n").append(indent).append("  ");
    write(out, item);
    first = false;
  }
  out.append("]");
}

void append_host(std::string& out, const DocumentHost& host) {
  Written names;
  if (host.topic != "compute") names.text("topic", host.topic);
  names.text("host", host.host).text("node", host.node);
  if (host.service) names.value("service", written(*host.service));
  if (host.capabilities) names.value("capabilities", host.capabilities->capabilities);
  if (host.compute_node) {
    names.time("sampled_at", host.compute_node->sampled_at).time("updated_at", host.compute_node->updated_at);
    names.value("compute_node", written(*host.compute_node));
  }
  auto line = names.line();
  line.pop_back();
  out += line;
  append_list(out, "instances", host.instances, "     ", [](std::string& to, const auto& one) { to += written(one); });
  append_list(out, "claims", host.claims, "     ", [](std::string& to, const auto& one) { to += written(one); });
  out += '}';
}

}  // namespace

std::string write_document(const Document& document) {
  constexpr std::string_view indent = "  ";
  const auto write = [](std::string& to, const auto& one) { to += written(one); };
  std::string out = "{\n  \"format\": \"gantry-fleet/1\"";
  if (document.now != 0) out.append(",\n  \"now\": \"").append(exact_time_text(document.now)).append("\"");
  append_list(out, "hosts", document.hosts, indent, append_host);
  append_list(out, "instances", document.instances, indent, write);
  append_list(out, "aggregates", document.aggregates, indent, write);
  append_list(out, "groups", document.groups, indent, write);
  return out + "\n}\n";
}

}  // namespace gantry::fleet

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/encoding/uuid.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/documents/document_fields.hpp"
#include "core/fleet/records/later_by.hpp"
#include "core/fleet/tables/report_fields.hpp"

namespace gantry::fleet {

namespace {

constexpr std::string_view format = "gantry-fleet/1";
constexpr std::string_view compute = "compute";
constexpr double most_claimed = 9007199254740992;  // whole numbers up to it are exact

class Reader {
 public:
  Reader(Fault& fault, Nanoseconds now) : fault_(fault) { document_.now = now; }

  Document read(Fields& file);

 private:
  DocumentHost read_host(Fields& fields);
  Service read_service(Fields& fields, const DocumentHost& host);
  ComputeNode read_compute_node(Fields& fields, const DocumentHost& host);
  Instance read_instance(Fields& fields);
  Claim read_claim(Fields& fields, const DocumentHost& host);
  void read_aggregate(Fields& fields);
  void read_group(Fields& fields);
  void once(const std::string& what, const std::string& place);
  void join_groups();
  void warn_of_clock(std::size_t at);
  void warn_of_hosts();
  void warn_of_aggregates();

  struct Joining {
    std::string group, uuid, project, place;
  };

  Fault& fault_;
  Document document_;
  std::unordered_map<std::string, std::string> seen_;  // what there may be once, and where it was
  std::vector<Joining> joining_;
};

// A second one is a fault that names both places.
void Reader::once(const std::string& what, const std::string& place) {
  const auto [found, is_new] = seen_.emplace(what, place);
  if (!is_new) fault_.set(place, what + " is at " + found->second + " already; expected it once");
}

Document Reader::read(Fields& file) {
  if (const auto found = file.text("format"); found != format)
    fault_.set("format",
               "expected '" + std::string(format) + "', found " + (found.empty() ? "none" : "'" + found + "'"));
  file.text("note", {}, TextKind::sentence);
  document_.now = file.time("now", document_.now);
  file.each("groups", [this](Fields& fields) { read_group(fields); });
  file.each("hosts", [this](Fields& fields) { document_.hosts.push_back(read_host(fields)); });
  file.each("instances", [this](Fields& fields) { document_.instances.push_back(read_instance(fields)); });
  file.each("aggregates", [this](Fields& fields) { read_aggregate(fields); });
  file.refuse_others();
  if (fault_.is_set()) return {};
  join_groups();
  warn_of_hosts();
  warn_of_aggregates();
  return std::move(document_);
}

DocumentHost Reader::read_host(Fields& fields) {
  DocumentHost host;
  host.topic = fields.text("topic", compute);
  host.host = fields.required_text("host");
  host.node = fields.text("node");
  const auto name = (host.topic == compute ? "" : "topic '" + host.topic + "', ") + "host '" + host.host + "'";
  once(name + (host.node.empty() ? " without a node" : ", node '" + host.node + "'"), fields.place());
  fields.inner("service", [&](Fields& inner) {
    once("the service of " + name, inner.place());
    host.service = read_service(inner, host);
  });
  if (fields.has("capabilities")) {
    once("capabilities of " + name, fields.place_of("capabilities"));
    host.capabilities = Capabilities{host.topic, host.host, fields.object("capabilities"), document_.now};
  }
  const bool is_reported = fields.has("compute_node");
  auto node = read_compute_node(fields, host);
  if (is_reported) host.compute_node = std::move(node);
  fields.each("instances", [&](Fields& inner) {
    auto instance = read_instance(inner);
    instance.host = host.host;
    instance.node = host.node;
    host.instances.push_back(std::move(instance));
  });
  if (host.topic != compute && !host.instances.empty())
    fault_.set(fields.place_of("instances"), "expected none, as the topic is not compute");
  fields.each("claims", [&](Fields& inner) { host.claims.push_back(read_claim(inner, host)); });
  return host;
}

Service Reader::read_service(Fields& fields, const DocumentHost& host) {
  Service service;
  service.topic = host.topic;
  service.host = host.host;
  service.binary = fields.text("binary");
  service.disabled = fields.truth("disabled");
  service.disabled_reason = fields.text("disabled_reason", {}, TextKind::sentence);
  service.forced_down = fields.truth("forced_down");
  service.report_count = static_cast<std::uint64_t>(fields.integer("report_count", 0));
  const auto state = fields.one_of("state", {"up", "down"}, "up");
  if (fields.has("state") && fields.has("last_seen_up"))
    fault_.set(fields.place(), "expected either state or last_seen_up, found both");
  service.last_seen_up = fields.time("last_seen_up", state == "up" ? document_.now : 0);
  return service;
}

ComputeNode Reader::read_compute_node(Fields& fields, const DocumentHost& host) {
  ComputeNode node;
  node.topic = host.topic;
  node.host = host.host;
  node.node = host.node;
  node.sampled_at = fields.time("sampled_at");
  node.updated_at = fields.time("updated_at");
  for (auto& [key, value] : fields.object("compute_node")) {
    if (value.is_null()) continue;
    if (const auto expected = expected_of_agent(key, value); !expected.empty()) {
      fault_.set(member_of(fields.place_of("compute_node"), key), "expected " + std::string(expected) + ", found " +
                                                                      json::write(value).substr(0, 60) + " of host '" +
                                                                      host.host + "'");
    }
    node.stats.emplace(key, std::move(value));
  }
  return node;
}

Instance Reader::read_instance(Fields& fields) {
  Instance instance;
  instance.uuid = fields.required_uuid("uuid");
  once("instance " + instance.uuid, fields.place());
  for (const auto& [key, into] :
       {std::pair{"name", &instance.name}, std::pair{"project_id", &instance.project_id},
        std::pair{"user_id", &instance.user_id}, std::pair{"availability_zone", &instance.availability_zone},
        std::pair{"task_state", &instance.task_state}, std::pair{"image", &instance.image},
        std::pair{"request_id", &instance.request_id}})
    *into = fields.text(key);
  instance.fault = fields.text("fault", {}, TextKind::sentence);
  instance.vm_state = fields.text("vm_state", "active");
  instance.flavor = fields.object("flavor");
  for (const auto& [key, value] : instance.flavor) {
    if (const auto expected = expected_of_flavor(key, value); !expected.empty())
      fault_.set(member_of(fields.place_of("flavor"), key),
                 "expected " + std::string(expected) + ", found " + json::write(value).substr(0, 60));
  }
  instance.image_properties = fields.object("image_properties");
  instance.launch_index = fields.integer("launch_index", std::numeric_limits<std::int64_t>::min());
  instance.created_at = fields.time("created_at");
  instance.updated_at = fields.time("updated_at");
  instance.active_at = fields.time("active_at");
  if (auto group = fields.text("group"); !group.empty())
    joining_.push_back({std::move(group), instance.uuid, instance.project_id, fields.place_of("group")});
  return instance;
}

Claim Reader::read_claim(Fields& fields, const DocumentHost& host) {
  Claim claim;
  claim.consumer = fields.required_text("consumer");
  claim.topic = host.topic;
  claim.host = host.host;
  claim.node = host.node;
  claim.id = fields.text("id");
  claim.durable = fields.truth("durable");
  claim.cast_waits = fields.truth("cast_waits");
  claim.group = fields.text("group");
  claim.created_at = fields.time("created_at", document_.now);
  if (!fields.has("items")) fault_.set(fields.place_of("items"), "missing; expected a list of objects");
  fields.each("items", [&](Fields& inner) {
    ClaimItem item;
    item.resource = inner.required_text("resource");
    if (!inner.has("amount")) fault_.set(inner.place_of("amount"), "missing; expected a number");
    item.amount = inner.number("amount", 0, most_claimed).value_or(0);
    if (const auto limit = inner.number("limit", 0, most_claimed)) item.limit = *limit;
    claim.items.push_back(std::move(item));
  });
  std::string place = "claim of '" + claim.consumer + "' on topic '" + claim.topic + "', host '" + claim.host + "'";
  if (!claim.node.empty()) place += ", node '" + claim.node + "'";
  once(place + (claim.id.empty() ? "" : ", id '" + claim.id + "'"), fields.place());
  return claim;
}

void Reader::read_aggregate(Fields& fields) {
  Aggregate aggregate;
  if (!fields.has("id")) fault_.set(fields.place_of("id"), "missing; expected a whole number of at least 1");
  aggregate.id = fields.integer("id", 1);
  aggregate.uuid = fields.text("uuid");
  if (!fields.has("name")) fault_.set(fields.place_of("name"), "missing; expected text");
  aggregate.name = fields.text("name");
  aggregate.metadata = fields.texts_by_key("metadata");
  aggregate.hosts = fields.texts("hosts");
  once("aggregate " + std::to_string(aggregate.id), fields.place());
  document_.aggregates.push_back(std::move(aggregate));
}

void Reader::read_group(Fields& fields) {
  Group group;
  group.uuid = fields.required_text("uuid");
  group.name = fields.text("name");
  group.project_id = fields.text("project_id");
  group.user_id = fields.text("user_id");
  group.policy =
      fields.one_of("policy", {"affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity", "legacy"}, {});
  group.rules = fields.object("rules");
  group.members = fields.texts("members");
  once("group " + group.uuid, fields.place());
  // Projects may use one name.
  if (!group.name.empty())
    once("group '" + group.name + (group.project_id.empty() ? "'" : "' of project '" + group.project_id + "'"),
         fields.place());
  document_.groups.push_back(std::move(group));
}

// "2 groups are named 'web': 11..., 22...; expected the uuid of one"
std::string several_text(const std::string& name, const std::vector<Group*>& groups) {
  std::string text = std::to_string(groups.size()) + " groups are named '" + name + "'";
  for (const auto* group : groups) text += (group == groups.front() ? ": " : ", ") + group->uuid;
  return text + "; expected the uuid of one";
}

// Returns the one group that is meant: of several with one name, that of the project. nullptr if that is not clear.
Group* meant(const std::vector<Group*>& groups, const std::string& project) {
  if (groups.size() == 1) return groups.front();
  Group* found = nullptr;
  for (auto* group : groups) {
    if (project.empty() || group->project_id != project) continue;
    if (found != nullptr) return nullptr;
    found = group;
  }
  return found;
}

void Reader::join_groups() {
  std::unordered_map<std::string_view, std::vector<Group*>> known;
  for (auto& group : document_.groups)
    if (!group.name.empty()) known[group.name].push_back(&group);
  for (auto& group : document_.groups) known[group.uuid] = {&group};
  std::unordered_map<const Group*, std::set<std::string>> members;
  for (const auto& group : document_.groups) members[&group].insert(group.members.begin(), group.members.end());
  for (const auto& [name, uuid, project, place] : joining_) {
    const auto found = known.find(name);
    if (found == known.end()) return fault_.set(place, "there is no group '" + name + "' in groups");
    auto* const group = meant(found->second, project);
    if (group == nullptr) return fault_.set(place, several_text(name, found->second));
    if (members[group].insert(uuid).second) group->members.push_back(uuid);
  }
}

// Nova compares both sides: such a service is down.
void Reader::warn_of_clock(std::size_t at) {
  const auto& service = document_.hosts[at].service;
  if (!service || service->last_seen_up <= later_by(document_.now, tolerated_clock_skew)) return;
  document_.warnings.push_back(element_of("hosts", at) + ".service.last_seen_up: " +
                               "of the future, from a clock that runs ahead: the service counts as down where that is "
                               "more than service_down_time");
}

void Reader::warn_of_hosts() {
  std::set<std::pair<std::string_view, std::string_view>> with_service;
  for (const auto& host : document_.hosts)
    if (host.service) with_service.emplace(host.topic, host.host);
  for (std::size_t at = 0; at < document_.hosts.size(); ++at) {
    const auto& host = document_.hosts[at];
    warn_of_clock(at);
    if (host.compute_node || with_service.contains({host.topic, host.host})) continue;
    document_.warnings.push_back(element_of("hosts", at) + ": host '" + host.host +
                                 "' has neither service nor compute_node: no driver sees it");
  }
}

void Reader::warn_of_aggregates() {
  std::set<std::string_view> hosts;
  for (const auto& host : document_.hosts)
    if (host.topic == compute) hosts.insert(host.host);
  for (std::size_t at = 0; at < document_.aggregates.size(); ++at) {
    for (const auto& host : document_.aggregates[at].hosts) {
      if (hosts.contains(host)) continue;
      document_.warnings.push_back(element_of("aggregates", at) + ".hosts: there is no host '" + host + "' in hosts");
    }
  }
}

}  // namespace

Result<Document> read_document(std::string_view text, const std::string& source, Nanoseconds now) {
  const auto refused = [&source](const std::string& why) {
    return Error{ErrorCode::invalid_argument, source + ": " + why, {}};
  };
  const auto file = json::parse_object(text, json::stored_depth);
  if (!file) return refused(file.error().message);
  Fault fault;
  Fields fields(*file, {}, fault);
  auto document = Reader(fault, now).read(fields);
  if (fault.is_set()) return refused(fault.text());
  for (auto& warning : document.warnings) warning.insert(0, source + ": ");
  return document;
}

}  // namespace gantry::fleet

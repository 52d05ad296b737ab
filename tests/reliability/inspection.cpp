// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/inspection.hpp"

#include <algorithm>
#include <array>

#include "tests/reliability/client.hpp"

namespace gantry::reliability {

namespace {

using Places = std::map<std::string, std::string>;  // uuid -> host

Places places_of(const json::array& instances, Ledger& ledger) {
  Places places;
  for (const auto& value : instances) {
    const auto& instance = value.as_object();
    const auto uuid = text_of(instance, "uuid");
    const auto host = text_of(instance, "host");
    if (host.empty() != (text_of(instance, "vm_state") == "error"))
      ledger.complain("server " + uuid + " in state " + text_of(instance, "vm_state") + " on host '" + host + "'");
    if (!places.emplace(uuid, host).second) ledger.complain("server " + uuid + " is listed twice");
  }
  return places;
}

// The service made these their uuids: of a call that was sent again there is still one server.
void inspect_named(const json::array& instances, const Ledger::Content& content, Ledger& ledger) {
  std::map<std::string, std::vector<std::string>> found;
  for (const auto& value : instances)
    found[text_of(value.as_object(), "name")].push_back(text_of(value.as_object(), "uuid"));
  for (const auto& [name, uuid] : content.named) {
    const auto& uuids = found[name];
    if (uuids.size() > 1) ledger.doubled("server " + name + " is there " + std::to_string(uuids.size()) + " times");
    if (!uuid.empty()) {
      if (!uuids.empty() && uuids.front() != uuid) ledger.doubled("server " + name + " is there under another uuid");
    } else if (uuids.empty()) {
      ledger.named_boot_never(name);
    } else {
      ledger.named_boot_decided(name, uuids.front());
    }
  }
}

void inspect_server(const Server& server, const Places& places, Ledger& ledger) {
  const auto place = places.find(server.uuid);
  const bool is_there = place != places.end();
  if (server.boot == Boot::unanswered) {
    const auto boot = !is_there ? Boot::never : place->second.empty() ? Boot::failed : Boot::placed;
    return ledger.decide(server.uuid, boot, is_there ? place->second : std::string());
  }
  if (server.boot == Boot::never) {
    if (is_there) ledger.complain("server " + server.uuid + " was not there after a restart and is now");
    return;
  }
  if (server.deletion == Deletion::unanswered)
    return ledger.decide(server.uuid, is_there ? Deletion::none : Deletion::answered);
  if (server.deletion == Deletion::answered) {
    if (is_there) ledger.lost("the deletion of server " + server.uuid + ": it is on '" + place->second + "' again");
    return;
  }
  if (!is_there) return ledger.lost("server " + server.uuid + " on '" + server.host + "'");
  if (place->second != server.host)
    ledger.complain("server " + server.uuid + " was put on '" + server.host + "' and is shown on '" + place->second +
                    "'");
}

// All servers of one call, or none. What was deleted since counts as there.
void inspect_requests(const Ledger::Content& content, Ledger& ledger) {
  std::map<std::size_t, std::set<bool>> requests;
  for (const auto& [uuid, server] : content.servers) requests[server.request].insert(server.boot != Boot::never);
  for (const auto& [request, there] : requests) {
    if (there.size() > 1) ledger.complain("of the servers of call " + std::to_string(request) + " only some are there");
  }
}

void inspect_facts(const std::string& kind, const json::array& list, const Ledger::Content& content, Ledger& ledger) {
  std::map<std::string, std::string> found;
  for (const auto& value : list) found.emplace(text_of(value.as_object(), "name"), shown_fact(kind, value.as_object()));
  for (const auto& [key, fact] : content.facts) {
    if (fact.kind != kind) continue;
    const auto place = found.find(fact.name);
    const FactState now = place == found.end() ? FactState() : FactState(place->second);
    if (std::find(fact.may_be.begin(), fact.may_be.end(), now) == fact.may_be.end()) {
      ledger.lost(kind + " " + fact.name + ": expected '" + fact.may_be.front().value_or("none") + "', found '" +
                  now.value_or("none") + "'");
    }
    ledger.fact(kind, fact.name, {now});
    if (now) found.erase(place);
  }
  for (const auto& [name, state] : found) ledger.complain(kind + " " + name + ", which nobody made");
}

void inspect_members(const json::array& groups, const Ledger::Content& content, Ledger& ledger) {
  std::map<std::string, std::set<std::string>> members;
  for (const auto& value : groups) {
    auto& of_group = members[text_of(value.as_object(), "name")];
    for (const auto& member : value.at("members").as_array()) of_group.emplace(std::string_view(member.as_string()));
  }
  for (const auto& [uuid, server] : content.servers) {
    const auto group = members.find(server.group);
    if (group == members.end()) continue;
    const bool is_member = group->second.contains(uuid);
    if (is_member && server.boot == Boot::never)
      ledger.complain("group " + server.group + " has the member " + uuid + ", which was never booted");
    if (is_member && server.deletion == Deletion::answered)
      ledger.complain("group " + server.group + " has the member " + uuid + ", which was deleted");
    if (!is_member && server.boot != Boot::never && server.deletion == Deletion::none)
      ledger.lost("the membership of server " + uuid + " in group " + server.group);
  }
}

// used: the columns that are held against vcpus, memory_mb and local_gb.
void inspect_room(const json::object& row, const std::array<std::string_view, 3>& used, Ledger& ledger) {
  constexpr std::array<std::string_view, 3> capacities{"vcpus", "memory_mb", "local_gb"};
  for (std::size_t at = 0; at < capacities.size(); ++at) {
    if (json::find_number(row, used[at]).value_or(0) > json::find_number(row, capacities[at]).value_or(0))
      ledger.complain("a host is over its limit of " + std::string(capacities[at]) + ": " + json::write(row));
  }
}

// A report may list a server that has been deleted since, beside the claim of who has its room by now: while there is
// such a one, claims alone bear looking at. What agents are made to run is held against the limits by themselves.
void inspect_hosts(const Shown& shown, Ledger& ledger) {
  std::set<std::string> found;
  for (const auto& value : shown.hosts) {
    const auto& row = value.as_object();
    const auto name = text_of(row, "host");
    found.insert(name);
    inspect_room(row, {"claims.vcpu", "claims.memory_mb", "claims.disk_gb"}, ledger);
    const auto reports = shown.reports.find(name);
    if (reports == shown.reports.end()) continue;
    const auto* stats = json::find_object(row, "report");
    const auto sequence = stats == nullptr ? 0 : json::find_integer(*stats, "sequence").value_or(0);
    const auto answered = reports->second;
    if (sequence < answered)
      ledger.lost("report " + std::to_string(answered) + " of host " + name + ": it shows " + std::to_string(sequence));
  }
  for (const auto& [name, sequence] : shown.reports) {
    if (!found.contains(name)) ledger.lost("host " + name);
  }
}

void inspect_casts(const Server& server, const Ledger::Content& content, Ledger& ledger) {
  std::size_t runs = 0;
  std::size_t ends = 0;
  if (const auto had = content.deliveries.find(server.uuid); had != content.deliveries.end()) {
    for (const auto& delivery : had->second) {
      ++(delivery.method == "run_instance" ? runs : ends);
      if (delivery.host != server.host)
        ledger.complain(delivery.method + " of " + server.uuid + " reached " + delivery.host + " instead of '" +
                        server.host + "'");
    }
  }
  if (server.boot != Boot::placed) {
    if (runs + ends > 0) ledger.complain("casts for " + server.uuid + ", which was never placed");
    return;
  }
  const bool is_deleted = server.deletion != Deletion::none;
  if (!is_deleted && runs == 0) ledger.lost("the cast run_instance of " + server.uuid + " to " + server.host);
  if (is_deleted && ends == 0) ledger.lost("the cast terminate_instance of " + server.uuid + " to " + server.host);
  if (!is_deleted && ends > 0) ledger.complain("server " + server.uuid + " was ended and nobody had asked for it");
}

}  // namespace

void inspect(const Shown& shown, Ledger& ledger) {
  const auto places = places_of(shown.instances, ledger);
  inspect_named(shown.instances, ledger.content(), ledger);
  const auto before = ledger.content();
  for (const auto& [uuid, host] : places) {
    if (!before.servers.contains(uuid)) ledger.complain("server " + uuid + ", which nobody asked for");
  }
  for (const auto& [uuid, server] : before.servers) inspect_server(server, places, ledger);
  const auto content = ledger.content();
  inspect_requests(content, ledger);
  inspect_facts("group", shown.groups, content, ledger);
  inspect_facts("aggregate", shown.aggregates, content, ledger);
  inspect_members(shown.groups, content, ledger);
  inspect_hosts(shown, ledger);
}

void inspect_settled(const Shown& shown, const std::map<std::string, std::set<std::string>>& running, Ledger& ledger) {
  const auto content = ledger.content();
  for (const auto& [uuid, server] : content.servers) inspect_casts(server, content, ledger);
  for (const auto& [uuid, deliveries] : content.deliveries) {
    if (!content.servers.contains(uuid)) ledger.complain("casts for server " + uuid + ", which nobody asked for");
  }
  const auto places = places_of(shown.instances, ledger);
  std::map<std::string, std::set<std::string>> wanted;
  for (const auto& [host, uuids] : running) wanted[host] = {};
  for (const auto& [uuid, host] : places) {
    if (!host.empty()) wanted[host].insert(uuid);
  }
  for (const auto& [host, uuids] : wanted) {
    const auto runs = running.find(host);
    if (runs == running.end() || runs->second != uuids)
      ledger.complain("host " + host + " does not run the servers that are shown on it");
  }
  for (const auto& row : shown.hosts)
    inspect_room(row.as_object(), {"vcpus_used", "memory_mb_used", "local_gb_used"}, ledger);
  for (const auto& claim : shown.claims) ledger.complain("a claim that does not end: " + json::write(claim));
  for (const auto& cast : shown.casts) ledger.complain("a cast that does not arrive: " + json::write(cast));
}

}  // namespace gantry::reliability

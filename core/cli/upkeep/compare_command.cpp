// SPDX-License-Identifier: Apache-2.0
#include "core/cli/upkeep/compare_command.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <string>

#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/encoding/printable.hpp"
#include "core/encoding/time.hpp"

namespace gantry::cli {

namespace {

std::string text_of(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

struct Server {
  std::string name;
  std::string vm_state;
  std::string host;
  std::int64_t changed_at = 0;  // when it became active, or was changed last
};

struct Reports {
  std::map<std::string, std::set<std::string>> hosts_of;  // instance -> the hosts that report it
  std::map<std::string, std::int64_t> listed_at;          // host -> when it said what it runs
  std::set<std::string> silent;                           // hosts that have a service or a report, and said nothing
};

std::int64_t time_of(const json::object& object, std::string_view key) {
  return parse_time(text_of(object, key)).value_or(0);
}

void take_report(const json::object& entry, const std::string& host, Reports& reports) {
  const json::object* node = json::find_object(entry, "compute_node");
  const json::array* listed = node == nullptr ? nullptr : json::find_array(*node, "instances");
  if (listed == nullptr) {
    reports.silent.insert(host);
    return;
  }
  auto& at = reports.listed_at[host];
  at = std::max(at, time_of(entry, "sampled_at"));
  for (const json::value& uuid : *listed)
    if (uuid.is_string()) reports.hosts_of[std::string(uuid.get_string())].insert(host);
}

void take_servers(const json::object& holder, const std::string& host, std::map<std::string, Server>& servers) {
  const json::array* listed = json::find_array(holder, "instances");
  if (listed == nullptr) return;
  for (const json::value& value : *listed) {
    if (!value.is_object()) continue;
    const json::object& instance = value.get_object();
    auto vm_state = text_of(instance, "vm_state");
    if (vm_state == "deleted") continue;
    if (vm_state.empty()) vm_state = "active";
    servers[text_of(instance, "uuid")] = {text_of(instance, "name"), vm_state, host,
                                          std::max(time_of(instance, "active_at"), time_of(instance, "updated_at"))};
  }
}

json::object finding(const std::string& uuid, const Server& server, const std::string& reported_by,
                     const std::string& what) {
  return {{"instance", uuid},    {"name", server.name},        {"vm_state", server.vm_state},
          {"host", server.host}, {"reported_by", reported_by}, {"what", what}};
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const auto& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

// A report that was sampled before the server became active cannot show it.
bool should_be_reported(const Server& server, const Reports& reports) {
  const auto at = reports.listed_at.find(server.host);
  return server.vm_state == "active" && at != reports.listed_at.end() && at->second > server.changed_at;
}

Result<int> compare(Session& session, const Arguments& /*arguments*/) {
  auto answer = session.call("export_fleet", {});
  if (!answer) return std::move(answer).error();
  if (!answer->is_object()) return Error{ErrorCode::internal, "export_fleet: expected an object as answer", ""};
  const json::object compared = compare_fleet(answer->get_object());
  const json::array& findings = compared.at("findings").get_array();
  const int status = findings.empty() ? exit_code::success : exit_code::unsound;
  if (session.format() == OutputFormat::json) {
    print_json(session, compared);
    return status;
  }
  if (!findings.empty() || session.format() == OutputFormat::value)
    print_list(session, findings,
               {{"SERVER", "instance"},
                {"NAME", "name"},
                {"STATUS", "vm_state", true},
                {"HOST", "host"},
                {"REPORTED BY", "reported_by"},
                {"WHAT", "what"}});
  if (session.format() == OutputFormat::value || session.quiet()) return status;
  session.out() << (findings.empty() ? "the same: " : "compared ") << cell_text(&compared.at("servers"))
                << " servers on record, " << cell_text(&compared.at("hosts")) << " hosts that say what they run\n";
  const json::array& silent = compared.at("silent_hosts").get_array();
  if (!silent.empty())
    print_notice(session, std::to_string(silent.size()) +
                              (silent.size() == 1 ? " host has not said what it runs: "
                                                  : " hosts have not said what they run: ") +
                              printable(cell_text(&compared.at("silent_hosts"))));
  return status;
}

}  // namespace

json::object compare_fleet(const json::object& fleet) {
  std::map<std::string, Server> servers;
  Reports reports;
  take_servers(fleet, "", servers);
  if (const json::array* hosts = json::find_array(fleet, "hosts")) {
    for (const json::value& value : *hosts) {
      if (!value.is_object()) continue;
      const json::object& entry = value.get_object();
      const auto topic = text_of(entry, "topic");
      if (!topic.empty() && topic != "compute") continue;
      const auto host = text_of(entry, "host");
      take_report(entry, host, reports);
      take_servers(entry, host, servers);
    }
  }
  json::array findings;
  for (const auto& [uuid, hosts] : reports.hosts_of) {
    const auto known = servers.find(uuid);
    if (known == servers.end()) {
      findings.emplace_back(finding(uuid, {}, joined(hosts), "runs, and is not on record"));
    } else if (!hosts.contains(known->second.host)) {
      findings.emplace_back(finding(uuid, known->second, joined(hosts), "runs on another host"));
    }
  }
  for (const auto& [uuid, server] : servers) {
    if (reports.hosts_of.contains(uuid) || !should_be_reported(server, reports)) continue;
    findings.emplace_back(finding(uuid, server, "", "on record, and its host does not report it"));
  }
  json::array silent;
  for (const auto& host : reports.silent)
    if (!reports.listed_at.contains(host)) silent.emplace_back(host);
  return {{"findings", std::move(findings)},
          {"servers", servers.size()},
          {"hosts", reports.listed_at.size()},
          {"silent_hosts", std::move(silent)}};
}

std::vector<Command> compare_commands() {
  return {
      {.path = "fleet compare",
       .summary = "Compares what hosts report to run with the servers on record",
       .description =
           "Finds servers that a host runs and Gantry has no record of, servers on record that their host does not "
           "report, and those that another host runs. After a restore these are what was created, deleted and moved "
           "since the backup. Room is counted from the reports, so that a server without a record takes its room. "
           "A host without a list `instances` in its report says nothing. The exit status is 0 if both are the "
           "same and 4 if not.",
       .examples = {{"gantry fleet compare", "after gantry restore, once the hosts have reported"},
                    {"gantry -o json fleet compare", "for programs"}},
       .run = compare}};
}

}  // namespace gantry::cli

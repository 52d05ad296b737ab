// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/client.hpp"

#include <chrono>
#include <thread>

#include "core/encoding/uuid.hpp"

namespace gantry::reliability {

namespace {

constexpr std::size_t most_servers = 8;

}  // namespace

std::string fact_of_aggregate(const std::string& name, const std::set<std::string>& hosts,
                              const std::map<std::string, std::string>& metadata) {
  std::string text = name + ", hosts";
  for (const auto& host : hosts) text += " " + host;
  text += ", metadata";
  for (const auto& [key, value] : metadata) text += " " + key + "=" + value;
  return text;
}

std::string fact_of_group(const std::string& name, const std::string& policy) {
  return name + ", " + policy;
}

std::string shown_fact(const std::string& kind, const json::object& shown) {
  if (kind == "group") return fact_of_group(text_of(shown, "name"), text_of(shown, "policy"));
  std::set<std::string> hosts;
  for (const auto& host : shown.at("hosts").as_array()) hosts.emplace(std::string_view(host.as_string()));
  std::map<std::string, std::string> metadata;
  for (const auto& member : shown.at("metadata").as_object())
    metadata.emplace(member.key(), std::string_view(member.value().as_string()));
  return fact_of_aggregate(text_of(shown, "name"), hosts, metadata);
}

Client::Client(std::string name, const std::string& url, CallCounts& counts, Ledger& ledger,
               std::vector<std::string> hosts, std::uint64_t seed)
    : name_(std::move(name)), connection_(url, counts), ledger_(ledger), hosts_(std::move(hosts)), random_(seed) {}

bool Client::chance(int of_a_hundred) {
  return below(100) < static_cast<std::size_t>(of_a_hundred);
}

std::size_t Client::below(std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
}

// Most wait until the daemon is there again, some give up soon.
int Client::patience() {
  return chance(15) ? 1 + static_cast<int>(below(60)) : 30'000;
}

std::string Client::new_name(const std::string& kind) {
  return name_ + "-" + kind + "-" + std::to_string(++names_);
}

json::object Client::spec(const std::vector<std::string>& uuids, const std::string& group) {
  const auto size = static_cast<std::int64_t>(1 + below(2));
  json::object request{
      {"request_spec", json::object{{"instance_uuids", json::array(uuids.begin(), uuids.end())},
                                    {"num_instances", uuids.size()},
                                    {"instance_properties", json::object{{"display_name", name_}}},
                                    {"instance_type", json::object{{"name", "m" + std::to_string(size)},
                                                                   {"vcpus", size},
                                                                   {"memory_mb", size * 512},
                                                                   {"root_gb", size}}}}}};
  if (!group.empty()) request["filter_properties"] = json::object{{"scheduler_hints", json::object{{"group", group}}}};
  return request;
}

// True: there was an answer and it was no, which nothing that a client does here may get.
bool Client::refused(const std::string& what, const Answer& answer) {
  if (answer.ok || answer.silent) return false;
  ledger_.complain(what + " was refused: " + answer.code + ", " + answer.message);
  return true;
}

void Client::step() {
  using Step = void (Client::*)();
  constexpr std::pair<int, Step> steps[] = {
      {20, &Client::boot},        {10, &Client::boot_by_name},   {22, &Client::remove},
      {14, &Client::look},        {10, &Client::select},         {4, &Client::begin_group},
      {2, &Client::end_group},    {4, &Client::begin_aggregate}, {12, &Client::change_aggregate},
      {2, &Client::end_aggregate}};
  int at = static_cast<int>(below(100));
  for (const auto& [weight, step] : steps) {
    at -= weight;
    if (at >= 0) continue;
    (this->*step)();
    break;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(below(6)));
}

void Client::boot() {
  if (servers_.size() >= most_servers) return remove();
  std::vector<std::string> uuids;
  for (std::size_t left = chance(25) ? 2 + below(2) : 1; left > 0; --left) uuids.push_back(to_text(random_uuid()));
  const std::string group = !groups_.empty() && chance(30) ? groups_[below(groups_.size())].name : std::string();
  ledger_.boot_asked(uuids, group);
  const auto answer = connection_.ask("schedule_run_instance", spec(uuids, group), patience());
  if (refused("schedule_run_instance", answer) || !answer.ok) return;
  const auto& instances = answer.result.at("instances").as_array();
  bool whole = instances.size() == uuids.size();
  for (std::size_t at = 0; whole && at < uuids.size(); ++at)
    whole = text_of(instances[at].as_object(), "uuid") == uuids[at];
  if (!whole) return ledger_.complain("an answer for other servers than were asked for: " + json::write(instances));
  ledger_.boot_answered(instances);
  for (const auto& instance : instances)
    servers_.push_back({text_of(instance.as_object(), "uuid"), text_of(instance.as_object(), "host")});
}

void Client::boot_by_name() {
  if (servers_.size() >= most_servers) return remove();
  const auto name = new_name("server");
  auto args = spec({}, {});
  auto& request = args["request_spec"].as_object();
  request.erase("instance_uuids");
  request["num_instances"] = 1;
  request["instance_properties"] = json::object{{"display_name", name}};
  ledger_.named_boot_asked(name);
  const auto answer = connection_.ask("schedule_run_instance", args, patience());
  if (refused("schedule_run_instance", answer) || !answer.ok) return;
  const auto& instances = answer.result.at("instances").as_array();
  if (instances.size() != 1) return ledger_.complain("one server was asked for: " + json::write(instances));
  const auto uuid = text_of(instances[0].as_object(), "uuid");
  ledger_.named_boot_decided(name, uuid);
  ledger_.boot_answered(instances);
  servers_.push_back({uuid, text_of(instances[0].as_object(), "host")});
}

void Client::remove() {
  if (servers_.empty()) return;
  const auto at = servers_.begin() + static_cast<std::ptrdiff_t>(below(servers_.size()));
  const auto uuid = at->uuid;
  servers_.erase(at);
  ledger_.deletion_asked(uuid);
  const auto answer = connection_.ask("delete_instance", {{"instance", uuid}}, patience());
  if (refused("delete_instance of " + uuid, answer) || !answer.ok) return;
  ledger_.deletion_answered(uuid);
}

// What has been answered is there whenever one looks.
void Client::look() {
  if (servers_.empty()) return;
  const auto& mine = servers_[below(servers_.size())];
  const auto answer = connection_.ask("show_instance", {{"instance", mine.uuid}}, patience());
  if (answer.silent) return;
  if (!answer.ok) return ledger_.lost("server " + mine.uuid + " on " + mine.host + ": " + answer.message);
  const auto host = text_of(answer.result.as_object(), "host");
  if (host != mine.host)
    ledger_.complain("server " + mine.uuid + " was put on " + mine.host + " and is shown on " + host);
}

void Client::select() {
  const auto uuid = to_text(random_uuid());
  const auto answer = connection_.ask("select_destinations", spec({uuid}, {}), patience());
  if (!answer.ok) {
    if (answer.code != "no_valid_host") refused("select_destinations", answer);
    return;
  }
  if (chance(6)) return;  // left to end by its age
  const auto released = connection_.ask("release_claims", {{"instance_uuid", uuid}}, patience());
  refused("release_claims", released);
}

void Client::begin_group() {
  const auto name = new_name("group");
  Group group{name, fact_of_group(name, "soft-anti-affinity")};
  ledger_.fact("group", group.name, {std::nullopt, group.state});
  const auto answer =
      connection_.ask("create_group", {{"name", group.name}, {"policy", "soft-anti-affinity"}}, patience());
  if (refused("create_group", answer) || !answer.ok) return;
  ledger_.fact("group", group.name, {group.state});
  groups_.push_back(std::move(group));
}

void Client::end_group() {
  if (groups_.empty()) return;
  const auto group = groups_.back();
  groups_.pop_back();
  ledger_.fact("group", group.name, {group.state, std::nullopt});
  const auto answer = connection_.ask("delete_group", {{"group", group.name}}, patience());
  if (refused("delete_group", answer) || !answer.ok) return;
  ledger_.fact("group", group.name, {std::nullopt});
}

void Client::begin_aggregate() {
  Aggregate aggregate{new_name("rack"), {}, {{"made_by", name_}}};
  const auto state = fact_of_aggregate(aggregate.name, aggregate.hosts, aggregate.metadata);
  ledger_.fact("aggregate", aggregate.name, {std::nullopt, state});
  const auto answer = connection_.ask(
      "create_aggregate", {{"name", aggregate.name}, {"metadata", json::object{{"made_by", name_}}}}, patience());
  if (refused("create_aggregate", answer) || !answer.ok) return;
  ledger_.fact("aggregate", aggregate.name, {state});
  aggregates_.push_back(std::move(aggregate));
}

void Client::change_aggregate() {
  if (aggregates_.empty()) return begin_aggregate();
  const auto at = below(aggregates_.size());
  auto changed = aggregates_[at];
  const auto before = fact_of_aggregate(changed.name, changed.hosts, changed.metadata);
  const auto& host = hosts_[below(hosts_.size())];
  std::string method = "update_aggregate";
  json::object args{{"aggregate", changed.name}};
  if (chance(30)) {
    changed.metadata["turn"] = std::to_string(random_());
    args["metadata"] = json::object{{"turn", changed.metadata["turn"]}};
  } else {
    args["host"] = host;
    const bool is_in = changed.hosts.erase(host) != 0;
    if (!is_in) changed.hosts.insert(host);
    method = is_in ? "remove_aggregate_host" : "add_aggregate_host";
  }
  const auto after = fact_of_aggregate(changed.name, changed.hosts, changed.metadata);
  ledger_.fact("aggregate", changed.name, {before, after});
  const auto answer = connection_.ask(method, args, patience());
  if (refused(method, answer) || !answer.ok) {
    aggregates_.erase(aggregates_.begin() + static_cast<std::ptrdiff_t>(at));
    return;
  }
  ledger_.fact("aggregate", changed.name, {after});
  aggregates_[at] = std::move(changed);
}

void Client::end_aggregate() {
  if (aggregates_.empty()) return;
  const auto last = std::move(aggregates_.back());
  aggregates_.pop_back();
  ledger_.fact("aggregate", last.name, {fact_of_aggregate(last.name, last.hosts, last.metadata), std::nullopt});
  const auto answer = connection_.ask("delete_aggregate", {{"aggregate", last.name}, {"force", true}}, patience());
  if (refused("delete_aggregate", answer) || !answer.ok) return;
  ledger_.fact("aggregate", last.name, {std::nullopt});
}

}  // namespace gantry::reliability

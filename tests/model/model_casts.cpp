// SPDX-License-Identifier: Apache-2.0
//
// Claims as they are listed, and casts from their first sight to their acknowledgement.
#include <algorithm>

#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

constexpr std::chrono::seconds redelivery{30};
constexpr std::chrono::seconds doubt{2};  // about when exactly a cast was handed out

json::object shown(const ClaimName& name, const ClaimFact& claim) {
  json::array items;
  const auto add = [&](const char* resource, double amount) {
    const auto limit = json::find_number(claim.limits, resource);
    items.push_back(json::object{
        {"resource", resource}, {"amount", amount}, {"limit", limit ? json::value(*limit) : json::value(nullptr)}});
  };
  add("vcpu", claim.amounts.vcpu);
  add("memory_mb", claim.amounts.memory_mb);
  add("disk_gb", claim.amounts.disk_gb);
  add("instances", 1);
  return {{"consumer", std::get<0>(name)},
          {"topic", "compute"},
          {"host", std::get<1>(name)},
          {"node", std::get<2>(name)},
          {"id", ""},
          {"items", std::move(items)},
          {"durable", claim.durable},
          {"cast_waits", claim.cast_waits}};
}

Complaint list_claims(Model& model, const Asked&, const Reply& reply) {
  json::array expected;
  for (const auto& [name, claim] : model.claims) expected.push_back(shown(name, claim));
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  json::array found;
  for (const auto& claim : reply->get_array()) found.push_back(without(claim.as_object(), {"created_at"}));
  return expect_same(found, expected);
}

Complaint release_claims(Model& model, const Asked& asked, const Reply& reply) {
  const auto released = model.release_all(text(asked.args, "instance_uuid"));
  return expect_answer(reply, json::object{{"released", released}});
}

json::object shown(const CastFact& cast) {
  return {{"topic", "compute"},    {"host", cast.host},         {"node", cast.node},
          {"method", cast.method}, {"consumer", cast.consumer}, {"attempts", cast.attempts}};
}

// As a list shows it.
json::object listed(const CastFact& cast) {
  auto item = shown(cast);
  item["instance"] = cast.instance.empty() ? json::value(nullptr) : json::value(cast.instance);
  return item;
}

// Casts that the service has made since are seen here for the first time.
Complaint list_casts(Model& model, const Asked&, const Reply& reply) {
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  std::set<std::string> seen;
  for (const auto& item : reply->get_array()) {
    const auto id = text(item.as_object(), "id");
    const auto found = without(item.as_object(), {"id", "created_at", "age", "handed_out_at"});
    if (!seen.insert(id).second) return "cast " + id + " is listed twice";
    if (!model.casts.contains(id)) {
      const auto made = std::find_if(model.unseen_casts.begin(), model.unseen_casts.end(),
                                     [&](const CastFact& cast) { return expect_same(found, listed(cast)).empty(); });
      if (made == model.unseen_casts.end()) return "a cast that nobody caused: " + json::write(item);
      model.casts[id] = *made;
      model.unseen_casts.erase(made);
    } else if (auto complaint = expect_same(found, listed(model.casts.at(id))); !complaint.empty()) {
      return complaint;
    }
  }
  for (const auto& [id, cast] : model.casts) {
    if (!seen.contains(id)) return "cast " + id + " for " + cast.host + " is lost";
  }
  return model.unseen_casts.empty() ? Complaint() : "a cast for " + model.unseen_casts.front().host + " was not made";
}

Complaint judge_received(Model& model, const json::object& item, const std::set<std::string>& hosts,
                         std::chrono::steady_clock::time_point began) {
  const auto known = model.casts.find(text(item, "id"));
  if (known == model.casts.end() || !hosts.contains(known->second.host)) {
    return "a cast that does not wait there: " + json::write(item);
  }
  auto& cast = known->second;
  if (cast.handed_out && began - *cast.handed_out < redelivery - doubt) return "a cast twice within its time";
  ++cast.attempts;
  cast.handed_out = std::chrono::steady_clock::now();
  const auto* args = json::find_object(item, "args");
  if (args == nullptr || text(*args, "instance_uuid") != cast.instance) {
    return "expected a cast about instance " + cast.instance + ", found " + json::write(item);
  }
  auto expected = shown(cast);
  expected.erase("consumer");
  return expect_same(without(item, {"id", "created_at", "args"}), expected);
}

Complaint receive_casts(Model& model, const Asked& asked, const Reply& reply) {
  std::set<std::string> hosts;
  if (const auto* list = json::find_array(asked.args, "hosts")) {
    for (const auto& host : *list) hosts.emplace(std::string_view(host.as_string()));
  } else if (!asked.args.contains("host")) {
    return expect_error(reply, ErrorCode::invalid_argument);
  } else {
    hosts.insert(text(asked.args, "host"));
  }
  if (!reply || !reply->is_array()) return "expected casts, found " + text_of(reply);
  const auto limit = static_cast<std::size_t>(json::find_integer(asked.args, "limit").value_or(16));
  std::size_t due = 0;
  for (const auto& [id, cast] : model.casts) {
    const bool is_due = !cast.handed_out || asked.began - *cast.handed_out > redelivery + doubt;
    if (hosts.contains(cast.host) && is_due) ++due;
  }
  const auto count = reply->get_array().size();
  if (count > limit || count < std::min(limit, due)) {
    return "expected " + std::to_string(std::min(limit, due)) + " casts, found " + std::to_string(count);
  }
  for (const auto& item : reply->get_array()) {
    auto complaint = judge_received(model, item.as_object(), hosts, asked.began);
    if (!complaint.empty()) return complaint;
  }
  return {};
}

// Claims wait for the last cast of their instance.
Complaint acknowledge_cast(Model& model, const Asked& asked, const Reply& reply) {
  const auto known = model.casts.find(text(asked.args, "id"));
  if (known != model.casts.end()) {
    const auto consumer = known->second.consumer;
    model.casts.erase(known);
    if (!consumer.empty() && model.casts_of(consumer).empty()) {
      for (const auto& name : model.claims_of(consumer)) model.claims.at(name).cast_waits = false;
    }
  }
  return expect_answer(reply, json::object());
}

}  // namespace

void add_cast_rules(std::map<std::string, Model::Rule>& rules) {
  rules["list_claims"] = list_claims;
  rules["release_claims"] = release_claims;
  rules["list_casts"] = list_casts;
  rules["receive_casts"] = receive_casts;
  rules["acknowledge_cast"] = acknowledge_cast;
}

}  // namespace gantry::model

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/model/model.hpp"

namespace gantry::model {

namespace {

TopicHost name_in(const json::object& args) {
  return {text(args, "topic"), text(args, "host")};
}

json::object shown(const TopicHost& name, const ServiceFact& service) {
  return {{"topic", name.first},
          {"host", name.second},
          {"binary", service.binary},
          {"status", service.disabled ? "disabled" : "enabled"},
          {"state", service.is_up() ? "up" : "down"},
          {"disabled_reason", service.reason},
          {"forced_down", service.forced_down},
          {"report_count", service.reports}};
}

Complaint expect_service(const Reply& reply, const json::object& expected) {
  if (!reply || !reply->is_object()) return "expected a service, found " + text_of(reply);
  return expect_same(without(reply->get_object(), {"last_seen_up"}), expected);
}

Complaint service_register(Model& model, const Asked& asked, const Reply& reply) {
  auto& service = model.services[name_in(asked.args)];
  if (asked.args.contains("binary")) service.binary = text(asked.args, "binary");
  ++service.reports;
  return expect_service(reply, shown(name_in(asked.args), service));
}

// A rule for what must know the service and then changes it.
template <class Change>
Model::Rule change(Change apply, bool shows) {
  return [apply, shows](Model& model, const Asked& asked, const Reply& reply) -> Complaint {
    const auto found = model.services.find(name_in(asked.args));
    if (found == model.services.end()) return expect_error(reply, ErrorCode::not_found);
    apply(found->second, asked.args);
    return shows ? expect_service(reply, shown(found->first, found->second)) : expect_answer(reply, json::object());
  };
}

Complaint remove_service(Model& model, const Asked& asked, const Reply& reply) {
  if (model.services.erase(name_in(asked.args)) == 0) return expect_error(reply, ErrorCode::not_found);
  return expect_answer(reply, json::object());
}

Complaint list_services(Model& model, const Asked& asked, const Reply& reply) {
  json::array expected;
  for (const auto& [name, service] : model.services) {
    if (asked.args.contains("topic") && name.first != text(asked.args, "topic")) continue;
    if (asked.args.contains("host") && name.second != text(asked.args, "host")) continue;
    expected.push_back(shown(name, service));
  }
  if (!reply || !reply->is_array()) return "expected a list, found " + text_of(reply);
  json::array found;
  for (const auto& item : reply->get_array()) found.push_back(without(item.as_object(), {"last_seen_up"}));
  return expect_same(found, expected);
}

Complaint hosts_up(Model& model, const Asked& asked, const Reply& reply) {
  const auto topic = text(asked.args, "topic");
  json::array expected;
  bool is_known = topic == "compute";
  for (const auto& row : model.rows(topic)) is_known = is_known || !row.name.host.empty();
  for (const auto& [name, service] : model.services) {
    if (name.first == topic && service.is_up() && !service.disabled) expected.emplace_back(name.second);
  }
  // A topic whose last host is gone is known until the service starts anew.
  if (!is_known && !reply) return expect_error(reply, ErrorCode::not_found);
  return expect_answer(reply, expected);
}

}  // namespace

void add_service_rules(std::map<std::string, Model::Rule>& rules) {
  rules["service_register"] = service_register;
  rules["report_state"] = change([](ServiceFact& service, const json::object&) { ++service.reports; }, false);
  rules["enable_service"] = change(
      [](ServiceFact& service, const json::object&) {
        service.disabled = false;
        service.reason.clear();
      },
      true);
  rules["disable_service"] = change(
      [](ServiceFact& service, const json::object& args) {
        service.disabled = true;
        service.reason = text(args, "reason");
      },
      true);
  rules["force_down_service"] = change(
      [](ServiceFact& service, const json::object& args) {
        service.forced_down = json::find_bool(args, "forced_down").value_or(true);
      },
      true);
  rules["remove_service"] = remove_service;
  rules["list_services"] = list_services;
  rules["hosts_up"] = hosts_up;
}

}  // namespace gantry::model

// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/neutron.hpp"

#include <algorithm>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/nova/http/configured_login.hpp"
#include "core/nova/request/failure.hpp"

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds patience{60};
constexpr std::string_view invalid_network = "InvalidRoutedNetworkConfiguration";

// Returns the member `name` of a body that is an object. nullopt: the answer is another one.
std::optional<json::value> member_of(const HttpOutcome& outcome, std::string_view name) {
  if (!outcome.is_answered() || outcome.status != 200) return std::nullopt;
  auto body = json::parse_object(outcome.body);
  if (!body) return std::nullopt;
  auto* const member = body->if_contains(name);
  return member == nullptr ? std::nullopt : std::optional(std::move(*member));
}

Error not_asked(const HttpOutcome& outcome) {
  const auto reason =
      outcome.is_answered() ? "answered " + std::to_string(outcome.status) : "cannot be asked: " + outcome.reason;
  return {ErrorCode::unavailable, "Neutron " + reason, {}};
}

PortFacts facts_of(const json::object& port) {
  PortFacts facts;
  facts.network_id = std::string(json::find_string(port, "network_id").value_or(""));
  facts.is_remote_managed = json::find_string(port, "binding:vnic_type") == "remote-managed";
  const auto* addresses = json::find_array(port, "fixed_ips");
  if (addresses != nullptr && !addresses->empty() && addresses->front().is_object()) {
    if (const auto subnet = json::find_string(addresses->front().get_object(), "subnet_id"))
      facts.subnet_id = std::string(*subnet);
  }
  return facts;
}

}  // namespace

Result<std::unique_ptr<Neutron>> Neutron::make(const config::NovaServiceSettings& settings, PlacementDesk& placement) {
  if (settings.auth_type.empty()) return std::unique_ptr<Neutron>();
  std::unique_ptr<Neutron> neutron(new Neutron(placement));
  Result<void> made;
  neutron->thread_.run([&neutron, &settings, &made] {
    const auto& strand = neutron->thread_.strand();
    neutron->timers_ = std::make_unique<AsioTimers>(strand);
    auto login = configured_login(strand, *neutron->timers_, settings, "neutron", "network");
    if (!login) {
      made = std::move(login).error();
      return;
    }
    neutron->login_ = std::move(login->login);
    neutron->client_ = std::make_unique<ServiceClient>(strand, *neutron->login_, login->http);
  });
  if (!made) return std::move(made).error();
  return neutron;
}

Neutron::~Neutron() {
  thread_.run([this] {
    client_.reset();
    login_.reset();
  });
}

HttpOutcome Neutron::get(const std::string& target) const {
  return thread_.wait<HttpOutcome>([this, target](auto done) {
    client_->send({"GET", target, {{"Accept", "application/json"}}, {}}, Clock::now() + patience, std::move(done));
  });
}

Result<PortFacts> Neutron::port(const std::string& id) const {
  const auto outcome = get("/v2.0/ports/" + id);
  if (const auto port = member_of(outcome, "port"); port && port->is_object()) return facts_of(port->get_object());
  if (outcome.is_answered() && outcome.status == 404)
    return raised("PortNotFound", "Port id " + id + " could not be found.");
  return not_asked(outcome);
}

Result<bool> Neutron::has_segments() const {
  const auto outcome = get("/v2.0/extensions/segment");
  if (outcome.is_answered() && outcome.status == 404) return false;
  if (member_of(outcome, "extension")) return true;
  return not_asked(outcome);
}

Result<std::vector<std::string>> Neutron::segments_of_network(const std::string& id) const {
  const auto has = has_segments();
  if (!has) return has.error();
  std::vector<std::string> segments;
  if (!*has) return segments;
  const auto outcome = get("/v2.0/subnets?network_id=" + id + "&fields=segment_id");
  const auto subnets = member_of(outcome, "subnets");
  if (!subnets || !subnets->is_array()) {
    if (!outcome.is_answered()) return not_asked(outcome);
    return raised(invalid_network, "Failed to get segment IDs for network " + id);
  }
  for (const auto& subnet : subnets->get_array()) {
    if (!subnet.is_object()) continue;
    if (const auto segment = json::find_string(subnet.get_object(), "segment_id")) segments.emplace_back(*segment);
  }
  return segments;
}

Result<std::optional<std::string>> Neutron::segment_of_subnet(const std::string& id) const {
  const auto has = has_segments();
  if (!has) return has.error();
  std::optional<std::string> segment;
  if (!*has) return segment;
  const auto outcome = get("/v2.0/subnets/" + id);
  const auto subnet = member_of(outcome, "subnet");
  if (!subnet || !subnet->is_object()) {
    if (!outcome.is_answered()) return not_asked(outcome);
    return raised(invalid_network, "Subnet " + id + " not found");
  }
  if (const auto found = json::find_string(subnet->get_object(), "segment_id")) segment = std::string(*found);
  return segment;
}

Result<std::vector<std::string>> Neutron::aggregates_of_segment(const std::string& id) const {
  return placement_.aggregates_of(id, Clock::now() + patience);
}

}  // namespace gantry::nova

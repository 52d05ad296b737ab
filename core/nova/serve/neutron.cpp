// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/neutron.hpp"

#include <algorithm>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/nova/http/configured_login.hpp"
#include "core/nova/http/http_address.hpp"
#include "core/nova/request/failure.hpp"

namespace gantry::nova {

namespace {

constexpr std::chrono::seconds longest_patience{60};
constexpr std::size_t quoted_bytes = 300;
constexpr std::string_view invalid_network = "InvalidRoutedNetworkConfiguration";

Error unexpected(const std::string& target, const std::string& expected, const std::string& found) {
  return {ErrorCode::unavailable, "Neutron, GET " + target + ": expected " + expected + ", found " + found, {}};
}

// Neutron's own words for a failure. Empty: the answer has none.
struct NeutronError {
  std::string type;
  std::string message;
};

NeutronError read_neutron_error(const HttpOutcome& outcome) {
  const auto body = json::parse_object(outcome.body);
  const auto* error = body ? json::find_object(*body, "NeutronError") : nullptr;
  if (error == nullptr) return {};
  return {std::string(json::find_string(*error, "type").value_or("")),
          std::string(json::find_string(*error, "message").value_or("").substr(0, quoted_bytes))};
}

// Neutron has taken the question and its asker, and refuses to answer.
bool is_refusal(const HttpOutcome& outcome) {
  return outcome.is_answered() && outcome.status != 200 && outcome.status != 401 && outcome.status != 403;
}

Error not_answered(const std::string& target, const HttpOutcome& outcome) {
  const std::string expected = "an answer 200";
  if (!outcome.is_answered()) return unexpected(target, expected, "none: " + outcome.reason);
  const auto words = read_neutron_error(outcome).message;
  auto error =
      unexpected(target, expected, "status " + std::to_string(outcome.status) + (words.empty() ? "" : ": " + words));
  return outcome.status == 403 ? raised("Forbidden", std::move(error.message)) : error;
}

// Returns the member of an answer 200.
Result<json::value> member_of(const std::string& target, const HttpOutcome& outcome, std::string_view name,
                              boost::json::kind kind) {
  if (!outcome.is_answered() || outcome.status != 200) return not_answered(target, outcome);
  auto body = json::parse_object(outcome.body);
  if (!body) return unexpected(target, "a JSON object", "another body: " + body.error().message);
  auto* const member = body->if_contains(name);
  const std::string expected = std::string(name) + (kind == boost::json::kind::array ? " as a list" : " as an object");
  if (member == nullptr) return unexpected(target, expected, "none");
  if (member->kind() != kind) return unexpected(target, expected, std::string(json::type_name(*member)));
  return std::move(*member);
}

// Returns the member if it is text. nullopt: it is null or absent.
Result<std::optional<std::string>> optional_text(const std::string& target, const json::value& holder,
                                                 std::string_view name) {
  const auto expected = "an object with " + std::string(name) + " as text";
  if (!holder.is_object()) return unexpected(target, expected, std::string(json::type_name(holder)));
  const auto* member = json::find(holder.get_object(), name);
  if (member == nullptr) return std::optional<std::string>();
  if (!member->is_string()) return unexpected(target, expected, std::string(json::type_name(*member)));
  return std::optional<std::string>(std::string_view(member->get_string()));
}

Result<PortFacts> facts_of(const std::string& target, const json::value& port) {
  auto network = optional_text(target, port, "network_id");
  if (!network) return std::move(network).error();
  if (!*network || (*network)->empty()) return unexpected(target, "a port with network_id", "none");
  PortFacts facts{**std::move(network), std::nullopt,
                  json::find_string(port.get_object(), "binding:vnic_type") == "remote-managed"};
  const auto* addresses = json::find(port.get_object(), "fixed_ips");
  if (addresses == nullptr) return facts;
  if (!addresses->is_array())
    return unexpected(target, "fixed_ips as a list", std::string(json::type_name(*addresses)));
  if (addresses->get_array().empty()) return facts;
  auto subnet = optional_text(target, addresses->get_array().front(), "subnet_id");
  if (!subnet) return std::move(subnet).error();
  if (!*subnet || (*subnet)->empty()) return unexpected(target, "a fixed address with subnet_id", "none");
  facts.subnet_id = *std::move(subnet);
  return facts;
}

}  // namespace

Neutron::Neutron(PlacementDesk& placement, std::chrono::seconds timeout)
    : placement_(placement), patience_(std::min(longest_patience, timeout)) {}

Result<std::unique_ptr<Neutron>> Neutron::make(const config::NovaServiceSettings& settings, PlacementDesk& placement) {
  if (settings.auth_type.empty()) return std::unique_ptr<Neutron>();
  std::unique_ptr<Neutron> neutron(new Neutron(placement, settings.timeout));
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

HttpOutcome Neutron::get(const std::string& target, Clock::time_point deadline) const {
  return thread_.wait<HttpOutcome>([this, &target, deadline](auto done) {
    client_->send({"GET", target, {{"Accept", "application/json"}}, {}}, deadline, std::move(done));
  });
}

Result<PortFacts> Neutron::port(const std::string& id) const {
  const auto target = "/v2.0/ports/" + part_of_target(id);
  const auto outcome = get(target, Clock::now() + patience_);
  // A wrong endpoint answers 404, too: Neutron's own words count.
  if (is_refusal(outcome) && outcome.status == 404 && read_neutron_error(outcome).type == "PortNotFound")
    return raised("PortNotFound", "Port id " + id + " could not be found.", {{"port_id", id}});
  const auto port = member_of(target, outcome, "port", boost::json::kind::object);
  if (!port) return port.error();
  return facts_of(target, *port);
}

// Reads the list, as Nova does: a 404 for the one extension is also what a wrong endpoint answers.
Result<bool> Neutron::has_segments(Clock::time_point deadline) const {
  const std::string target = "/v2.0/extensions";
  const auto extensions = member_of(target, get(target, deadline), "extensions", boost::json::kind::array);
  if (!extensions) return extensions.error();
  return std::ranges::any_of(extensions->get_array(), [](const json::value& extension) {
    return extension.is_object() && json::find_string(extension.get_object(), "alias") == "segment";
  });
}

Result<std::vector<std::string>> Neutron::segments_of_network(const std::string& id) const {
  const auto deadline = Clock::now() + patience_;
  const auto has = has_segments(deadline);
  if (!has) return has.error();
  std::vector<std::string> segments;
  if (!*has) return segments;
  const auto target = "/v2.0/subnets?network_id=" + part_of_target(id) + "&fields=segment_id";
  const auto outcome = get(target, deadline);
  if (is_refusal(outcome)) return raised(invalid_network, "Failed to get segment IDs for network " + id);
  const auto subnets = member_of(target, outcome, "subnets", boost::json::kind::array);
  if (!subnets) return subnets.error();
  for (const auto& subnet : subnets->get_array()) {
    auto segment = optional_text(target, subnet, "segment_id");
    if (!segment) return std::move(segment).error();
    if (*segment) segments.push_back(**std::move(segment));
  }
  return segments;
}

Result<std::optional<std::string>> Neutron::segment_of_subnet(const std::string& id) const {
  const auto deadline = Clock::now() + patience_;
  const auto has = has_segments(deadline);
  if (!has) return has.error();
  if (!*has) return std::optional<std::string>();
  const auto target = "/v2.0/subnets/" + part_of_target(id);
  const auto outcome = get(target, deadline);
  if (is_refusal(outcome)) return raised(invalid_network, "Subnet " + id + " not found");
  const auto subnet = member_of(target, outcome, "subnet", boost::json::kind::object);
  if (!subnet) return subnet.error();
  return optional_text(target, *subnet, "segment_id");
}

Result<std::vector<std::string>> Neutron::aggregates_of_segment(const std::string& id) const {
  return placement_.aggregates_of(id, Clock::now() + longest_patience);
}

}  // namespace gantry::nova

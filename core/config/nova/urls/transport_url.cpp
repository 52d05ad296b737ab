// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/urls/transport_url.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/config/nova/urls/url_text.hpp"

namespace gantry::config::nova {

namespace {

Error refused_url(const std::string& expected) {
  return {ErrorCode::invalid_configuration, "transport_url: expected " + expected, ""};
}

struct Halves {
  std::string_view front;
  std::optional<std::string_view> back;
};

Halves split_at(std::string_view text, std::size_t position) {
  if (position == std::string_view::npos) return {text, std::nullopt};
  return {text.substr(0, position), text.substr(position + 1)};
}

Result<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0)
    return refused_url("a port from 1 to 65535, found '" + std::string(text) + "'");
  return port;
}

// A part between two commas: user:password@host:port, of which all but the host may be absent.
Result<Broker> broker_of(std::string_view text) {
  Broker broker;
  std::string_view host = text;
  if (const auto at = text.rfind('@'); at != std::string_view::npos) {
    const auto login = split_at(text.substr(0, at), text.substr(0, at).find(':'));
    // An empty name or password is as good as none for the client of Python.
    if (!login.front.empty()) broker.user = percent_decoded(login.front);
    if (!login.back.value_or("").empty()) broker.password = percent_decoded(*login.back);
    host = text.substr(at + 1);
  }
  std::optional<std::string_view> port;
  if (host.starts_with('[')) {
    const auto address = split_at(host.substr(1), host.substr(1).find(']'));
    if (!address.back) return refused_url("']' after an IPv6 address");
    broker.host = address.front;
    port = split_at(*address.back, address.back->find(':')).back;
  } else {
    const auto named = split_at(host, host.find(':'));
    broker.host = named.front;
    port = named.back;
  }
  if (broker.host.empty()) broker.host = "localhost";
  if (!port || port->empty()) return broker;
  auto number = port_of(*port);
  if (!number) return number.error();
  broker.port = *number;
  return broker;
}

// Whether oslo.messaging speaks to RabbitMQ for this scheme.
bool is_rabbit(std::string_view scheme) {
  constexpr std::array<std::string_view, 4> known{"rabbit", "kombu+rabbit", "kombu+amqp", "kombu+pyamqp"};
  return std::find(known.begin(), known.end(), scheme) != known.end();
}

}  // namespace

Result<TransportUrl> parse_transport_url(std::string_view text) {
  const auto colon = text.find("://");
  if (colon == std::string_view::npos) return refused_url("rabbit://user:password@host:port/vhost, found no '://'");
  std::string scheme(text.substr(0, colon));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  if (!is_rabbit(scheme)) return refused_url("a URL of RabbitMQ, rabbit://..., found one of '" + scheme + "'");
  const auto without_fragment = split_at(text.substr(colon + 3), text.substr(colon + 3).find('#')).front;
  const auto queried = split_at(without_fragment, without_fragment.find('?'));
  const auto parts = split_at(queried.front, queried.front.find('/'));
  TransportUrl url;
  if (parts.back && !parts.back->empty()) url.vhost = percent_decoded(*parts.back);
  // Python joins the values of a name that comes twice.
  (void)each_parameter(queried.back.value_or(""), "&", [&url](const std::string& name, const std::string& value) {
    auto& joined = url.options[name];
    joined += (joined.empty() ? "" : ",") + value;
    return Result<void>();
  });
  for (std::optional<std::string_view> rest = parts.front; rest;) {
    const auto part = split_at(*rest, rest->find(','));
    rest = part.back;
    if (part.front.empty()) continue;
    auto broker = broker_of(part.front);
    if (!broker) return broker.error();
    url.brokers.push_back(*std::move(broker));
  }
  if (url.brokers.empty()) url.brokers.emplace_back().host = "localhost";
  return url;
}

std::string address_of(const Broker& broker) {
  const bool is_ipv6 = broker.host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + broker.host + "]" : broker.host) + ":" + std::to_string(broker.port);
}

}  // namespace gantry::config::nova

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/transport_url.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace gantry::amqp {

namespace {

Error refused_url(const std::string& expected) {
  return {ErrorCode::invalid_configuration, "transport_url: expected " + expected, ""};
}

int digit_of(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

// As Python does: a % without two digits stays as it is.
std::string unquoted(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && digit_of(text[i + 1]) >= 0 && digit_of(text[i + 2]) >= 0;
    plain.push_back(is_escape ? static_cast<char>(digit_of(text[i + 1]) * 16 + digit_of(text[i + 2])) : text[i]);
    if (is_escape) i += 2;
  }
  return plain;
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
    broker.user = unquoted(login.front);
    broker.password = login.back ? unquoted(*login.back) : "";
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

std::string plus_as_space(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return unquoted(spaced);
}

// Python joins the values of a name that comes twice, and drops names without a value.
void read_query(std::string_view query, TransportUrl& url) {
  while (!query.empty()) {
    const auto pair = split_at(query, query.find('&'));
    query = pair.back.value_or("");
    const auto named = split_at(pair.front, pair.front.find('='));
    if (!named.back || named.back->empty()) continue;
    auto& value = url.options[plus_as_space(named.front)];
    if (!value.empty()) value += ',';
    value += plus_as_space(*named.back);
  }
}

}  // namespace

bool TransportUrl::is_tls(bool otherwise) const {
  const auto found = options.find("ssl");
  if (found == options.end()) return otherwise;
  std::string value = found->second;
  std::transform(value.begin(), value.end(), value.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  constexpr std::array<std::string_view, 4> yes{"1", "true", "yes", "on"};
  return std::find(yes.begin(), yes.end(), value) != yes.end();
}

Result<TransportUrl> parse_transport_url(std::string_view text) {
  const auto colon = text.find("://");
  if (colon == std::string_view::npos) return refused_url("rabbit://user:password@host:port/vhost, found no '://'");
  const auto scheme = text.substr(0, colon);
  if (scheme != "rabbit")
    return refused_url("a URL of RabbitMQ, rabbit://..., found one of '" + std::string(scheme) + "'");
  const auto without_fragment = split_at(text.substr(colon + 3), text.substr(colon + 3).find('#')).front;
  const auto queried = split_at(without_fragment, without_fragment.find('?'));
  const auto parts = split_at(queried.front, queried.front.find('/'));
  TransportUrl url;
  if (parts.back && !parts.back->empty()) url.vhost = unquoted(*parts.back);
  read_query(queried.back.value_or(""), url);
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

}  // namespace gantry::amqp

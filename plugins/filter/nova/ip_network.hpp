// SPDX-License-Identifier: Apache-2.0
//
// IP addresses and networks as netaddr 0.8 reads them (IPAddress and IPNetwork), and the check of
// SimpleCIDRAffinityFilter (nova/scheduler/filters/affinity_filter.py).
#pragma once

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// An address of IPv4, in the first four bytes, or of IPv6.
struct ip_address {
  bool is_ipv6 = false;
  std::array<std::uint8_t, 16> bytes = {};

  int width() const { return is_ipv6 ? 128 : 32; }

  // Reads IPv6, or IPv4 in any form that inet_aton() accepts ("10.7" is 10.0.0.7). Raises AddrFormatError, or
  // ValueError for a text with a slash.
  static outcome<ip_address> read(const boost::json::value& text);
};

// Returns the address as str() of netaddr's IPAddress writes it. Returns a text that is not an address unchanged.
std::string canonical_address(std::string_view text);

// The addresses whose first `prefix` bits are those of `address`.
struct ip_network {
  ip_address address;
  int prefix = 0;

  // Reads "address[/prefix]". The prefix is a number, a netmask or an inverted netmask. Trailing zeros of an IPv4
  // address may be omitted. Raises AddrFormatError, or ValueError for a second slash.
  static outcome<ip_network> read(std::string_view text);

  // Returns whether the address is in the network. An IPv6 address is never in an IPv4 network, and the reverse.
  bool contains(const ip_address& other) const;
};

// The scheduler hints build_near_host_ip and cidr ("/24" by default), read once and checked against many hosts.
class cidr_affinity {
 public:
  // nullptr: the request does not have the hint.
  cidr_affinity(const boost::json::value* build_near_host_ip, const boost::json::value* cidr);

  // Returns true if every host passes.
  bool empty() const { return !network_; }

  // Returns the network as the hints say it: "10.0.0.1/24".
  const std::string& text() const { return text_; }

  // Returns whether the host's address is in the network. Raises the errors of reading the hints first, then those of
  // reading the address.
  outcome<bool> holds_for(const boost::json::value& host_ip) const;

 private:
  std::optional<outcome<ip_network>> network_;
  std::string text_;
};

}  // namespace filter_driver

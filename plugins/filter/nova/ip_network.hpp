// SPDX-License-Identifier: Apache-2.0
//
// IP addresses and networks as netaddr reads them (IPAddress and IPNetwork of netaddr 0.8), and SimpleCIDRAffinityFilter's
// question (nova/scheduler/filters/affinity_filter.py) on them.
#pragma once

#include <array>
#include <boost/json.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// IPv4 is in the first four bytes.
struct ip_address {
  bool is_ipv6 = false;
  std::array<std::uint8_t, 16> bytes = {};

  int width() const { return is_ipv6 ? 128 : 32; }

  // IPv4 in any form that inet_aton() takes ("10.7" is 10.0.0.7), or IPv6. Raises AddrFormatError, ValueError for a
  // text with a slash.
  static outcome<ip_address> read(const boost::json::value& text);
};

// As str() of netaddr's IPAddress writes it; a text that is no address stays as it is.
std::string canonical_address(std::string_view text);

struct ip_network {
  ip_address address;
  int prefix = 0;

  // "address[/prefix]", the prefix a number, a netmask or its opposite; trailing zeros of an IPv4 address may be left
  // out. Raises AddrFormatError, ValueError for a second slash.
  static outcome<ip_network> read(std::string_view text);

  // An address of the other family is outside.
  bool contains(const ip_address& other) const;
};

// The scheduler hints build_near_host_ip and cidr ("/24" if there is none), read once, to be asked of many hosts.
class cidr_affinity {
 public:
  // nullptr: no such hint.
  cidr_affinity(const boost::json::value* build_near_host_ip, const boost::json::value* cidr);

  // Whether every host passes.
  bool empty() const { return !network_; }

  // Whether the host's address is near. Raises what the reading of the hints, or then of the address, raises.
  outcome<bool> holds_for(const boost::json::value& host_ip) const;

 private:
  std::optional<outcome<ip_network>> network_;
};

}  // namespace filter_driver

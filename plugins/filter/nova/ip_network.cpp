// SPDX-License-Identifier: Apache-2.0
#include "nova/ip_network.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "python/blanks.hpp"
#include "python/python_number.hpp"
#include "python/python_text.hpp"
#include "python/python_value.hpp"

namespace filter_driver {
namespace {

std::optional<ip_address> strict_address(const std::string& text, bool ipv6) {
  ip_address address;
  address.is_ipv6 = ipv6;
  if (text.find('\0') != std::string::npos) return std::nullopt;
  if (inet_pton(ipv6 ? AF_INET6 : AF_INET, text.c_str(), address.bytes.data()) != 1) return std::nullopt;
  return address;
}

// Reads one to four decimal numbers, each as int() reads it. Omitted numbers are 0.
std::optional<ip_address> partial_ipv4(std::string_view text) {
  if (text.find(':') != std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> parts = parts_of(text, '.');
  if (parts.size() > 4) return std::nullopt;
  std::string whole;
  for (std::size_t part = 0; part < 4; ++part) {
    const outcome<boost::json::value> number = int_of(part < parts.size() ? parts[part] : "0");
    if (!number.ok()) return std::nullopt;
    whole += (part == 0 ? "" : ".") + repr_of(number.value());
  }
  return strict_address(whole, false);
}

raised slash_in_address() {
  return {"ValueError", "IPAddress() does not support netmasks or subnet prefixes! See documentation for details."};
}

// Returns the number of leading bits set in a netmask or in an inverted netmask. Empty if the mask has other bits
// set.
std::optional<int> mask_length(const ip_address& mask) {
  int ones = 0;
  int zeros = 0;
  int changes = 0;
  bool earlier = (mask.bytes[0] & 0x80) != 0;
  for (int bit = 0; bit < mask.width(); ++bit) {
    const bool set = ((mask.bytes[static_cast<std::size_t>(bit / 8)] >> (7 - bit % 8)) & 1) != 0;
    (set ? ones : zeros) += 1;
    if (set != earlier) ++changes;
    earlier = set;
  }
  if (changes > 1) return std::nullopt;
  const bool netmask = (mask.bytes[0] & 0x80) != 0 || ones == 0;
  return netmask ? ones : zeros;
}

// Nothing: no such address or prefix in this family. Raises what netaddr does not take for a matter of the family.
outcome<std::optional<ip_network>> network_of_family(std::string_view text, bool ipv6) {
  const std::size_t slash = text.find('/');
  const std::string_view front = text.substr(0, slash);
  std::optional<ip_address> address = strict_address(std::string(front), ipv6);
  if (!address && !ipv6) address = partial_ipv4(front);
  if (!address) return std::optional<ip_network>();
  if (slash == std::string_view::npos) return std::optional(ip_network{*address, address->width()});
  const std::string_view back = text.substr(slash + 1);
  const outcome<boost::json::value> number = int_of(back);
  if (number.ok()) {
    const boost::json::value& prefix = number.value();
    const bool fits =
        std::is_gteq(compare_numbers(prefix, 0)) && std::is_lteq(compare_numbers(prefix, address->width()));
    if (!fits) return std::optional<ip_network>();
    return std::optional(ip_network{*address, static_cast<int>(prefix.get_int64())});
  }
  if (back.find('/') != std::string_view::npos) return slash_in_address();
  const std::optional<ip_address> mask = strict_address(std::string(back), ipv6);
  const std::optional<int> prefix = mask ? mask_length(*mask) : std::nullopt;
  if (!prefix) return std::optional<ip_network>();
  return std::optional(ip_network{*address, *prefix});
}

}  // namespace

outcome<ip_address> ip_address::read(const boost::json::value& text) {
  if (const boost::json::string* const given = text.if_string()) {
    if (given->find('/') != boost::json::string::npos) return slash_in_address();
    const std::string plain(given->data(), given->size());
    in_addr ipv4 = {};
    if (plain.find('\0') == std::string::npos && inet_aton(plain.c_str(), &ipv4) != 0) {
      ip_address address;
      const std::uint32_t value = ntohl(ipv4.s_addr);
      for (std::size_t byte = 0; byte < 4; ++byte) {
        address.bytes[byte] = static_cast<std::uint8_t>(value >> (24 - 8 * byte));
      }
      return address;
    }
    if (const std::optional<ip_address> address = strict_address(plain, true)) return *address;
  }
  return raised{"AddrFormatError", "failed to detect a valid IP address from " + repr_of(text)};
}

std::string canonical_address(std::string_view text) {
  const outcome<ip_address> address = ip_address::read(boost::json::value(text));
  std::array<char, INET6_ADDRSTRLEN> written = {};
  if (!address.ok() || inet_ntop(address.value().is_ipv6 ? AF_INET6 : AF_INET, address.value().bytes.data(),
                                 written.data(), written.size()) == nullptr)
    return std::string(text);
  return written.data();
}

outcome<ip_network> ip_network::read(std::string_view text) {
  for (const bool ipv6 : {false, true}) {
    const outcome<std::optional<ip_network>> network = network_of_family(text, ipv6);
    if (!network.ok()) return network.error();
    if (network.value()) return *network.value();
  }
  return raised{"AddrFormatError", "invalid IPNetwork " + std::string(text)};
}

bool ip_network::contains(const ip_address& other) const {
  if (address.is_ipv6 != other.is_ipv6) return false;
  const auto whole = static_cast<std::size_t>(prefix / 8);
  if (!std::equal(address.bytes.begin(), address.bytes.begin() + whole, other.bytes.begin())) return false;
  const int rest = prefix % 8;
  return rest == 0 || ((address.bytes[whole] ^ other.bytes[whole]) >> (8 - rest)) == 0;
}

cidr_affinity::cidr_affinity(const boost::json::value* build_near_host_ip, const boost::json::value* cidr) {
  if (build_near_host_ip == nullptr || !is_true(*build_near_host_ip)) return;
  const boost::json::value usual = "/24";
  const std::array<const boost::json::value*, 2> parts = {build_near_host_ip, cidr != nullptr ? cidr : &usual};
  std::string text;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (!parts[part]->is_string()) {
      network_ = raised{"TypeError", "sequence item " + std::to_string(part) + ": expected str instance, " +
                                         std::string(type_name(*parts[part])) + " found"};
      return;
    }
    text += std::string_view(parts[part]->get_string());
  }
  network_ = ip_network::read(text);
  text_ = std::move(text);
}

outcome<bool> cidr_affinity::holds_for(const boost::json::value& host_ip) const {
  if (!network_) return true;
  if (!network_->ok()) return network_->error();
  const outcome<ip_address> address = ip_address::read(host_ip);
  if (!address.ok()) return address.error();
  return network_->value().contains(address.value());
}

}  // namespace filter_driver

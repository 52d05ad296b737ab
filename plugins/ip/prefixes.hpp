// SPDX-License-Identifier: Apache-2.0
//
// Maps the address of a request to the beginning of a host name, and finds the rows with such a name.
#pragma once

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <gantry/driver.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ip_driver {

// An IPv4 or IPv6 address. An IPv4 address in IPv6 form (::ffff:10.1.0.5) counts as IPv4.
struct address {
  std::array<std::uint8_t, 16> bytes = {};
  unsigned size = 0;  // 4 or 16

  static std::optional<address> parse(std::string_view text) {
    const std::string terminated(text);
    address parsed;
    if (inet_pton(AF_INET, terminated.c_str(), parsed.bytes.data()) == 1) {
      parsed.size = 4;
      return parsed;
    }
    if (inet_pton(AF_INET6, terminated.c_str(), parsed.bytes.data()) != 1) return std::nullopt;
    parsed.size = 16;
    constexpr std::array<std::uint8_t, 12> mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (std::equal(mapped.begin(), mapped.end(), parsed.bytes.begin())) {
      std::copy(parsed.bytes.begin() + 12, parsed.bytes.end(), parsed.bytes.begin());
      std::fill(parsed.bytes.begin() + 4, parsed.bytes.end(), std::uint8_t{0});
      parsed.size = 4;
    }
    return parsed;
  }

  // Returns the address with all bits after the first `length` cleared.
  address masked(unsigned length) const {
    address result = *this;
    for (unsigned index = 0; index < size; ++index) {
      const unsigned kept = length >= (index + 1) * 8 ? 8 : length <= index * 8 ? 0 : length - index * 8;
      result.bytes[index] = static_cast<std::uint8_t>(bytes[index] & (0xff00u >> kept));
    }
    return result;
  }

  bool operator==(const address& other) const { return size == other.size && bytes == other.bytes; }
};

// The operator's rules: the beginning of the host name for each beginning of an address and for each network.
class prefixes {
 public:
  // Sets the host prefix for addresses that no other rule matches.
  void set_default(std::string_view host_prefix) { default_ = host_prefix; }

  // Adds a rule for addresses whose text begins with `beginning`.
  void add_text(std::string_view beginning, std::string_view host_prefix) {
    texts_.push_back({std::string(beginning), std::string(host_prefix)});
    std::stable_sort(texts_.begin(), texts_.end(), [](const text_rule& left, const text_rule& right) {
      return left.text.size() > right.text.size();
    });
  }

  // Adds a rule for a network such as "10.1.0.0/16". Returns false if `network` is not of this form, or has bits set
  // after its prefix length.
  bool add_network(std::string_view network, std::string_view host_prefix) {
    const std::size_t slash = network.find('/');
    if (slash == std::string_view::npos) return false;
    const std::optional<address> base = address::parse(network.substr(0, slash));
    unsigned length = 0;
    const char* end = network.data() + network.size();
    const auto [stop, error] = std::from_chars(network.data() + slash + 1, end, length);
    if (!base || error != std::errc() || stop != end || length > base->size * 8) return false;
    if (!(base->masked(length) == *base)) return false;
    networks_.push_back({*base, length, std::string(host_prefix)});
    std::stable_sort(networks_.begin(), networks_.end(),
                     [](const network_rule& left, const network_rule& right) { return left.length > right.length; });
    return true;
  }

  // Returns the host prefix of the longest network that contains the address, else of the longest text that the
  // address begins with, else the default.
  std::string_view find(std::string_view from) const {
    if (const std::optional<address> parsed = networks_.empty() ? std::nullopt : address::parse(from)) {
      for (const network_rule& rule : networks_) {
        if (parsed->masked(rule.length) == rule.base) return rule.host_prefix;
      }
    }
    for (const text_rule& rule : texts_) {
      if (from.substr(0, rule.text.size()) == rule.text) return rule.host_prefix;
    }
    return default_;
  }

 private:
  struct text_rule {
    std::string text;
    std::string host_prefix;
  };
  struct network_rule {
    address base;
    unsigned length;
    std::string host_prefix;
  };

  std::vector<network_rule> networks_;  // networks_ and texts_ are sorted, longest first
  std::vector<text_rule> texts_;
  std::string default_;
};

// Keeps the rows whose name begins with `prefix`. Nearly all names are distinct, so each row is compared on its own.
// The first eight bytes are compared at once if the name has eight.
inline void keep_beginning_with(gantry::bitmap& rows, const gantry::text_column& names, std::string_view prefix) {
  const std::size_t first_size = std::min<std::size_t>(prefix.size(), 8);
  const std::uint64_t mask = first_size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (first_size * 8)) - 1;
  std::uint64_t first = 0;
  std::memcpy(&first, prefix.data(), first_size);
  const std::uint32_t* codes = names.codes();
  const gantry_string* dictionary = names.dictionary().data();
  rows.keep_if([&](std::uint32_t row) {
    const gantry_string name = dictionary[codes[row]];
    if (name.size < prefix.size()) return false;
    if (name.size < 8) return std::memcmp(name.data, prefix.data(), prefix.size()) == 0;
    std::uint64_t start = 0;
    std::memcpy(&start, name.data, 8);
    if ((start & mask) != first) return false;
    return prefix.size() <= 8 || std::memcmp(name.data + 8, prefix.data() + 8, prefix.size() - 8) == 0;
  });
}

}  // namespace ip_driver

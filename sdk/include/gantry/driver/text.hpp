// SPDX-License-Identifier: Apache-2.0
//
// Texts and lists of the ABI as C++ types. The C++ types do not own the memory: memory of the host is valid until the
// call returns.
#pragma once

#if __cplusplus < 201703L
#error "gantry needs C++17 or later: compile with -std=c++17"
#endif

#include <gantry/driver.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace gantry {

// Returns a text of the ABI as a C++ text.
constexpr std::string_view text(gantry_string string) noexcept {
  return string.size == 0 ? std::string_view() : std::string_view(string.data, string.size);
}

// Returns a C++ text as a text of the ABI.
constexpr gantry_string raw(std::string_view text) noexcept {
  return {text.data(), text.size()};
}

// Returns the bytes of a UUID in text form: 32 hexadecimal digits, with or without hyphens. nullopt for any other text.
constexpr std::optional<gantry_uuid> parse_uuid(std::string_view text) noexcept {
  gantry_uuid uuid = {};
  std::size_t digits = 0;
  for (const char letter : text) {
    if (letter == '-' && digits != 0 && digits % 2 == 0) continue;
    int value = -1;
    if (letter >= '0' && letter <= '9') value = letter - '0';
    if (letter >= 'a' && letter <= 'f') value = letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') value = letter - 'A' + 10;
    if (value < 0 || digits == 32) return std::nullopt;
    uuid.bytes[digits / 2] = static_cast<std::uint8_t>(digits % 2 == 0 ? value << 4 : uuid.bytes[digits / 2] | value);
    ++digits;
  }
  if (digits != 32) return std::nullopt;
  return uuid;
}

// Consecutive elements that another object owns, like std::span of C++20.
template <class Element>
class span {
 public:
  constexpr span() noexcept = default;
  constexpr span(Element* data, std::size_t size) noexcept : data_(data), size_(size) {}
  constexpr Element* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr Element& operator[](std::size_t index) const noexcept { return data_[index]; }
  constexpr Element* begin() const noexcept { return data_; }
  constexpr Element* end() const noexcept { return data_ + size_; }

 private:
  Element* data_ = nullptr;
  std::size_t size_ = 0;
};

// Return the elements of a C list as a span, for a range-based for loop:
// for (gantry_string name : gantry::each(request.ignore_hosts())) ...
constexpr span<const gantry_string> each(gantry_strings strings) noexcept {
  return {strings.items, strings.count};
}
constexpr span<const gantry_pair> each(gantry_pairs pairs) noexcept {
  return {pairs.items, pairs.count};
}

// A set of names for many lookups. Refers to the texts of the list that the set is made from. A short list costs no
// allocation.
class name_set {
 public:
  explicit name_set(gantry_strings names) : names_(each(names)) {
    for (const gantry_string name : names_) sizes_ |= size_bit(name.size);
    if (names_.size() <= few) return;
    for (const gantry_string name : names_) hashed_.insert(text(name));
  }

  bool contains(std::string_view name) const {
    if ((sizes_ & size_bit(name.size())) == 0) return false;
    if (!hashed_.empty()) return hashed_.count(name) != 0;
    for (const gantry_string known : names_) {
      if (text(known) == name) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t few = 8;
  static constexpr std::uint64_t size_bit(std::uint64_t size) noexcept { return std::uint64_t{1} << (size % 64); }

  span<const gantry_string> names_;
  std::uint64_t sizes_ = 0;  // the lengths of the names, modulo 64: rules out most other names without comparing them
  std::unordered_set<std::string_view> hashed_;
};

}  // namespace gantry

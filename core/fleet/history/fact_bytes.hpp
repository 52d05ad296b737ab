// SPDX-License-Identifier: Apache-2.0
//
// The bytes of the history: numbers of variable length, texts with their length in front.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "gantry/driver.h"

namespace gantry::fleet {

class FactWriter {
 public:
  explicit FactWriter(std::string& out) : out_(out) {}

  void put_byte(std::uint8_t byte) { out_.push_back(static_cast<char>(byte)); }
  void put_count(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) put_byte(static_cast<std::uint8_t>(number | 0x80));
    put_byte(static_cast<std::uint8_t>(number));
  }
  // Numbers near zero take the least room.
  void put_integer(std::int64_t number) {
    put_count((static_cast<std::uint64_t>(number) << 1) ^ (number < 0 ? ~std::uint64_t{0} : 0));
  }
  void put_text(std::string_view text) {
    put_count(text.size());
    out_.append(text);
  }
  template <class T>
  void put_raw(const T& value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

 private:
  std::string& out_;
};

// Reads what FactWriter wrote. Beyond the end of the bytes, or at a number that is too long, every read returns zero or
// an empty text, and is_whole() is false from then on.
class FactReader {
 public:
  explicit FactReader(std::string_view bytes) : bytes_(bytes) {}

  bool is_whole() const { return is_whole_; }
  bool is_at_end() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1).empty() ? 0 : taken_[0]); }
  std::uint64_t count() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto part = byte();
      number |= static_cast<std::uint64_t>(part & 0x7F) << shift;
      if ((part & 0x80) == 0) return number;
    }
    is_whole_ = false;
    return 0;
  }
  // A count of things of which each takes at least one byte: no more of them than bytes are left.
  std::uint64_t count_of_things() {
    const auto things = count();
    if (things <= bytes_.size()) return things;
    is_whole_ = false;
    return 0;
  }
  std::int64_t integer() {
    const auto number = count();
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
  }
  std::string_view text() { return take(count()); }
  std::string_view bytes(std::uint64_t size) { return take(size); }
  template <class T>
  T raw() {
    T value{};
    const auto bytes = take(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

 private:
  std::string_view take(std::uint64_t size) {
    is_whole_ = is_whole_ && size <= bytes_.size();
    taken_ = is_whole_ ? bytes_.substr(0, size) : std::string_view();
    bytes_.remove_prefix(taken_.size());
    return taken_;
  }

  std::string_view bytes_;
  std::string_view taken_;
  bool is_whole_ = true;
};

}  // namespace gantry::fleet

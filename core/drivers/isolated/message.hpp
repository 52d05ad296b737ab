// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a message from the runner to the service: records, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace gantry::drivers::isolated {

enum class Record : std::uint32_t {
  // The last record of a message. The service answers those from `pick` on, and `ask`.
  done = 1,  // the operation has returned
  started,   // the driver is created, or why it is not
  pick,
  alternate,
  claim,
  reply,
  cast,
  view,
  column,
  locate,
  changes,
  flush,  // nothing more: there was no room for further records
  // Records without an answer of their own.
  refuse,
  explain,
  explain_host,
  log,
  count,
  ask,  // to a policy service
};

// Appends to a span. Once something does not fit, nothing is written any more.
class MessageWriter {
 public:
  explicit MessageWriter(std::span<std::byte> room) : room_(room) {}

  void raw(const void* data, std::uint64_t bytes) {
    if (!fits_ || bytes > room_.size() - used_) {
      fits_ = false;
      return;
    }
    if (bytes != 0) std::memcpy(room_.data() + used_, data, bytes);
    used_ += bytes;
  }
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    raw(&value, sizeof(value));
  }
  void text(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    raw(text.data(), text.size());
  }

  bool fits() const { return fits_; }
  std::uint64_t used() const { return used_; }
  // Takes back what was written since then.
  void shorten_to(std::uint64_t used) {
    used_ = used;
    fits_ = true;
  }

 private:
  std::span<std::byte> room_;
  std::uint64_t used_ = 0;
  bool fits_ = true;
};

// Reads a private copy of a message. Beyond its end everything is zero and empty, and is_sound() is false.
class MessageReader {
 public:
  explicit MessageReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T value{};
    const auto part = take(sizeof(T));
    if (!part.empty()) std::memcpy(&value, part.data(), sizeof(T));
    return value;
  }
  std::string_view text() {
    const auto part = take(number<std::uint64_t>());
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  std::span<const std::byte> take(std::uint64_t bytes) {
    if (bytes > bytes_.size()) {
      is_sound_ = false;
      bytes_ = {};
      return {};
    }
    const auto part = bytes_.first(bytes);
    bytes_ = bytes_.subspan(bytes);
    return part;
  }

  bool is_sound() const { return is_sound_; }
  bool is_at_end() const { return bytes_.empty(); }
  // Whether so many elements may still follow, each with fields of these types in this order. A text may be empty.
  template <class... Fields>
  bool may_hold(std::uint64_t count) {
    constexpr std::uint64_t least_bytes = (least_size<Fields> + ...);
    if (count <= bytes_.size() / least_bytes) return true;
    is_sound_ = false;
    bytes_ = {};
    return false;
  }

 private:
  template <class Field>
  static constexpr std::uint64_t least_size = sizeof(Field);

  std::span<const std::byte> bytes_;
  bool is_sound_ = true;
};

// The size comes first.
template <>
constexpr std::uint64_t MessageReader::least_size<std::string_view> = sizeof(std::uint64_t);

}  // namespace gantry::drivers::isolated

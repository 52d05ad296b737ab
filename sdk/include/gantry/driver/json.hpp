// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes small JSON documents, without a library: gantry/json.h for C++. Example:
//
//   const gantry::json_value args(method.args());
//   const std::int64_t seats = args["seats"].integer().value_or(1);
//   gantry::json_writer reply;
//   reply.open('{').key("granted").integer(seats).close('}');
//   return call.reply(reply.text());
#pragma once

#include <gantry/json.h>
#include <gantry/driver/text.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gantry {

// A value within a document, or none. Refers to the document. A function for another kind of value
// returns nullopt or none, as for no value at all.
class json_value {
 public:
  json_value() noexcept = default;
  // The whole document, which may begin with white space.
  explicit json_value(std::string_view document) noexcept {
    const char* const end = document.data() + document.size();
    const char* const begin = gantry_json_after_space(document.data(), end);
    if (begin == end) return;
    if (const char* const behind = gantry_json_after_value(begin, end))
      value_ = {begin, static_cast<std::size_t>(behind - begin)};
  }

  explicit operator bool() const noexcept { return !value_.empty(); }
  bool is_object() const noexcept { return begins_with('{'); }
  bool is_array() const noexcept { return begins_with('['); }
  bool is_text() const noexcept { return begins_with('"'); }
  bool is_null() const noexcept { return value_ == "null"; }

  // Returns a member of an object.
  json_value operator[](std::string_view name) const {
    json_value found;
    for_each([&](json_value key, json_value value) {
      if (!found && gantry_json_is(gantry::raw(key.value_), gantry::raw(name)) != 0) found = value;
    });
    return found;
  }
  // Calls visit(key, value) for each member of an object, or with no key for each value of an array. The key is a
  // text.
  template <class Visit>
  void for_each(Visit visit) const {
    gantry_string key = {};
    gantry_string value = {};
    const char* at = nullptr;
    while (gantry_json_next(gantry::raw(value_), &at, &key, &value) != 0) visit(part(key), part(value));
  }

  std::optional<std::string> text() const {
    std::uint64_t size = 0;
    if (gantry_json_text(gantry::raw(value_), nullptr, 0, &size) == 0) return std::nullopt;
    std::string read(size, '\0');
    gantry_json_text(gantry::raw(value_), read.data(), size, &size);
    return read;
  }
  std::optional<std::int64_t> integer() const noexcept {
    std::int64_t number = 0;
    return gantry_json_integer(gantry::raw(value_), &number) != 0 ? std::optional(number) : std::nullopt;
  }
  std::optional<double> real() const noexcept {
    double number = 0;
    return gantry_json_real(gantry::raw(value_), &number) != 0 ? std::optional(number) : std::nullopt;
  }
  std::optional<bool> boolean() const noexcept {
    int truth = 0;
    return gantry_json_boolean(gantry::raw(value_), &truth) != 0 ? std::optional(truth != 0) : std::nullopt;
  }
  // Returns the value as it stands in the document. Empty: none.
  std::string_view raw() const noexcept { return value_; }

 private:
  static json_value part(gantry_string found) noexcept {
    json_value made;
    made.value_ = gantry::text(found);
    return made;
  }
  bool begins_with(char letter) const noexcept { return !value_.empty() && value_.front() == letter; }

  std::string_view value_;
};

// A document that is being written.
class json_writer {
 public:
  json_writer& open(char bracket) {
    return write(1, [&](auto* to) { gantry_json_open(to, bracket); });
  }
  json_writer& close(char bracket) {
    return write(1, [&](auto* to) { gantry_json_close(to, bracket); });
  }
  json_writer& key(const char* name) {
    return write(std::string_view(name).size(), [&](auto* to) { gantry_json_key(to, name); });
  }
  json_writer& text(std::string_view value) {
    return write(value.size(), [&](auto* to) { gantry_json_write_text(to, gantry::raw(value)); });
  }
  json_writer& integer(std::int64_t value) {
    return write(24, [&](auto* to) { gantry_json_write_integer(to, value); });
  }
  json_writer& real(double value) {
    return write(40, [&](auto* to) { gantry_json_write_real(to, value); });
  }
  json_writer& boolean(bool value) {
    return write(8, [&](auto* to) { gantry_json_write_boolean(to, value ? 1 : 0); });
  }
  json_writer& null() {
    return write(8, [&](auto* to) { gantry_json_write_null(to); });
  }
  // Writes a value that is JSON already.
  json_writer& raw(std::string_view json) {
    return write(json.size(), [&](auto* to) { gantry_json_write_raw(to, gantry::raw(json)); });
  }
  // Returns the document so far. Valid until the next write.
  std::string_view text() const noexcept { return {memory_.data(), static_cast<std::size_t>(writer_.size)}; }

 private:
  // An escaped character takes six bytes at most; a value takes a comma, a colon and two quotation marks beside it.
  template <class Write>
  json_writer& write(std::size_t size, Write write_value) {
    const std::size_t wanted = static_cast<std::size_t>(writer_.size) + 6 * size + 4;
    if (wanted > memory_.size()) memory_.resize(2 * wanted);
    writer_.data = memory_.data();
    writer_.capacity = memory_.size();
    write_value(&writer_);
    return *this;
  }

  std::string memory_;
  gantry_json_writer writer_ = {};
};

}  // namespace gantry

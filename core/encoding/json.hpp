// SPDX-License-Identifier: Apache-2.0
//
// JSON as Gantry reads and writes it: bounded depth, finite numbers, no duplicate keys, one canonical text.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::json {

using boost::json::array;
using boost::json::object;
using boost::json::storage_ptr;
using boost::json::value;

// How many levels of arrays and objects a text may nest; what is kept or sent on inside of something else (a cast, a
// record, an agent's state), so that all of it can be read again; and what we stored ourselves.
inline constexpr std::size_t max_depth = 64;
inline constexpr std::size_t max_part_depth = max_depth - 8;
inline constexpr std::size_t stored_depth = 256;

// Strict JSON in UTF-8. Refuses nesting deeper than `depth`, numbers that are not finite and repeated keys; the error
// says at which byte and why.
Result<value> parse(std::string_view text, std::size_t depth = max_depth);
Result<object> parse_object(std::string_view text, std::size_t depth = max_depth);

// Shortest form: no spaces, keys in their order, doubles as the fewest digits that read back the same (integral
// doubles keep ".0").
std::string write(const value& value);
std::string write(const object& object);
// The same with keys sorted at every level: equal values have equal texts.
std::string write_canonical(const value& value);
std::string write_canonical(const object& object);
// For people: two spaces of indent.
std::string write_pretty(const value& value);

// Behind what is there already. What is written can always be read: bytes that are not UTF-8 become U+FFFD, and a
// number that is not finite becomes null.
void append(std::string& out, const value& value);
void append_string(std::string& out, std::string_view text);  // as a JSON string, in quotes

// Members of an object, typed. nullptr or nullopt if absent, null or of another type.
const value* find(const object& object, std::string_view key);  // present and not null
const object* find_object(const object& object, std::string_view key);
const array* find_array(const object& object, std::string_view key);
std::optional<std::string_view> find_string(const object& object, std::string_view key);
std::optional<std::int64_t> find_integer(const object& object, std::string_view key);  // an integral double counts
std::optional<double> find_number(const object& object, std::string_view key);
std::optional<bool> find_bool(const object& object, std::string_view key);

// "string", "number", "object" and so on, for messages.
std::string_view type_name(const value& value);

}  // namespace gantry::json

// SPDX-License-Identifier: Apache-2.0
//
// JSON as Gantry reads and writes it: bounded depth, finite numbers, no duplicate keys, one canonical text for equal
// values.
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

// Limits of how many levels deep arrays and objects may nest.
inline constexpr std::size_t max_depth = 64;                  // in a text from outside
inline constexpr std::size_t max_part_depth = max_depth - 8;  // in a value that becomes a part of another document
inline constexpr std::size_t stored_depth = 256;              // in a document of the store or of a whole fleet

// Reads strict JSON in UTF-8. Refuses nesting deeper than `depth`, numbers that are not finite, and repeated keys. The
// error names the byte and the reason.
Result<value> parse(std::string_view text, std::size_t depth = max_depth);
Result<object> parse_object(std::string_view text, std::size_t depth = max_depth);
// Reads an object as parse_object does. The object and its values are allocated in `memory`.
Result<object> parse_object_into(storage_ptr memory, std::string_view text, std::size_t depth = max_depth);

// Writes the shortest form: no spaces, keys in the order of the object, doubles with the fewest digits that read back
// as the same number (2.0 keeps its ".0").
std::string write(const value& value);
std::string write(const object& object);
// Writes as write() does, but with the keys sorted at every level. Equal values have equal texts.
std::string write_canonical(const value& value);
std::string write_canonical(const object& object);
// Writes several lines for people, indented by two spaces.
std::string write_pretty(const value& value);

// Returns about how many bytes the value takes as text, without writing it: escapes are not counted, and a number counts
// as eight bytes.
std::size_t text_size(const value& value);
std::size_t text_size(const object& object);
std::size_t text_size(const array& list);

// Append JSON to `out`. The JSON can always be parsed: bytes that are not UTF-8 become U+FFFD, numbers that are not
// finite become null.
void append(std::string& out, const value& value);
void append_string(std::string& out, std::string_view text);  // as a JSON string, quoted and escaped

// Find a member of an object by type. Return nullptr or nullopt if the member is absent, null or of another type.
const value* find(const object& object, std::string_view key);  // a member of any type but null
const object* find_object(const object& object, std::string_view key);
const array* find_array(const object& object, std::string_view key);
std::optional<std::string_view> find_string(const object& object, std::string_view key);
std::optional<std::int64_t> find_integer(const object& object, std::string_view key);  // 2.0 counts as 2
std::optional<double> find_number(const object& object, std::string_view key);
std::optional<bool> find_bool(const object& object, std::string_view key);

// Returns the type of the value in a word, for messages: "string", "number", "object" and so on.
std::string_view type_name(const value& value);

}  // namespace gantry::json

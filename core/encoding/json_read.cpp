// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/encoding/json_repeated_key.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::json {

namespace {

using boost::json::error;
using boost::json::error_code;
using boost::json::string_view;

// Boost.JSON 1.81 turns decimals into doubles that may be off in the last digit, and 1e400 into infinity.
std::optional<double> exact_double(double nearly, std::string_view text) {
  double exact = nearly;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), exact);
  if (code == std::errc::result_out_of_range) exact = std::abs(nearly) < 1 ? std::copysign(0.0, nearly) : nearly;
  if (!std::isfinite(exact)) return std::nullopt;
  return exact;
}

// Builds the value. Boost keeps the last of repeated keys without a word, so it also counts the members read:
// if the finished value holds fewer, some key came twice.
class Builder {
 public:
  static constexpr std::size_t max_object_size = boost::json::object::max_size();
  static constexpr std::size_t max_array_size = boost::json::array::max_size();
  static constexpr std::size_t max_key_size = boost::json::string::max_size();
  static constexpr std::size_t max_string_size = boost::json::string::max_size();

  Builder(boost::json::storage_ptr memory, unsigned char* buffer, std::size_t size) : stack_({}, buffer, size) {
    stack_.reset(std::move(memory));
  }

  std::size_t members_read() const { return members_read_; }
  value release() { return stack_.release(); }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_object_end(std::size_t count, error_code&) {
    members_read_ += count;
    stack_.push_object(count);
    return true;
  }
  bool on_array_end(std::size_t count, error_code&) { return stack_.push_array(count), true; }
  bool on_key_part(string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_key(string_view rest, std::size_t, error_code&) { return stack_.push_key(rest), true; }
  bool on_string_part(string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_string(string_view rest, std::size_t, error_code&) { return stack_.push_string(rest), true; }
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t number, string_view, error_code&) { return stack_.push_int64(number), true; }
  bool on_uint64(std::uint64_t number, string_view, error_code&) { return stack_.push_uint64(number), true; }
  bool on_double(double number, string_view text, error_code& code) {
    const auto exact = exact_double(number, {text.data(), text.size()});
    if (!exact) return code = error::exponent_overflow, false;
    stack_.push_double(*exact);
    return true;
  }
  bool on_bool(bool flag, error_code&) { return stack_.push_bool(flag), true; }
  bool on_null(error_code&) { return stack_.push_null(), true; }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

 private:
  boost::json::value_stack stack_;
  std::size_t members_read_ = 0;
};

std::size_t members_of(const value& tree) {
  std::size_t count = 0;
  if (const auto* members = tree.if_object()) {
    count += members->size();
    for (const auto& member : *members) {
      if (member.value().is_structured()) count += members_of(member.value());
    }
  } else if (const auto* elements = tree.if_array()) {
    for (const auto& element : *elements) {
      if (element.is_structured()) count += members_of(element);
    }
  }
  return count;
}

std::string describe_byte(unsigned char byte) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), byte >= 0x20 && byte < 0x7f ? "'%c'" : "0x%02x", byte);
  return text.data();
}

std::string describe_syntax_error(std::string_view text, std::size_t at) {
  if (at >= text.size()) return "the text ends too early";
  const auto byte = static_cast<unsigned char>(text[at]);
  if (utf8_front_length(text.substr(at)) == 0) return "byte " + describe_byte(byte) + " is not UTF-8";
  if (byte < 0x20) return "unexpected control character " + describe_byte(byte) + " (in a string it must be escaped)";
  if (byte == 'N' || byte == 'I') return "unexpected " + describe_byte(byte) + " (NaN and Infinity are not JSON)";
  return "unexpected " + describe_byte(byte);
}

std::string describe(const error_code& code, std::string_view text, std::size_t at, std::size_t depth) {
  if (code == error::incomplete) return text.empty() ? "the text is empty" : "the text ends too early";
  if (code == error::extra_data)
    return "unexpected " + describe_byte(static_cast<unsigned char>(text[at])) + " after the value";
  if (code == error::too_deep) return "nesting deeper than " + std::to_string(depth) + " levels";
  if (code == error::exponent_overflow) return "a number too large for a double";
  if (code == error::illegal_leading_surrogate || code == error::illegal_trailing_surrogate) {
    return "a \\u escape that is half of a surrogate pair";
  }
  if (code == error::expected_hex_digit) return "a \\u escape needs four hexadecimal digits";
  if (code == error::syntax) return describe_syntax_error(text, at);
  return code.message();
}

Error refusal(std::size_t at, std::string what) {
  return Error{
      ErrorCode::invalid_argument, "not valid JSON at byte " + std::to_string(at) + ": " + std::move(what), {}};
}

}  // namespace

namespace {

Result<value> parse_into(boost::json::storage_ptr memory, std::string_view text, std::size_t depth) {
  for (const std::string_view mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"})
    if (text.starts_with(mark))
      return refusal(0,
                     "expected JSON in UTF-8, found a byte order mark (BOM) in front of it; save the text without BOM");
  alignas(value) std::array<unsigned char, 16 * 1024> buffer;
  boost::json::parse_options options;
  options.max_depth = depth;
  boost::json::basic_parser<Builder> parser(options, std::move(memory), buffer.data(), buffer.size());
  error_code code;
  const std::size_t at = parser.write_some(false, text.data(), text.size(), code);
  if (!code && at < text.size()) code = error::extra_data;
  if (code) return refusal(at, describe(code, text, at, depth));
  value tree = parser.handler().release();
  if (members_of(tree) != parser.handler().members_read()) {
    const auto repeated = first_repeated_key(text, depth);
    return refusal(repeated.at, "the key " + repeated.key + " appears twice in one object");
  }
  return tree;
}

}  // namespace

Result<value> parse(std::string_view text, std::size_t depth) {
  return parse_into({}, text, depth);
}

Result<object> parse_object(std::string_view text, std::size_t depth) {
  return parse_object_into({}, text, depth);
}

Result<object> parse_object_into(boost::json::storage_ptr memory, std::string_view text, std::size_t depth) {
  auto parsed = parse_into(std::move(memory), text, depth);
  if (!parsed) return std::move(parsed).error();
  if (auto* members = parsed->if_object()) return std::move(*members);
  return Error{ErrorCode::invalid_argument, "expected a JSON object, found " + std::string(type_name(*parsed)), {}};
}

}  // namespace gantry::json

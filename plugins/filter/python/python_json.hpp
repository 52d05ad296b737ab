// SPDX-License-Identifier: Apache-2.0
//
// Reads JSON as Python's json.loads() does, where Boost's parser differs. A float is read as the nearest double, and so
// is an int beyond 64 bits. NaN, Infinity and -Infinity are numbers, and 1e400 is infinite. Lone surrogates are
// characters. If several members have one key, the last value is kept, at the place of the first.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Returns the value of a JSON text. An invalid text raises ValueError with the position (Python raises its subclass
// JSONDecodeError). More than 900 levels of nesting raise RecursionError.
outcome<boost::json::value> read_json(std::string_view text);

// Reads a JSON text from front to back, and can skip unneeded values without building them. After the first error,
// read() returns null and members() visits nothing further.
class json_cursor {
 public:
  // The text must outlive the cursor.
  explicit json_cursor(std::string_view text) : text_(text) {}

  // Reads the next value.
  boost::json::value read();
  // Reads the next value if it is a text. Skips any other value and returns nullopt.
  std::optional<std::string> read_text();
  // Skips the next value.
  void skip();
  // Calls visit(key) for each member of the next object. A key that occurs twice is visited twice. visit must
  // read or skip the member's value. Returns false, and reads nothing, if the next value is not an object.
  template <class Visit>
  bool members(const Visit& visit);
  // Call this after the last value. Other text than blanks after it is an error.
  void finish();

  // Returns the first error in the text. nullopt if there was no error so far.
  const std::optional<raised>& error() const { return error_; }

 private:
  template <class Visit>
  bool elements(const Visit& visit);
  bool enter(char opening);
  bool is_next(char character);
  bool take(char what);
  bool take(std::string_view what);
  void skip_blanks();
  std::string_view key(std::string& unescaped);
  std::string_view string(std::string& unescaped);
  void escape(std::string& out);
  char32_t four_digits();
  std::size_t skip_digits();
  boost::json::value scalar();
  boost::json::value number();
  bool failed() const { return error_.has_value(); }
  void fail(const std::string& what);

  std::string_view text_;
  std::size_t place_ = 0;
  int levels_ = 0;
  std::optional<raised> error_;
};

template <class Visit>
bool json_cursor::members(const Visit& visit) {
  if (!enter('{')) return false;
  std::string unescaped;
  for (bool more = !is_next('}'); more && !failed(); more = take(',')) {
    unescaped.clear();
    visit(key(unescaped));
    skip_blanks();
  }
  if (!failed() && !take('}')) fail("Expecting ',' delimiter");
  --levels_;
  return true;
}

}  // namespace filter_driver

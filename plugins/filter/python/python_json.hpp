// SPDX-License-Identifier: Apache-2.0
//
// A JSON text as Python's json.loads() takes it, which Boost's parser does not quite: floats are the nearest double, an
// int beyond 64 bits is the nearest double, NaN, Infinity and -Infinity are numbers, 1e400 is infinite, lone surrogates
// are characters and the last of equal keys wins in the place of the first.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "python/outcome.hpp"

namespace filter_driver {

// Raises ValueError (Python: JSONDecodeError, a kind of it) with the place, and RecursionError beyond 900 levels.
outcome<boost::json::value> read_json(std::string_view text);

// A text read from front to back, so that what nobody wants of it is passed over instead of built. After a failure each
// value is null and no object has further members.
class json_cursor {
 public:
  // The text outlives this.
  explicit json_cursor(std::string_view text) : text_(text) {}

  // The value that comes next.
  boost::json::value read();
  // The same if it is a text; none: it was another value, which is passed over.
  std::optional<std::string> read_text();
  // Passes over it.
  void skip();
  // Calls visit(key) for each member of the object that comes next, equal keys as often as they are there; visit reads or
  // passes over the member's value. False: no object comes next, and nothing has been read.
  template <class Visit>
  bool members(const Visit& visit);
  // Refuses what follows the last value.
  void finish();

  // What was wrong with the text first; none: nothing yet.
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

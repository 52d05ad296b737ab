// SPDX-License-Identifier: Apache-2.0
//
// The answer of a method: a value or an error. A method with a large value may write the value as JSON text itself. The
// answer then holds the text in place of the value.
#pragma once

#include <string>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

// An answer without text: a JSON value or an error.
using Reply = Result<json::value>;

class Answer {
 public:
  Answer(Reply reply) : reply_(std::move(reply)) {}
  Answer(json::value value) : reply_(std::move(value)) {}
  Answer(Error error) : reply_(std::move(error)) {}
  // Returns an answer whose value is given as JSON text. `text` must be strict JSON.
  static Answer of_text(std::string text);

  explicit operator bool() const { return static_cast<bool>(reply_); }
  const Error& error() const { return reply_.error(); }

  // Converts the answer to its value or its error. If the answer holds text, the value is parsed from the text.
  operator Reply() const;
  // Appends the value as JSON text. Requires: the answer is not an error.
  void append_to(std::string& out) const;

 private:
  Reply reply_;
  std::string text_;  // the value as JSON text; empty: reply_ holds the value or the error
};

}  // namespace gantry::scheduling

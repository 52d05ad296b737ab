// SPDX-License-Identifier: Apache-2.0
//
// The answer of a method: a value or an error. A method whose value is large may write it as JSON text at once; the
// text then stands in place of the value.
#pragma once

#include <string>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::scheduling {

using Reply = Result<json::value>;

class Answer {
 public:
  Answer(Reply reply) : reply_(std::move(reply)) {}
  Answer(json::value value) : reply_(std::move(value)) {}
  Answer(Error error) : reply_(std::move(error)) {}
  // `text` is strict JSON.
  static Answer of_text(std::string text);

  explicit operator bool() const { return static_cast<bool>(reply_); }
  const Error& error() const { return reply_.error(); }

  // The value, parsed from the text if there is one.
  operator Reply() const;
  // Appends the value as JSON text. Requires: the answer is not an error.
  void append_to(std::string& out) const;

 private:
  Reply reply_;
  std::string text_;  // in place of the value; empty: there is none
};

}  // namespace gantry::scheduling

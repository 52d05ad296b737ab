// SPDX-License-Identifier: Apache-2.0
//
// What a method leaves for its caller: a value or an error, or the JSON text of the value, where the method has
// written that at once and nobody reads it but who sends it.
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

  // The value, or what its text says.
  operator Reply() const;
  // Behind what is there already; only where it is no error.
  void append_to(std::string& out) const;

 private:
  Reply reply_;
  std::string text_;  // in place of the value; empty: there is none
};

}  // namespace gantry::scheduling

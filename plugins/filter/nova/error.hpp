// SPDX-License-Identifier: Apache-2.0
//
// Where Nova's scheduler would end a request with an exception, a function of this driver returns a nova_error: a
// value, never thrown on the decision path.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace filter_driver {

struct nova_error {
  std::string raises;    // Nova's exception class, such as "CPUPinningInvalid"; empty: an input that makes no sense
  std::string sentence;  // what is wrong, with the offending value
};

// A value, or the error in its place.
template <class Value>
class nova_result {
 public:
  nova_result(Value value) : value_(std::move(value)) {}
  nova_result(nova_error error) : error_(std::move(error)) {}

  explicit operator bool() const { return value_.has_value(); }
  Value& operator*() { return *value_; }
  const Value& operator*() const { return *value_; }
  Value* operator->() { return &*value_; }
  const Value* operator->() const { return &*value_; }
  const nova_error& error() const { return error_; }

 private:
  std::optional<Value> value_;
  nova_error error_;
};

}  // namespace filter_driver

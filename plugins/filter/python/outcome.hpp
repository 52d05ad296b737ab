// SPDX-License-Identifier: Apache-2.0
//
// The result of one of Nova's rules: a value, or the exception that Python would have raised. In Nova the exception
// ends the whole request.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace filter_driver {

// An error. `kind` is the class of Python's exception (ValueError, CPUPinningInvalid). An empty kind means that the
// input is invalid, without an exception of Python's. `sentence` says what is wrong and shows the offending value.
// Functions return a `raised`. They never throw it.
struct raised {
  std::string kind;
  std::string sentence;
};

// A value, or the error that took its place.
template <class T>
class [[nodiscard]] outcome {
 public:
  outcome(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  outcome(raised error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }
  // Call these only if ok().
  const T& value() const { return std::get<0>(held_); }
  T& value() { return std::get<0>(held_); }
  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  // Call this only if not ok().
  const raised& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, raised> held_;
};

}  // namespace filter_driver

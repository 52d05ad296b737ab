// SPDX-License-Identifier: Apache-2.0
//
// What a rule of Nova's gives: a value, or what Python would have raised (it ends the whole request in Nova).
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace filter_driver {

// `kind` is the exception's class (ValueError, CPUPinningInvalid), empty for an input that makes no sense; `sentence` says what
// is wrong, with the offending value. A value that is returned, never thrown on the decision path.
struct raised {
  std::string kind;
  std::string sentence;
};

template <class T>
class [[nodiscard]] outcome {
 public:
  outcome(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  outcome(raised error) : held_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return held_.index() == 0; }
  explicit operator bool() const { return ok(); }
  // Only if ok().
  const T& value() const { return std::get<0>(held_); }
  T& value() { return std::get<0>(held_); }
  const T& operator*() const { return value(); }
  T& operator*() { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  // Only if not ok().
  const raised& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, raised> held_;
};

}  // namespace filter_driver

// SPDX-License-Identifier: Apache-2.0
//
// The outcome of a function that can fail: a value or an error. Each caller that passes an error on may put its own
// task in front of the message ("loading driver ip: ...").
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gantry {

// The kind of a failure. The names are part of the API (error.code) and never change. The store keeps the codes as
// numbers, so a new code goes last.
enum class ErrorCode {
  invalid_argument,       // an argument of the call is wrong
  not_found,              // the call names something that does not exist
  already_exists,         // the call would make something that exists already
  failed_precondition,    // the call is right, but the present state does not allow it
  no_valid_host,          // no host fits the request
  permission_denied,      // the caller is known, but may not make this call
  deadline_exceeded,      // the deadline passed before the end of the call
  resource_exhausted,     // a limit was reached: space, memory or a number
  unsupported,            // the method does not exist, or the driver does not offer it
  unavailable,            // a retry of the same call may succeed later
  invalid_configuration,  // the config or a driver's file was refused
  internal,               // a fault in Gantry or in a driver
  unauthenticated,        // the caller has not proved its identity
};

// Returns the code's name in the API: "no_valid_host" and so on.
std::string_view name_of(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
  std::string details;  // the text of a JSON object, or empty

  // Returns the same error with "<what>: " in front of its message.
  [[nodiscard]] Error within(std::string_view what) && {
    message.insert(0, ": ").insert(0, what);
    return std::move(*this);
  }
};

// A value of type T or an Error. Converts to true if there is a value. Check this before * and -> (the value) or
// error().
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() & { return *check(); }
  const T& operator*() const& { return *const_cast<Result*>(this)->check(); }
  T&& operator*() && { return std::move(*check()); }
  T* operator->() { return check(); }
  const T* operator->() const { return const_cast<Result*>(this)->check(); }
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  T* check() {
    assert(state_.index() == 0);
    return std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  explicit operator bool() const { return !failed_; }
  Error& error() & { return error_; }
  const Error& error() const& { return error_; }
  Error&& error() && { return std::move(error_); }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace gantry

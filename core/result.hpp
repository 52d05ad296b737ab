// SPDX-License-Identifier: Apache-2.0
//
// A value or the error that took its place. Errors gather context on the way up: each level may say in front
// what it was doing ("loading driver ip: ...").
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace gantry {

// The kind of a failure. The names are part of the API (error.code) and never change.
enum class ErrorCode {
  invalid_argument,       // the caller's words are wrong
  not_found,              // names something that is not there
  already_exists,         // names something that is there already
  failed_precondition,    // right words, wrong moment
  no_valid_host,          // nothing fits
  permission_denied,      // the caller is known and may not
  deadline_exceeded,      // time ran out
  resource_exhausted,     // a bound was reached
  unsupported,            // no such method, or the driver does not offer it
  unavailable,            // not now; the same call may work later
  invalid_configuration,  // config or driver file refused
  internal,               // our fault, or a driver's
  unauthenticated,        // who calls has not shown who it is; last, since stored answers have these as numbers
};

// "no_valid_host" and so on.
std::string_view name_of(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
  std::string details;  // JSON object text, or empty

  // The same error, with "<what>: " in front of its message.
  [[nodiscard]] Error within(std::string_view what) && {
    message.insert(0, ": ").insert(0, what);
    return std::move(*this);
  }
};

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

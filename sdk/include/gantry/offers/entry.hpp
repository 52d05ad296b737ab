// SPDX-License-Identifier: Apache-2.0
//
// The common part of the C tables of filters and weighers: how an offer's object is created and destroyed, and where
// the lambda is kept from which an offer was made. Base is gantry::filter or gantry::weigher.
#pragma once

#include <gantry/ext/offers.h>
#include <gantry/driver/entry.hpp>

#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gantry::detail {

// The object behind a gantry_offered pointer: the filter or weigher, and its host.
template <class Base>
struct offered_instance {
  const gantry_host* host;
  std::unique_ptr<Base> self;
};

template <class Base>
offered_instance<Base>& offered_as(gantry_offered* opaque) noexcept {
  return *reinterpret_cast<offered_instance<Base>*>(opaque);
}

template <class Class>
std::unique_ptr<Class> make_offered(call& call, const options& options) {
  if constexpr (has_create<Class>::value) {
    return Class::create(call, options);
  } else if constexpr (std::is_constructible_v<Class, const gantry::options&>) {
    return std::make_unique<Class>(options);
  } else {
    static_assert(
        std::is_default_constructible_v<Class>,
        "a filter or weigher needs a default constructor, a constructor that takes const gantry::options&, or "
        "static std::unique_ptr<Class> create(gantry::call&, const gantry::options&)");
    return std::make_unique<Class>();
  }
}

template <class Base, class Class>
gantry_code create_offered(const gantry_host* host, gantry_call* raw_call, const gantry_options* raw_options,
                           gantry_offered** out) noexcept {
  return guarded(*host, raw_call, [&](call& call) {
    std::unique_ptr<Base> self = make_offered<Class>(call, options(*raw_options));
    if (self == nullptr) {
      return call.failed() != code::ok ? call.failed()
                                       : call.fail(code::internal, "create made nothing and said not why");
    }
    using made = offered_instance<Base>;
    *out = reinterpret_cast<gantry_offered*>(std::make_unique<made>(made{host, std::move(self)}).release());
    return code::ok;
  });
}

template <class Base>
void destroy_offered(gantry_offered* opaque) noexcept {
  std::unique_ptr<offered_instance<Base>>(&offered_as<Base>(opaque)).reset();
}

// Holds the lambda from which an offer was made. Each lambda has its own type and no state, so one value for each type
// is enough.
template <class Function>
struct kept_function {
  static_assert(std::is_class_v<Function> && std::is_empty_v<Function>,
                "expected a lambda that captures nothing: two offers made of one type would be one; write a class that "
                "derives from gantry::host_filter or gantry::host_weigher");
  static inline std::optional<Function> value;
};

// Returns `flag` if `is_set`, else 0.
constexpr std::uint32_t flag_if(bool is_set, std::uint32_t flag) noexcept {
  return is_set ? flag : 0;
}

// Throws gantry::failure if the deadline has passed. For loops over hosts. `asked` counts the calls and starts at 0:
// only every 4096th call checks the deadline.
inline void stop_at_deadline(const call& call, std::uint32_t& asked) {
  constexpr std::uint32_t often_enough = 4096;
  if (++asked % often_enough == 0 && call.should_stop()) {
    throw failure(code::deadline_exceeded, "the deadline passed while hosts were looked at");
  }
}

}  // namespace gantry::detail

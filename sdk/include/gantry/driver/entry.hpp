// SPDX-License-Identifier: Apache-2.0
//
// The parts of GANTRY_DRIVER: a table of operations for the driver's class, and a function that reads the manifest's id
// and version at compile time. Each operation catches every exception.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/call.hpp>
#include <gantry/driver/driver.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/options.hpp>
#include <gantry/driver/request.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>

namespace gantry::detail {

// Returns the value of a line  key = 'value'  above the manifest's first table. Empty if there is no such line.
constexpr std::string_view manifest_value(std::string_view manifest, std::string_view key) noexcept {
  while (!manifest.empty()) {
    const std::size_t end = manifest.find('\n');
    std::string_view line = manifest.substr(0, end);
    manifest = end == std::string_view::npos ? std::string_view() : manifest.substr(end + 1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (!line.empty() && line.front() == '[') return {};
    if (line.substr(0, key.size()) != key) continue;
    line.remove_prefix(key.size());
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.empty() || line.front() != '=') continue;
    line.remove_prefix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.empty() || (line.front() != '\'' && line.front() != '"')) return {};
    const std::size_t close = line.find(line.front(), 1);
    return close == std::string_view::npos ? std::string_view() : line.substr(1, close - 1);
  }
  return {};
}

// The object behind a gantry_driver pointer.
struct instance {
  const gantry_host* host;
  std::unique_ptr<driver> self;
};

inline instance& of(gantry_driver* opaque) noexcept {
  return *reinterpret_cast<instance*>(opaque);
}

// Runs operation(call) and returns its code. An exception becomes a code, and a sentence that the host is told.
template <class Operation>
gantry_code guarded(const gantry_host& host, gantry_call* raw_call, Operation&& operation) noexcept {
  const auto failed = [&](code code, std::string_view sentence) {
    return host.fail(raw_call, static_cast<gantry_code>(code), raw(sentence));
  };
  try {
    call call(host, raw_call);
    return static_cast<gantry_code>(operation(call));
  } catch (const host_failure& error) {
    return static_cast<gantry_code>(error.code());
  } catch (const failure& error) {
    return failed(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(code::resource_exhausted, "out of memory");
  } catch (const std::exception& error) {
    return failed(code::internal, error.what());
  } catch (...) {
    return failed(code::internal, "an exception that is no std::exception");
  }
}

// True if the class has a function create(call&, const options&).
template <class Class, class = void>
struct has_create : std::false_type {};
template <class Class>
struct has_create<Class, std::void_t<decltype(Class::create(std::declval<call&>(), std::declval<const options&>()))>>
    : std::true_type {};

template <class Class>
std::unique_ptr<driver> make(call& call, const options& options) {
  if constexpr (has_create<Class>::value) {
    static_assert(std::is_same_v<decltype(Class::create(call, options)), std::unique_ptr<Class>>,
                  "create is to return std::unique_ptr of the class that GANTRY_DRIVER names, not of a base");
    return Class::create(call, options);
  } else {
    static_assert(std::is_default_constructible_v<Class>,
                  "a driver needs a default constructor, or static std::unique_ptr<Class> create(gantry::call&, const "
                  "gantry::options&)");
    return std::make_unique<Class>();
  }
}

template <class Class>
gantry_code create(const gantry_host* host, gantry_call* raw_call, const gantry_options* raw_options,
                   gantry_driver** out) noexcept {
  return guarded(*host, raw_call, [&](call& call) {
    std::unique_ptr<driver> self = make<Class>(call, options(*raw_options));
    if (self == nullptr) {
      return call.failed() != code::ok ? call.failed()
                                       : call.fail(code::internal, "create made no driver and said not why");
    }
    *out = reinterpret_cast<gantry_driver*>(std::make_unique<instance>(instance{host, std::move(self)}).release());
    return code::ok;
  });
}

inline void destroy(gantry_driver* opaque) noexcept {
  std::unique_ptr<instance>(&of(opaque)).reset();
}

inline gantry_code select_destinations(gantry_driver* opaque, gantry_call* raw_call,
                                       const gantry_request* raw_request) noexcept {
  return guarded(*of(opaque).host, raw_call,
                 [&](call& call) { return of(opaque).self->select_destinations(call, request(call, *raw_request)); });
}

inline gantry_code schedule_run_instance(gantry_driver* opaque, gantry_call* raw_call,
                                         const gantry_request* raw_request) noexcept {
  return guarded(*of(opaque).host, raw_call,
                 [&](call& call) { return of(opaque).self->schedule_run_instance(call, request(call, *raw_request)); });
}

inline gantry_code hosts_up(gantry_driver* opaque, gantry_call* raw_call, const gantry_view* raw_view,
                            std::uint64_t* rows_out) noexcept {
  return guarded(*of(opaque).host, raw_call, [&](call& call) {
    bitmap rows(rows_out, raw_view->rows);
    return of(opaque).self->hosts_up(call, call.view_of(*raw_view), rows);
  });
}

inline gantry_code group_hosts(gantry_driver* opaque, gantry_call* raw_call, const gantry_group* group,
                               const gantry_view* raw_view, std::uint64_t* rows_out) noexcept {
  return guarded(*of(opaque).host, raw_call, [&](call& call) {
    bitmap rows(rows_out, raw_view->rows);
    return of(opaque).self->group_hosts(call, *group, call.view_of(*raw_view), rows);
  });
}

inline gantry_code update_service_capabilities(gantry_driver* opaque, gantry_call* raw_call, gantry_string service,
                                               gantry_string host, gantry_string capabilities) noexcept {
  return guarded(*of(opaque).host, raw_call, [&](call& call) {
    return of(opaque).self->update_service_capabilities(call, text(service), text(host), text(capabilities));
  });
}

inline gantry_code call_method(gantry_driver* opaque, gantry_call* raw_call,
                               const gantry_method_call* method) noexcept {
  return guarded(*of(opaque).host, raw_call,
                 [&](call& call) { return of(opaque).self->call_method(call, method_call(call, *method)); });
}

inline const void* extension(gantry_driver* opaque, gantry_string id) noexcept {
  return of(opaque).self->extension(text(id));
}

// Returns `operation` if the class overrides the function of gantry::driver. Returns NULL if the class inherits the
// function: the host's default then applies.
template <class Overridden, class Inherited, class Operation>
constexpr Operation* if_overridden(Overridden, Inherited, Operation* operation) noexcept {
  return std::is_same_v<Overridden, Inherited> ? nullptr : operation;
}

template <class Class>
constexpr gantry_driver_ops operations() noexcept {
  static_assert(std::is_base_of_v<driver, Class>, "GANTRY_DRIVER takes a class that derives from gantry::driver");
  constexpr bool selects =
      !std::is_same_v<decltype(&Class::select_destinations), decltype(&driver::select_destinations)>;
  constexpr bool runs =
      !std::is_same_v<decltype(&Class::schedule_run_instance), decltype(&driver::schedule_run_instance)>;
  constexpr bool has_methods = !std::is_same_v<decltype(&Class::call_method), decltype(&driver::call_method)>;
  static_assert(selects == runs && (selects || has_methods),
                "a driver overrides both select_destinations and schedule_run_instance, or call_method alone");
  return {sizeof(gantry_driver_ops),
          0,
          create<Class>,
          destroy,
          selects ? select_destinations : nullptr,
          runs ? schedule_run_instance : nullptr,
          if_overridden(&Class::hosts_up, &driver::hosts_up, hosts_up),
          if_overridden(&Class::group_hosts, &driver::group_hosts, group_hosts),
          if_overridden(&Class::update_service_capabilities, &driver::update_service_capabilities,
                        update_service_capabilities),
          if_overridden(&Class::call_method, &driver::call_method, call_method),
          if_overridden(&Class::extension, &driver::extension, extension)};
}

template <class Class>
inline constexpr gantry_driver_ops operations_of = operations<Class>();

// Returns whether a host of this version can load the driver: the majors are equal and, while the major is 0, the
// minors as well (driver.h, convention 9).
constexpr bool fits_host(std::uint32_t host_major, std::uint32_t host_minor) noexcept {
  return host_major == GANTRY_ABI_MAJOR && (GANTRY_ABI_MAJOR != 0 || host_minor == GANTRY_ABI_MINOR);
}

}  // namespace gantry::detail

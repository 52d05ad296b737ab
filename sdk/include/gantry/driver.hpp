// SPDX-License-Identifier: Apache-2.0
//
// The driver SDK for C++17 and later: header-only, over the C ABI in driver.h. A driver is a class and one line:
//
//   #include <gantry/driver.hpp>
//
//   class first_fit final : public gantry::driver {
//    public:
//     gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
//       gantry::narrowing found = gantry::candidates(call, request);
//       for (std::uint32_t instance = 0; instance < request.instances(); ++instance) {
//         if (found.left() == 0) return call.fail(gantry::code::no_valid_host, found.emptied_by());
//         const gantry::code code = call.pick(instance, found.rows().nth(0));
//         if (code != gantry::code::ok) return code;
//       }
//       return gantry::code::ok;
//     }
//     ...
//   };
//
//   GANTRY_DRIVER(first_fit, R"(
//   id = 'first_fit'
//   version = '1.0.0'
//   description = 'the first host that is up'
//   topics = ['compute']
//   threads = 'reentrant'
//   [columns]
//   needs = ['up', 'disabled', 'host']
//   )");
//
// The parts, in the order in which they are worth reading: driver/driver.hpp (what to override), driver/call.hpp (what
// the host offers), driver/request.hpp, driver/view.hpp and driver/bitmap.hpp (what to decide on),
// driver/candidates.hpp (the rules that most drivers share), driver/placement.hpp (the loop over instances),
// driver/options.hpp (configuration). driver/offers.hpp is for a driver that takes filters and weighers from libraries.
// gantry/testing/fake_host.hpp tests a driver without a daemon.
//
// A class that wants its options, or may fail to start, has
//   static std::unique_ptr<Class> create(gantry::call& call, const gantry::options& options);
// which returns nullptr after call.fail. Otherwise its default constructor is used.
#pragma once

#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/candidates.hpp>
#include <gantry/driver/driver.hpp>
#include <gantry/driver/entry.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/host_explanation.hpp>
#include <gantry/driver/options.hpp>
#include <gantry/driver/placement.hpp>
#include <gantry/driver/request.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/driver/view.hpp>

// Once, at the end of one source file, outside of any namespace. `manifest` is a text literal, as driver.h describes
// it.
#define GANTRY_DRIVER(Class, manifest)                                                                      \
  GANTRY_MANIFEST(manifest);                                                                                \
  extern "C" const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {      \
    static constexpr std::string_view manifest_text(manifest);                                              \
    static constexpr std::string_view id = ::gantry::detail::manifest_value(manifest_text, "id");           \
    static constexpr std::string_view version = ::gantry::detail::manifest_value(manifest_text, "version"); \
    static_assert(!id.empty(), "the manifest needs a line  id = '...'  above its first [table]");           \
    static_assert(!version.empty(), "the manifest needs a line  version = '...'  above its first [table]"); \
    static constexpr gantry_driver_info info = {GANTRY_MAGIC,                                               \
                                                sizeof(gantry_driver_info),                                 \
                                                GANTRY_ABI_MAJOR,                                           \
                                                GANTRY_ABI_MINOR,                                           \
                                                ::gantry::raw(id),                                          \
                                                ::gantry::raw(version),                                     \
                                                &::gantry::detail::operations_of<Class>};                   \
    return ::gantry::detail::fits_host(host_major, host_minor) ? &info : nullptr;                           \
  }                                                                                                         \
  static_assert(true, "")

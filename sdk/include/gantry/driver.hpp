// SPDX-License-Identifier: Apache-2.0
//
// The driver SDK for C++17 and later. It is header-only and wraps the C ABI of driver.h. A driver is a class and one
// macro:
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
// Read the parts in this order:
//   driver/driver.hpp            the functions to override
//   driver/call.hpp              the services of the host
//   driver/request.hpp, driver/view.hpp, driver/bitmap.hpp   the input of a decision
//   driver/candidates.hpp        the rules that most drivers share
//   driver/group_rules.hpp       server groups, by the rules of affinity and anti-affinity
//   driver/placement.hpp         the loop over the instances of a request
//   driver/options.hpp           the driver's configuration
//   driver/host_explanation.hpp  why single hosts were chosen or left out
//   driver/json.hpp              small JSON documents: arguments of methods, replies
//   driver/capacity.hpp          how many more instances fit, for drivers that can count them
//   driver/offers.hpp            filters and weighers from libraries, for drivers that use them
// gantry/testing/fake_host.hpp tests a driver without a daemon.
//
// A class that needs its options, or that may fail to start, has a function
//   static std::unique_ptr<Class> create(gantry::call& call, const gantry::options& options);
// To fail, create calls call.fail and returns nullptr. A class without this function is default-constructed.
#pragma once

#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/candidates.hpp>
#include <gantry/driver/driver.hpp>
#include <gantry/driver/entry.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/host_explanation.hpp>
#include <gantry/driver/json.hpp>
#include <gantry/driver/options.hpp>
#include <gantry/driver/placement.hpp>
#include <gantry/driver/request.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/driver/view.hpp>

// Defines the entry of a driver. Use it once, at the end of one source file, outside of any namespace. `manifest` is a
// string literal with the manifest that driver.h describes.
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

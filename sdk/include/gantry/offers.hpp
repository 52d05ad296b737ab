// SPDX-License-Identifier: Apache-2.0
//
// The SDK for a library of filters and weighers ("offers"), for C++17 and later. Some drivers use libraries of offers,
// e.g. the filter driver. Example:
//
//   #include <gantry/filter.hpp>
//
//   GANTRY_OFFERS(R"(
//   id = 'site_filters'
//   version = '1.0.0'
//   description = 'the rules of our site'
//   [offers.RackFilter]
//   kind = 'gantry.filter/1'
//   help = 'keeps to the rack that the hint rack names'
//   threads = 'reentrant'
//   columns.needs = ['stats.rack:string']
//   )", gantry::offer_host_filter("RackFilter", [](const gantry::host_row_view& host, const gantry::request& request) {
//     return request.hint("rack").empty() || host.text("stats.rack") == gantry::text(request.hint("rack")[0]);
//   }));
//
// Build the library by gantry_add_offers(site_filters SOURCES ...) in CMake. Put site_filters.so into the driver
// directory and name the file in  libraries = ["site_filters.so"]  of [driver.filter]. ext/offers.h describes the
// manifest. filter.hpp and weigher.hpp have the base classes. gantry/testing/fake_offer.hpp tests offers without a
// daemon.
#pragma once

#include <gantry/ext/offers.h>
#include <gantry/driver.hpp>
#include <gantry/offers/entry.hpp>
#include <gantry/offers/host_row.hpp>

// Defines the entry of a library of offers. Use it once, at the end of one source file, outside of any namespace. The
// first argument is the manifest, a string literal. The other arguments are the offers of the manifest, each made by
// gantry::offer_filter<Class>("Name"), gantry::offer_host_filter("Name", lambda), gantry::offer_weigher<Class>("Name")
// or gantry::offer_host_weigher("Name", lambda).
#define GANTRY_OFFERS(manifest, ...)                                                                              \
  GANTRY_MANIFEST(manifest);                                                                                      \
  extern "C" const gantry_offers_info* gantry_offers_entry(uint32_t host_major, uint32_t host_minor) {            \
    static constexpr std::string_view manifest_text(manifest);                                                    \
    static constexpr std::string_view id = ::gantry::detail::manifest_value(manifest_text, "id");                 \
    static constexpr std::string_view version = ::gantry::detail::manifest_value(manifest_text, "version");       \
    static_assert(!id.empty(), "the manifest needs a line  id = '...'  above its first [table]");                 \
    static_assert(!version.empty(), "the manifest needs a line  version = '...'  above its first [table]");       \
    static const gantry_offer offers[] = {__VA_ARGS__};                                                           \
    static const gantry_offers_info info = {                                                                      \
        GANTRY_MAGIC,        sizeof(gantry_offers_info), GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR,                      \
        ::gantry::raw(id),   ::gantry::raw(version),     offers,           sizeof(offers) / sizeof(gantry_offer), \
        sizeof(gantry_offer)};                                                                                    \
    return ::gantry::detail::fits_host(host_major, host_minor) ? &info : nullptr;                                 \
  }                                                                                                               \
  static_assert(true, "")

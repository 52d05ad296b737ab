// SPDX-License-Identifier: Apache-2.0
//
// A library of filters and weighers for a driver that takes them, as the filter driver does. For C++17 and later:
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
// It is built by gantry_add_offers(site_filters SOURCES ...), put into the driver directory as site_filters.so, and
// named in  libraries = ["site_filters.so"]  of [driver.filter]. ext/offers.h describes the manifest. filter.hpp and
// weigher.hpp have the classes for whole columns, gantry/testing/fake_offer.hpp tests them without a daemon.
#pragma once

#include <gantry/ext/offers.h>
#include <gantry/driver.hpp>
#include <gantry/offers/entry.hpp>
#include <gantry/offers/host_row.hpp>

// Once, at the end of one source file, outside of any namespace. Behind the manifest, a text literal, each offer that
// it names: gantry::offer_filter<Class>("Name"), gantry::offer_host_filter("Name", lambda) and the same for weighers.
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

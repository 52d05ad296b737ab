// SPDX-License-Identifier: Apache-2.0
//
// Copies the structs of the ABI that may grow. Driver and host may come from different minor versions and know
// different sizes of a struct. The fields that both know are copied, and the other fields are zero. Both know at least
// the fields of the ABI's first version.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gantry/driver.h"
#include "gantry/ext/filter.h"
#include "gantry/ext/offers.h"
#include "gantry/ext/weigher.h"

namespace gantry::drivers {

// The size of a struct in the ABI's first version: up to the end of the last field of that version. The size may change
// only with a new major version or, while the major is 0, with a new minor version.
template <class T>
inline constexpr std::size_t first_size = 0;
template <>
inline constexpr std::size_t first_size<gantry_driver_info> = offsetof(gantry_driver_info, ops) +
                                                              sizeof(gantry_driver_info::ops);
template <>
inline constexpr std::size_t first_size<gantry_driver_ops> = offsetof(gantry_driver_ops, extension) +
                                                             sizeof(gantry_driver_ops::extension);
template <>
inline constexpr std::size_t first_size<gantry_pick> = offsetof(gantry_pick, item_stride) +
                                                       sizeof(gantry_pick::item_stride);
template <>
inline constexpr std::size_t first_size<gantry_claim_item> = offsetof(gantry_claim_item, reserved0) +
                                                             sizeof(gantry_claim_item::reserved0);
template <>
inline constexpr std::size_t first_size<gantry_claim> = offsetof(gantry_claim, item_stride) +
                                                        sizeof(gantry_claim::item_stride);
template <>
inline constexpr std::size_t first_size<gantry_cast> = offsetof(gantry_cast, args) + sizeof(gantry_cast::args);
template <>
inline constexpr std::size_t first_size<gantry_step> = offsetof(gantry_step, reason) + sizeof(gantry_step::reason);
template <>
inline constexpr std::size_t first_size<gantry_verdict> = offsetof(gantry_verdict, reserved0) +
                                                          sizeof(gantry_verdict::reserved0);
template <>
inline constexpr std::size_t first_size<gantry_term> = offsetof(gantry_term, multiplier) +
                                                       sizeof(gantry_term::multiplier);
template <>
inline constexpr std::size_t first_size<gantry_host_explanation> = offsetof(gantry_host_explanation, rank) +
                                                                   sizeof(gantry_host_explanation::rank);
template <>
inline constexpr std::size_t first_size<gantry_location> = offsetof(gantry_location, vm_state) +
                                                           sizeof(gantry_location::vm_state);
template <>
inline constexpr std::size_t first_size<gantry_writable> = offsetof(gantry_writable, validity) +
                                                           sizeof(gantry_writable::validity);
template <>
inline constexpr std::size_t first_size<gantry_offers_info> = offsetof(gantry_offers_info, offer_stride) +
                                                              sizeof(gantry_offers_info::offer_stride);
template <>
inline constexpr std::size_t first_size<gantry_offer> = offsetof(gantry_offer, table) + sizeof(gantry_offer::table);
template <>
inline constexpr std::size_t first_size<gantry_filter_ops> = offsetof(gantry_filter_ops, reason) +
                                                             sizeof(gantry_filter_ops::reason);
template <>
inline constexpr std::size_t first_size<gantry_weigher_ops> = offsetof(gantry_weigher_ops, multiplier) +
                                                              sizeof(gantry_weigher_ops::multiplier);

// Returns a driver's struct in the size that the host knows. `size`: the size that the driver knows.
template <class T>
T known_part(const T& given, std::size_t size) {
  T known{};
  std::memcpy(&known, &given, std::min(size, sizeof(T)));
  return known;
}
// Takes the size from the struct's struct_size.
template <class T>
T known_part(const T& given) {
  T known = known_part(given, given.struct_size);
  known.struct_size = sizeof(T);
  return known;
}

// Copies `value` into a struct of the driver, up to the size that the driver knows. Leaves struct_size unchanged.
template <class T>
void fill_in(T& out, T value) {
  value.struct_size = out.struct_size;
  std::memcpy(&out, &value, std::min<std::size_t>(out.struct_size, sizeof(T)));
}

}  // namespace gantry::drivers

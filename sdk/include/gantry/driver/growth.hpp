// SPDX-License-Identifier: Apache-2.0
//
// Structs that may grow, as driver and host of different minor versions read them (convention 3 of driver.h).
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/candidates.h>
#include <gantry/ext/explain.h>
#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gantry {

// The end of the last field that a struct has in the ABI's first version. Both sides know at least these fields. While
// the major is 0, a new minor version is a first version.
template <class T>
inline constexpr std::size_t first_size = 0;
template <>
inline constexpr std::size_t first_size<gantry_driver_info> = GANTRY_END_OF(gantry_driver_info, ops);
template <>
inline constexpr std::size_t first_size<gantry_driver_ops> = GANTRY_END_OF(gantry_driver_ops, extension);
template <>
inline constexpr std::size_t first_size<gantry_pick> = GANTRY_END_OF(gantry_pick, reserved0);
template <>
inline constexpr std::size_t first_size<gantry_claim_item> = GANTRY_END_OF(gantry_claim_item, reserved0);
template <>
inline constexpr std::size_t first_size<gantry_claim> = GANTRY_END_OF(gantry_claim, item_stride);
template <>
inline constexpr std::size_t first_size<gantry_cast> = GANTRY_END_OF(gantry_cast, args);
template <>
inline constexpr std::size_t first_size<gantry_step> = GANTRY_END_OF(gantry_step, reason);
template <>
inline constexpr std::size_t first_size<gantry_verdict> = GANTRY_END_OF(gantry_verdict, reserved0);
template <>
inline constexpr std::size_t first_size<gantry_term> = GANTRY_END_OF(gantry_term, multiplier);
template <>
inline constexpr std::size_t first_size<gantry_host_explanation> = GANTRY_END_OF(gantry_host_explanation, rank);
template <>
inline constexpr std::size_t first_size<gantry_location> = GANTRY_END_OF(gantry_location, vm_state);
template <>
inline constexpr std::size_t first_size<gantry_writable> = GANTRY_END_OF(gantry_writable, validity);
template <>
inline constexpr std::size_t first_size<gantry_offers_info> = GANTRY_END_OF(gantry_offers_info, offer_stride);
template <>
inline constexpr std::size_t first_size<gantry_offer> = GANTRY_END_OF(gantry_offer, table);
template <>
inline constexpr std::size_t first_size<gantry_filter_ops> = GANTRY_END_OF(gantry_filter_ops, reason);
template <>
inline constexpr std::size_t first_size<gantry_weigher_ops> = GANTRY_END_OF(gantry_weigher_ops, multiplier);

// The greatest size of a driver's struct or element, in each minor.
inline constexpr std::size_t most_struct_bytes = 4096;

// Returns whether each byte is 0 behind the part of the driver's struct that this side knows. A field that is set there
// would be lost.
template <class T>
bool asks_for_no_more(const T& given, std::size_t size) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&given);
  return std::all_of(bytes + std::min(size, sizeof(T)), bytes + size, [](unsigned char byte) { return byte == 0; });
}

// Copies `value` into a struct of the other side, up to the size that both know, which struct_size then says.
template <class T>
void fill_in(T& out, T value) {
  const std::size_t both = std::min<std::size_t>(out.struct_size, sizeof(T));
  value.struct_size = static_cast<std::uint32_t>(both);
  std::memcpy(&out, &value, both);
}

}  // namespace gantry

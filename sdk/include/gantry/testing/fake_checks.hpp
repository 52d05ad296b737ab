// SPDX-License-Identifier: Apache-2.0
//
// The fake host's checks of a driver's results. A result that breaks the ABI's rules is noted in outcome::misuse, and
// the call fails by the driver's fault, as in the real host.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/growth.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/testing/fake_call.hpp>
#include <gantry/testing/fake_state.hpp>
#include <gantry/testing/json_check.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing::services {

inline std::string owned(gantry_string string) {
  return std::string(text(string));
}

// Notes a misuse and returns the code that the driver gets.
inline gantry_code misuse(fake_call& call, std::string what) {
  call.result.misuse.push_back(std::move(what));
  return GANTRY_INVALID_ARGUMENT;
}

// Notes a misuse unless `holds`. Returns `holds`.
inline bool require(fake_call& call, bool holds, const std::string& what) {
  if (!holds) misuse(call, what);
  return holds;
}

// Notes a misuse unless a driver's struct or element has all fields of the ABI's first version, and none that the host
// does not know.
template <class T>
bool is_whole(fake_call& call, const T& given, std::size_t size, const std::string& what) {
  return require(call, size >= first_size<T> && size <= most_struct_bytes,
                 what + ": expected a size of " + std::to_string(first_size<T>) + " to " +
                     std::to_string(most_struct_bytes) + ", found " + std::to_string(size)) &&
         require(call, asks_for_no_more(given, size), what + ": expected no field of a later ABI");
}

// Notes a misuse unless the row exists in the call's view.
inline bool knows_row(fake_call& call, std::uint32_t row, const char* function) {
  const std::uint32_t rows = call.view == nullptr ? 0 : call.view->raw().rows;
  return require(
      call, row < rows,
      std::string(function) + ": expected a row below " + std::to_string(rows) + ", found " + std::to_string(row));
}

// Notes a misuse unless the operation of the call takes results of this kind.
inline bool takes(fake_call& call, bool in_operation, const char* function) {
  return require(call, in_operation, std::string(function) + ": expected another operation to call it");
}

// Notes a misuse unless the text is a name: not empty, UTF-8, not too long.
inline bool is_name(fake_call& call, gantry_string name, const std::string& what) {
  return require(call, !text(name).empty() && is_utf8(text(name)), what + ": expected text in UTF-8") &&
         require(call, name.size <= GANTRY_MOST_NAME_BYTES,
                 what + ": expected at most " + std::to_string(GANTRY_MOST_NAME_BYTES) + " bytes, found " +
                     std::to_string(name.size));
}

// Notes a misuse unless the text is a JSON object, or any JSON, of at most `most` bytes.
inline bool is_json(fake_call& call, gantry_string json, bool object, std::uint64_t most, const std::string& what) {
  json_check check(text(json));
  return require(call, json.size <= most,
                 what + ": expected at most " + std::to_string(most) + " bytes, found " + std::to_string(json.size)) &&
         require(call, object ? check.is_object() : check.is_json(),
                 what + (object ? ": expected a JSON object" : ": expected JSON"));
}

// Returns NaN if the bit is not in `present`.
inline double if_present(std::uint32_t present, std::uint32_t bit, double number) {
  return (present & bit) != 0 ? number : std::numeric_limits<double>::quiet_NaN();
}

inline bool is_amount(double number) {
  return std::isfinite(number) && number >= 0;
}

// Notes a misuse if the item is invalid.
inline bool is_item(fake_call& call, const gantry_claim_item& item, const std::string& function) {
  return is_name(call, item.resource, function + ", resource of an item") &&
         require(call, is_amount(item.amount), function + ": expected an amount that is finite and not negative") &&
         require(call, (item.present & ~std::uint32_t{GANTRY_CLAIM_LIMIT}) == 0 && item.reserved0 == 0,
                 function + ": expected no bits of an item that mean nothing") &&
         require(call, (item.present & GANTRY_CLAIM_LIMIT) == 0 || is_amount(item.limit),
                 function + ": expected a limit that is finite and not negative");
}

// Reads the items of a pick or claim into `items`. Returns false and notes a misuse if an item is invalid.
template <class Holder>
bool read_items(fake_call& call, const Holder& holder, std::uint32_t least, const char* function,
                std::vector<claimed_item>& items) {
  const std::uint32_t count = holder.items == nullptr ? 0 : holder.item_count;
  if (!require(call, count >= least && count == holder.item_count && count <= GANTRY_MOST_ITEMS,
               std::string(function) + ": expected " + std::to_string(least) + " to " +
                   std::to_string(GANTRY_MOST_ITEMS) + " items, found " + std::to_string(holder.item_count)) ||
      !require(call, count == 0 || holder.item_stride % 8 == 0,
               std::string(function) + ": expected item_stride to be a multiple of 8")) {
    return false;
  }
  const char* at = reinterpret_cast<const char*>(holder.items);
  for (std::uint32_t index = 0; index < count; ++index, at += holder.item_stride) {
    const gantry_claim_item& item = *reinterpret_cast<const gantry_claim_item*>(at);
    if (!is_whole(call, item, holder.item_stride, std::string(function) + ", item_stride") ||
        !is_item(call, item, function)) {
      return false;
    }
    items.push_back({owned(item.resource), item.amount, if_present(item.present, GANTRY_CLAIM_LIMIT, item.limit)});
  }
  return true;
}

// Notes a misuse if an item of a pick names what the pick itself claims.
inline bool are_further_items(fake_call& call, const std::vector<claimed_item>& items) {
  for (const claimed_item& item : items) {
    const bool is_own = item.resource == "vcpu" || item.resource == "memory_mb" || item.resource == "disk_gb" ||
                        item.resource == "instances";
    if (!require(call, !is_own, "pick: expected items beside what the pick itself claims, found " + item.resource))
      return false;
  }
  return true;
}

// Notes a misuse if a number or text of the pick or alternate is invalid.
inline bool has_valid_limits(fake_call& call, const gantry_pick& pick, const std::string& function) {
  constexpr std::uint32_t known = GANTRY_LIMIT_VCPU | GANTRY_LIMIT_MEMORY_MB | GANTRY_LIMIT_DISK_GB |
                                  GANTRY_PICK_WEIGHT | GANTRY_PICK_APART | GANTRY_PICK_TOGETHER;
  const auto is_limit = [&pick](std::uint32_t bit, double limit) {
    return (pick.present & bit) == 0 || is_amount(limit);
  };
  return require(call, (pick.present & ~known) == 0 && pick.reserved0 == 0,
                 function + ": expected known bits in present and 0 for reserved0") &&
         require(call, (pick.present & GANTRY_PICK_WEIGHT) == 0 || std::isfinite(pick.weight),
                 function + ": expected a finite weight") &&
         require(call,
                 is_limit(GANTRY_LIMIT_VCPU, pick.limits.vcpu) &&
                     is_limit(GANTRY_LIMIT_MEMORY_MB, pick.limits.memory_mb) &&
                     is_limit(GANTRY_LIMIT_DISK_GB, pick.limits.disk_gb),
                 function + ": expected limits that are finite and not negative") &&
         require(call, (pick.present & GANTRY_PICK_APART) == 0 || pick.group_limit != 0,
                 function + ": expected a group_limit of at least 1 with GANTRY_PICK_APART") &&
         (text(pick.limits.other).empty() ||
          is_json(call, pick.limits.other, true, GANTRY_MOST_LIMITS_BYTES, function + ", limits.other"));
}

// Returns whether the driver may give results for the instance. Otherwise notes a misuse.
inline bool knows_instance(fake_call& call, std::uint32_t instance, const std::string& function) {
  return takes(call, call.request != nullptr, function.c_str()) &&
         require(call, instance < call.request->instances,
                 function + ": expected an instance below " +
                     std::to_string(call.request == nullptr ? 0 : call.request->instances) + ", found " +
                     std::to_string(instance));
}

inline bool is_picked(const fake_call& call, std::uint32_t instance) {
  const auto found = call.settled.find(instance);
  return found != call.settled.end() && found->second;
}

inline bool is_refused(const fake_call& call, std::uint32_t instance) {
  const auto found = call.settled.find(instance);
  return found != call.settled.end() && !found->second;
}

}  // namespace gantry::testing::services

// SPDX-License-Identifier: Apache-2.0
//
// The fleet of a call whose driver runs in another process than the fleet. Internal to core/drivers.
#pragma once

#include <cstdint>
#include <string_view>

#include "gantry/driver.h"

namespace gantry::drivers {

// Takes the place of the call's Moment. For the thread of the call.
class DistantFleet {
 public:
  virtual ~DistantFleet() = default;

  // Returns the view of a topic. nullptr if the topic is unknown.
  virtual const gantry_view* view(std::string_view topic) = 0;
  // Returns a column that the view does not list. nullptr if there is none.
  virtual const gantry_column* column(const gantry_view& view, std::string_view name) = 0;
  // As gantry_host.locate. The texts hold until the next question.
  virtual gantry_code locate(std::string_view uuid, gantry_location& location) = 0;
  // As gantry_changes.rows.
  virtual gantry_code changes(const gantry_view& view, std::uint64_t since, std::uint32_t flags, std::uint32_t* rows,
                              std::uint64_t capacity, std::uint64_t& count) = 0;
};

}  // namespace gantry::drivers

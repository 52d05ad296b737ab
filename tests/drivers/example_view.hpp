// SPDX-License-Identifier: Apache-2.0
//
// A view of three hosts made by hand: columns host, up, disabled, vcpus (null in row 1), vcpus_used, instances (one on
// row 0, two on row 2) and aggregates (0 on row 0, 0 and 1 on row 1, null in row 2).
#pragma once

#include <array>
#include <chrono>
#include <string_view>

#include "core/drivers/call/driver_call.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {

class ExampleView {
 public:
  static constexpr std::uint32_t rows = 3;

  ExampleView();
  ExampleView(const ExampleView&) = delete;
  ExampleView& operator=(const ExampleView&) = delete;

  const gantry_view& view() const { return view_; }
  // A call on this view that has a minute.
  DriverCallSettings call_settings(Sink* sink = nullptr) const;
  // One that has no time left.
  DriverCallSettings late_call_settings() const;

 private:
  std::array<gantry_string, 3> names_;
  alignas(64) std::array<std::uint32_t, rows> hosts_{0, 1, 2};
  alignas(64) std::array<std::uint64_t, 1> up_{0b111};
  alignas(64) std::array<std::uint64_t, 1> disabled_{0b010};
  alignas(64) std::array<std::int64_t, rows> vcpus_{4, 0, 16};
  alignas(64) std::array<std::uint64_t, 1> vcpus_validity_{0b101};
  alignas(64) std::array<double, rows> vcpus_used_{1, 2, 3};
  alignas(64) std::array<gantry_slice, rows> lists_{{{0, 1}, {1, 0}, {1, 2}}};
  std::array<gantry_uuid, 3> uuids_{{{{1}}, {{2}}, {{3}}}};
  alignas(64) std::array<std::uint32_t, rows> sets_{0, 1, 77};
  alignas(64) std::array<std::uint64_t, 1> sets_validity_{0b011};
  std::array<gantry_slice, 2> set_slices_{{{0, 1}, {1, 2}}};
  std::array<std::uint32_t, 3> set_elements_{0, 0, 1};
  std::array<gantry_aggregate, 3> aggregates_{};
  std::array<gantry_column, 7> columns_{};
  gantry_view view_{};
  gantry_context context_{};
};

}  // namespace gantry::drivers

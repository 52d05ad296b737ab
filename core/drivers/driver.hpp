// SPDX-License-Identifier: Apache-2.0
//
// A driver that is loaded and created. Libraries are never unloaded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/manifest/manifest.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::drivers {

// [any thread] Calls of a serial driver wait for each other until the call's deadline. A failure is an Error that names
// driver and operation, with the driver's own sentence; GANTRY_NO_VALID_HOST is ErrorCode::no_valid_host with the
// sentence, if any, as its message. The thread's current driver and request are noted for the crash report.
class Driver {
 public:
  Driver();
  virtual ~Driver();

  const Manifest& manifest() const;
  const DriverFile& file() const;
  bool offers(std::string_view topic, std::string_view method) const;  // a custom method
  std::uint64_t calls() const;                                         // since the start
  std::uint64_t failures() const;
  std::uint64_t calls_under_way() const;

  Result<void> select_destinations(DriverCall& call, const gantry_request& request);
  Result<void> schedule_run_instance(DriverCall& call, const gantry_request& request);
  // rows_out: zeroed, (view.rows + 63) / 64 words. The host's default where the driver has none of its own.
  Result<void> hosts_up(DriverCall& call, const gantry_view& view, std::uint64_t* rows_out);
  Result<void> group_hosts(DriverCall& call, const gantry_group& group, const gantry_view& view,
                           std::uint64_t* rows_out);
  Result<void> update_service_capabilities(DriverCall& call, std::string_view service, std::string_view host,
                                           std::string_view capabilities);
  // unsupported if the manifest does not name it; the message lists what exists.
  Result<void> call_method(DriverCall& call, const gantry_method_call& method);
  // Rows that have a value in each needed column: a bitmap in the call's memory.
  const std::uint64_t* complete_rows(DriverCall& call, const gantry_view& view) const;

 private:
  friend class DriverLoader;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::drivers

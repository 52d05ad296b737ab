// SPDX-License-Identifier: Apache-2.0
//
// A driver that is loaded and created, and the set of all of them by topic. Libraries are never unloaded.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/config/settings.hpp"
#include "core/drivers/call/call.hpp"
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

  Result<void> select_destinations(Call& call, const gantry_request& request);
  Result<void> schedule_run_instance(Call& call, const gantry_request& request);
  // rows_out: zeroed, (view.rows + 63) / 64 words. The host's default where the driver has none of its own.
  Result<void> hosts_up(Call& call, const gantry_view& view, std::uint64_t* rows_out);
  Result<void> group_hosts(Call& call, const gantry_group& group, const gantry_view& view, std::uint64_t* rows_out);
  Result<void> update_service_capabilities(Call& call, std::string_view service, std::string_view host,
                                           std::string_view capabilities);
  // unsupported if the manifest does not name it; the message lists what exists.
  Result<void> call_method(Call& call, const gantry_method_call& method);
  // Rows that have a value in each needed column: a bitmap in the call's memory.
  const std::uint64_t* complete_rows(Call& call, const gantry_view& view) const;

 private:
  friend class DriverLoader;
  struct State;
  std::unique_ptr<State> state_;
};

// All drivers that the config names, created and ready, by topic.
class DriverSet {
 public:
  // nullptr: no driver serves it.
  Driver* for_topic(std::string_view topic) const;
  std::vector<Driver*> all() const;
  std::vector<std::string> topics() const;  // sorted
  // Drivers marked required = false that did not load, and why.
  const std::vector<std::pair<std::string, Error>>& skipped() const;

  DriverSet();
  DriverSet(DriverSet&&) noexcept;
  ~DriverSet();  // destroys the drivers; libraries stay

 private:
  friend class DriverLoader;
  struct State;
  std::unique_ptr<State> state_;
};

// A driver of the config, judged by its file and manifest but not loaded: what `config check` and `driver list` use.
struct Judged {
  std::string id;
  std::string path;  // where it is, or was looked for
  Result<DriverFile> file;
};

// Where the file of that driver is: its section's path, or <id>.so in driver_directories. The file is not judged.
Result<std::string> find_driver_file(const config::Settings& settings, const std::string& id);

// Finds the file of each driver in settings.scheduler_driver and judges it. Runs nothing.
std::vector<Judged> judge_drivers(const config::Settings& settings);

// Checks [driver.<id>] against the manifest; unknown key, wrong type, out of range: invalid_configuration with the
// key's origin and the nearest name.
Result<void> check_options(const Manifest& manifest, const config::DriverSettings& settings);

// Two drivers for one topic, or two of one id: an error that names both.
Result<void> check_topics(const std::vector<Judged>& drivers);

// What a start would find out before it runs a driver: judge_drivers, check_topics, check_options, whether the names of
// filters and the like in its options exist, and whether the columns that the manifests name exist and agree.
struct Checked {
  std::vector<Judged> drivers;  // those that would be loaded
  // A driver with required = false that would be left out, and why; what a driver's section leaves open.
  std::vector<std::string> warnings;
  std::vector<Error> problems;  // any of them ends the start
};
Checked check_drivers(const config::Settings& settings);

// judge, load, check the entry against the manifest, create. `prepare` is called with each manifest after it was judged
// and before any driver is created (fleet declares its columns there).
Result<DriverSet> load_drivers(const config::Settings& settings, std::shared_ptr<telemetry::Logger> logger,
                               std::shared_ptr<telemetry::Counters> counters,
                               const std::function<Result<void>(const Manifest&)>& prepare);

// Writes a line that names the driver and the request under way on the crashing thread, then ends the process as the
// signal would have. Once, at start.
void install_crash_report();

}  // namespace gantry::drivers

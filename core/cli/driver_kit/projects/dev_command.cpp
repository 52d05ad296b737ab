// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "core/cli/agent/stop_signal.hpp"
#include "core/cli/driver_kit/judged_file.hpp"
#include "core/cli/driver_kit/kit_commands.hpp"
#include "core/cli/driver_kit/lua_driver.hpp"
#include "core/cli/driver_kit/projects/source_tree.hpp"
#include "core/cli/driver_kit/projects/source_watch.hpp"
#include "core/cli/driver_kit/projects/trial.hpp"
#include "core/cli/terminal/output.hpp"

namespace gantry::cli {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// The sources, or the file, that are tried again and again.
class Development {
 public:
  Development(Session& session, const Arguments& arguments, std::string place, const std::stop_token& stop)
      : session_(session),
        place_(std::move(place)),
        sanitizer_(arguments.text("sanitize")),
        request_(arguments.text("request")),
        fleet_(arguments.text("fleet")),
        policy_(policy_of(place_)),
        stop_(stop) {}

  TrialWishes wishes() const { return {request_, fleet_, sanitizer_, policy_}; }

  // Tells beforehand a place that no change of a file would make right.
  Result<void> check() const {
    std::error_code none;
    if (place_.extension() == ".so" && fs::exists(place_, none)) return {};
    if (!policy_.empty() && !sanitizer_.empty())
      return Error{ErrorCode::invalid_argument, "--sanitize: expected sources in C or C++, found a policy in Lua", ""};
    if (!policy_.empty() && fs::exists(policy_, none)) return {};
    if (const auto tree = recognize(place_); !tree) return tree.error();
    if (const auto sdk = find_sdk(session_); !sdk) return sdk.error();
    return {};
  }

  // Builds, if there is something to build.
  Result<drivers::DriverFile> make() const {
    if (place_.extension() == ".so") return judge_file(place_.string());
    if (!policy_.empty()) return lua_driver(session_);
    const auto tree = recognize(place_);
    if (!tree) return tree.error();
    const auto sdk = find_sdk(session_);
    if (!sdk) return sdk.error();
    auto files = build(session_, *sdk, *tree, sanitizer_, stop_);
    if (!files) return std::move(files).error();
    return std::move(files->front());
  }

  Result<SourceWatch> watch() const {
    std::vector<fs::path> places{place_};
    for (const std::string& file : {request_, fleet_})
      if (!file.empty()) places.emplace_back(file);
    return SourceWatch::of(places);
  }

 private:
  Session& session_;
  fs::path place_;
  std::string sanitizer_;
  std::string request_;
  std::string fleet_;
  fs::path policy_;
  std::stop_token stop_;
};

Result<int> try_once(const Development& development, Trial& trial) {
  const auto file = development.make();
  if (!file) return file.error();
  auto code = trial.run(*file);
  if (const std::string end = trial.lost_daemon(); !end.empty()) return Error{ErrorCode::internal, end, ""};
  return code;
}

// Waits for a change, or for the end of the daemon, which is told at once.
void wait_for_change(Session& session, const SourceWatch& watch, Trial& trial, const std::stop_token& stop) {
  while (!stop.stop_requested() && !watch.wait(stop, 500ms))
    if (const std::string end = trial.lost_daemon(); !end.empty())
      print_error(session, Error{ErrorCode::internal, end, ""});
}

Result<int> develop(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const std::string place = arguments.has("PLACE") ? arguments.text("PLACE") : ".";
  const agent::StopSignal signal;
  const std::stop_token stop = signal.token();
  const Development development(session, arguments, place, stop);
  if (auto good = development.check(); !good) return std::move(good).error();
  auto directory = TrialPlace::make(session, arguments.text("keep"));
  if (!directory) return std::move(directory).error();
  Trial trial(session, *directory, development.wishes(), stop);
  if (arguments.flag("once")) return try_once(development, trial);
  do {
    const auto watch = development.watch();
    if (!watch) return watch.error();
    const auto code = try_once(development, trial);
    if (stop.stop_requested()) break;
    if (!code) print_error(session, code.error());
    if (!session.quiet())
      print_notice(session, "waits for a change of " + place + "; gantry --url " + directory->url() +
                                " asks the daemon; Ctrl-C ends");
    wait_for_change(session, *watch, trial, stop);
  } while (!stop.stop_requested());
  return 0;
}

}  // namespace

Command driver_dev_command() {
  return {
      .path = "driver dev",
      .summary = "Builds, loads and asks a driver at each change of its sources",
      .description =
          "Has a gantryd of its own with a socket, a store, a configuration and a simulated fleet in a private "
          "directory "
          "below the user's cache directory, and no contact with the system's. At each change of a source it builds, "
          "has the daemon load the driver, makes a request and prints the decision with its explanation. A build error "
          "or a refused driver is shown, and the next change awaited. The fleet has three hosts, with a value for each "
          "column that the driver needs. A library of filters and weighers is loaded into the driver filter, its "
          "filters enabled, and a policy in Lua is run by the driver lua. --set gives the driver options: --set "
          "driver.spread.reserve_mb=512. Ctrl-C ends the daemon "
          "and removes the directory.",
      .positionals = {{.name = "PLACE",
                       .help = "The project, a source file, a shared object, or a policy in Lua; otherwise .",
                       .required = false}},
      .options = {{.name = "request",
                   .letter = 'r',
                   .kind = ValueKind::text,
                   .value_name = "FILE",
                   .help = "The request, in any form that `gantry select --request` reads; otherwise a small server"},
                  {.name = "fleet",
                   .kind = ValueKind::text,
                   .value_name = "FILE",
                   .help = "The hosts, as `gantry agent --simulate` reads them"},
                  {.name = "sanitize",
                   .kind = ValueKind::text,
                   .value_name = "SANITIZER",
                   .help = "Builds C and C++ with a sanitizer, and runs the daemon with it",
                   .choices = {"address", "undefined"}},
                  {.name = "once", .help = "Ends after the first decision, with its exit code"},
                  {.name = "keep",
                   .kind = ValueKind::text,
                   .value_name = "DIR",
                   .help = "Uses this directory and leaves it behind"}},
      .examples = {{"gantry driver dev", "the project in this directory"},
                   {"gantry driver dev --request big.json --set driver.spread.reserve_mb=512", "with an option"},
                   {"gantry driver dev spread.so --once", "one decision, for a script"}},
      .run = develop};
}

}  // namespace gantry::cli

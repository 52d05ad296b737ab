// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/reloader.hpp"

#include <algorithm>
#include <utility>

#include "core/drivers/next_instances.hpp"
#include "core/encoding/uuid.hpp"
#include "core/fleet/topics/fleet_settings.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::daemon {

namespace {

constexpr std::size_t most_waiting = 16;
// How often the instances that a reload has replaced are looked at, until the last call in them has ended.
constexpr std::chrono::milliseconds look_again{50};

Error stopping() {
  return {ErrorCode::unavailable, "the configuration is not reloaded: the service stops", {}};
}

std::string value_or_dash(const std::string& value) {
  return value.empty() ? "-" : value;
}

// "/etc/gantry/gantry.toml:3:1: server.socket: needs a restart, ..."
std::string refusal_of(const config::Change& change) {
  return (change.origin.empty() ? "" : change.origin + ": ") + change.key +
         ": needs a restart: expected the value that the service runs with, " + value_or_dash(change.before) +
         ", found " + value_or_dash(change.after) + "; do: gantry restart";
}

void add_line(std::string& lines, const std::string& line) {
  lines.append(lines.empty() ? "" : "\n").append(line);
}

// The keys in the error's details, for programs.
Error cannot_apply(ErrorCode code, std::string lines, const std::vector<std::string>& keys) {
  json::object details{{"needs_restart", json::array(keys.begin(), keys.end())}};
  return {code, std::move(lines), json::write(details)};
}

scheduling::Reloaded reloaded_of(const std::vector<config::Change>& changes, std::vector<std::string> warnings) {
  scheduling::Reloaded reloaded{{}, std::move(warnings)};
  for (const auto& change : changes)
    reloaded.changes.push_back({change.key, change.before, change.after, change.origin});
  return reloaded;
}

bool has_changed(const std::vector<config::Change>& changes, std::string_view key) {
  return std::ranges::any_of(changes, [key](const auto& change) { return change.key == key; });
}

// A certificate that was renewed in place is a change, too.
void note_renewed(const std::string& before, const std::string& after, const std::string& file,
                  std::vector<config::Change>& changes) {
  if (before == after || has_changed(changes, "server.tls_certificate")) return;
  changes.push_back({"server.tls_certificate", before, after, file, true});
}

// A file that an option names is read again by the driver's create. Code is not.
void note_files(const drivers::DriverSet& drivers, std::vector<config::Change>& changes,
                std::vector<std::string>& warnings) {
  for (const auto* driver : drivers.all()) {
    const auto found = driver->on_disk();
    const auto& id = driver->manifest().id;
    for (const auto& path : found.options) changes.push_back({"driver." + id + ", file " + path, "", "", path, true});
    for (const auto* files : {&found.changed, &found.missing})
      for (const auto& path : *files)
        warnings.push_back("the file of driver '" + id + "' has changed, " + path +
                           ": the code that is loaded goes on; gantry restart --wait loads the new one");
  }
}

}  // namespace

void Reloader::Asked::answer(Result<scheduling::Reloaded> reloaded) {
  if (!is_answered.exchange(true)) done(std::move(reloaded));
}

Reloader::Reloader(config::Loaded loaded, drivers::DriverSet& drivers, std::shared_ptr<telemetry::Logger> logger,
                   std::shared_ptr<telemetry::Counters> counters)
    : drivers_(drivers),
      logger_(std::move(logger)),
      counters_(std::move(counters)),
      loaded_(std::make_shared<const config::Loaded>(std::move(loaded))) {}

Reloader::~Reloader() {
  end();
  join();
}

void Reloader::serve(scheduling::Manager& manager, transport::HttpServer& server) {
  const std::lock_guard lock(mutex_);
  manager_ = &manager;
  server_ = &server;
  thread_ = std::thread([this] { run(); });
}

std::shared_ptr<const config::Loaded> Reloader::loaded() const {
  const std::lock_guard lock(mutex_);
  return loaded_;
}

bool Reloader::is_outdated() const {
  const auto now = loaded();
  const auto next = config::load(now->sources);
  return next && !config::changes_between(*now, *next).empty();
}

json::array Reloader::shown() const {
  const auto loaded = this->loaded();
  json::array keys;
  for (const auto& each : loaded->shown)
    keys.push_back(json::object{{"key", each.key}, {"value", each.value}, {"origin", each.origin}});
  return keys;
}

void Reloader::begin(bool only_judge, Done done) {
  auto asked = std::make_shared<Asked>();
  asked->only_judge = only_judge;
  asked->done = std::move(done);
  const auto refusal = [&]() -> std::optional<Error> {
    const std::lock_guard lock(mutex_);
    if (is_ending_) return stopping();
    if (under_way_ && under_way_->is_answered)
      return Error{ErrorCode::unavailable,
                   "the configuration is not reloaded: an earlier reload waits for the code of a driver that has not "
                   "returned",
                   {}};
    if (waiting_.size() >= most_waiting)
      return Error{
          ErrorCode::unavailable, "the configuration is not reloaded: too many reloads wait for their turn", {}};
    waiting_.push_back(asked);
    return std::nullopt;
  }();
  if (refusal) return asked->answer(*refusal);
  changed_.notify_all();
}

void Reloader::end() {
  std::deque<Shared> unanswered;
  {
    const std::lock_guard in_use(in_use_);
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    unanswered.swap(waiting_);
    if (under_way_) unanswered.push_back(under_way_);
  }
  changed_.notify_all();
  for (const auto& asked : unanswered) asked->answer(stopping());
}

void Reloader::join() {
  if (thread_.joinable()) thread_.join();
}

// Returns nullptr at the end.
Reloader::Shared Reloader::wait_for_work() {
  std::unique_lock lock(mutex_);
  under_way_.reset();
  while (!is_ending_ && waiting_.empty()) {
    lock.unlock();
    const auto left = drivers_.destroy_replaced();
    lock.lock();
    if (is_ending_ || !waiting_.empty()) break;
    if (left == 0) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, look_again);
    }
  }
  if (is_ending_) return nullptr;
  under_way_ = std::move(waiting_.front());
  waiting_.pop_front();
  return under_way_;
}

void Reloader::run() {
  while (const auto asked = wait_for_work()) asked->answer(reload(asked));
}

Result<scheduling::Reloaded> Reloader::reload(const Shared& asked) {
  auto judged = judge();
  if (!judged) {
    auto error = std::move(judged).error();
    add_line(error.message, "nothing was applied");
    return error;
  }
  if (!asked->only_judge) {
    if (auto applied = apply(*judged, asked); !applied) return std::move(applied).error();
  }
  return reloaded_of(judged->changes, std::move(judged->warnings));
}

scheduling::ProfileFindings Reloader::judge_profiles(const config::Settings& settings) const {
  std::vector<scheduling::ProfileDriver> drivers;
  for (const auto* driver : drivers_.all()) drivers.push_back({driver->manifest().id, driver->manifest().topics});
  return scheduling::check_profiles(settings, drivers);
}

// The error has all problems.
Result<Reloader::Judged> Reloader::judge() const {
  auto next = config::load(loaded_->sources);
  if (!next) return std::move(next).error();
  const auto& settings = next->settings;
  auto changes = config::changes_between(*loaded_, *next);
  std::string lines;
  auto options = drivers::judge_options(drivers_, settings);
  auto server = transport::HttpServer::check(settings.server);
  auto profiles = judge_profiles(settings);
  for (const auto* problems : {&options.problems, &profiles.problems, &server.problems})
    for (const auto& problem : *problems) add_line(lines, problem.message);
  const auto code = lines.empty() ? ErrorCode::failed_precondition : ErrorCode::invalid_configuration;
  std::vector<std::string> restarting;
  for (const auto& change : changes) {
    if (change.is_reloadable) continue;
    restarting.push_back(change.key);
    add_line(lines, refusal_of(change));
  }
  if (!lines.empty()) return cannot_apply(code, std::move(lines), restarting);
  auto warnings = next->warnings;
  note_files(drivers_, changes, warnings);
  auto access = read_access(settings, changes);
  if (!access) return std::move(access).error();
  std::ranges::move(options.warnings, std::back_inserter(warnings));
  std::ranges::move(profiles.warnings, std::back_inserter(warnings));
  return Judged{std::make_shared<const config::Loaded>(*std::move(next)), std::move(changes), *std::move(access),
                std::move(warnings)};
}

Result<transport::HttpServer::Access> Reloader::read_access(const config::Settings& settings,
                                                            std::vector<config::Change>& changes) const {
  const std::lock_guard in_use(in_use_);
  if (is_ending()) return stopping();
  auto access = server_->read_access(settings.server);
  if (access)
    note_renewed(server_->access().certificate, access->certificate, settings.server.tls_certificate, changes);
  return access;
}

bool Reloader::is_ending() const {
  const std::lock_guard lock(mutex_);
  return is_ending_;
}

Result<void> Reloader::apply(const Judged& judged, const Shared& asked) {
  const auto& settings = judged.next->settings;
  const auto too_late = [&asked](const std::string& driver, const std::string&, std::chrono::milliseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    asked->answer(Error{ErrorCode::invalid_configuration,
                        "creating driver '" + driver +
                            "' with its new options: expected that its create returns within " +
                            std::to_string(seconds) + " s, found that it still runs\nnothing was applied",
                        {}});
  };
  auto instances = drivers::NextInstances(settings, logger_, counters_).make(drivers_, too_late);
  if (!instances) {
    auto error = std::move(instances).error();
    add_line(error.message, "nothing was applied");
    return error;
  }
  const std::lock_guard in_use(in_use_);
  if (is_ending()) return stopping();
  judged.access.use();
  auto of_fleet = scheduling::fleet_settings(settings);
  of_fleet.keeps_image_properties = std::ranges::any_of(drivers_.all(), [&settings](const auto* driver) {
    return scheduling::reads_image_properties(driver->manifest(), settings);
  });
  manager_->change_settings(scheduling::manager_settings(settings), of_fleet, [&] {
    drivers_.use(*instances);
    for (const auto* driver : drivers_.all()) driver->turns().set_call_timeout(settings.scheduling.call_timeout);
  });
  // The level may be another by `gantry log-level`.
  if (const auto level = telemetry::level_of(settings.log.level); level && has_changed(judged.changes, "log.level"))
    logger_->set_level(*level);
  const std::lock_guard lock(mutex_);
  loaded_ = judged.next;
  return {};
}

void reload_uncalled(scheduling::Manager& manager, std::string who, std::function<void()> done) {
  scheduling::MethodCall call;
  call.method = "reload";
  call.request_id = "req-" + to_text(random_uuid());
  call.peer = std::move(who);
  call.deadline = std::chrono::steady_clock::time_point::max();
  manager.handle(std::move(call), [done = std::move(done)](const scheduling::Answer&) { done(); });
}

}  // namespace gantry::daemon

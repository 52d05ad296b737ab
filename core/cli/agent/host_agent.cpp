// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/host_agent.hpp"

#include <thread>

namespace gantry::cli::agent {

namespace {

using telemetry::Level;

CallWishes short_call() {
  CallWishes wishes;
  wishes.timeout = std::chrono::seconds(5);
  return wishes;
}

std::string text(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

}  // namespace

HostAgent::HostAgent(AgentSettings settings, AgentState& state, NewConnection connect,
                     std::shared_ptr<telemetry::Logger> logger)
    : settings_(std::move(settings)),
      state_(state),
      connect_(std::move(connect)),
      logger_(std::move(logger)),
      work_(settings_.launches_at_once,
            [this](const std::string& uuid, const std::stop_token& stop) { settle(uuid, stop); }) {}

void HostAgent::note(const Result<void>& result, std::string_view what) {
  if (!result) logger_->write(Level::error, what, {{"why", result.error().message}});
}

void HostAgent::report_soon() {
  {
    const std::lock_guard lock(mutex_);
    report_wanted_ = true;
  }
  changed_.notify_all();
}

Result<void> HostAgent::once(const std::stop_token& stop) {
  auto connection = connect_();
  if (!connection) return std::move(connection).error();
  Reporter reporter(settings_.host, state_, **connection, *logger_);
  return reporter.begin(stop);
}

Result<void> HostAgent::report_round(Reporter& reporter, bool& registered, const std::stop_token& stop) {
  if (registered) {
    auto beat = reporter.beat();
    if (!beat && beat.error().code != ErrorCode::not_found) return beat;
    registered = static_cast<bool>(beat);
  }
  if (registered) return reporter.report(stop);
  auto begun = reporter.begin(stop);
  registered = static_cast<bool>(begun);
  return begun;
}

Result<void> HostAgent::run(const std::stop_token& stop) {
  auto connection = connect_();
  if (!connection) return std::move(connection).error();
  Reporter reporter(settings_.host, state_, **connection, *logger_);
  std::jthread receiver([this, stop] { receive(stop); });
  for (const AgentInstance& instance : state_.instances())
    if (instance.phase != Phase::active || !instance.told) work_.add(instance.uuid);
  bool registered = false;
  bool was_well = true;
  Backoff backoff;
  while (!stop.stop_requested()) {
    const auto done = report_round(reporter, registered, stop);
    std::chrono::milliseconds wait = settings_.report_interval;
    if (!done) {
      if (was_well) logger_->write(Level::warning, "cannot report, trying on", {{"why", done.error().message}});
      wait = std::min(wait, backoff.next());
    } else {
      if (!was_well) logger_->write(Level::info, "reporting again");
      backoff.reset();
    }
    was_well = static_cast<bool>(done);
    std::unique_lock lock(mutex_);
    if (was_well)
      changed_.wait_for(lock, stop, wait, [this] { return report_wanted_; });
    else
      changed_.wait_for(lock, stop, wait, [] { return false; });
    report_wanted_ = false;
  }
  work_.request_stop();
  receiver.join();
  logger_->write(Level::info, "ended", {{"host", settings_.host.host}});
  return {};
}

void HostAgent::receive(const std::stop_token& stop) {
  Backoff backoff;
  std::unique_ptr<Connection> connection;
  while (!stop.stop_requested()) {
    if (!connection) {
      auto made = connect_();
      if (made) connection = std::move(*made);
    }
    const auto received = connection ? receive_some(*connection) : Result<void>(Error{ErrorCode::unavailable, "", ""});
    if (received)
      backoff.reset();
    else if (!may_pass(received.error().code))
      note(received, "cannot receive");
    if (!received) pause_for(stop, backoff.next());
  }
}

Result<void> HostAgent::receive_some(Connection& connection) {
  CallWishes wishes = short_call();
  wishes.timeout += settings_.longest_poll;
  auto casts = connection.call(
      "receive_casts",
      {{"topic", settings_.host.topic}, {"host", settings_.host.host}, {"wait_ms", settings_.longest_poll.count()}},
      wishes);
  if (!casts) return std::move(casts).error();
  if (!casts->is_array()) return Error{ErrorCode::internal, "receive_casts: expected a list", ""};
  for (const json::value& cast : casts->get_array()) {
    if (!cast.is_object()) continue;
    if (auto taken = take(cast.get_object(), connection); !taken) return taken;
  }
  return {};
}

Result<void> HostAgent::take(const json::object& cast, Connection& connection) {
  const std::string id = text(cast, "id");
  const std::string method = text(cast, "method");
  const json::object* args = json::find_object(cast, "args");
  std::string uuid;
  if (state_.has_seen(id)) {
    logger_->write(Level::info, "cast repeated", {{"id", id}, {"method", method}});
  } else if ((method == "run_instance" || method == "terminate_instance") && args != nullptr) {
    auto instance = instance_from_cast(*args);
    if (instance) {
      if (method == "terminate_instance") instance->phase = Phase::terminating;
      uuid = instance->uuid;
      // Not acknowledged if it could not be remembered: it comes again.
      if (auto taken = state_.take(*instance, id); !taken) return taken;
      logger_->write(Level::info, "cast taken", {{"id", id}, {"method", method}, {"instance", uuid}});
    } else {
      logger_->write(Level::error, "cast dropped", {{"id", id}, {"method", method}, {"why", instance.error().message}});
    }
  } else {
    logger_->write(Level::warning, "cast dropped",
                   {{"id", id}, {"method", method}, {"why", "expected run_instance or terminate_instance"}});
  }
  if (!uuid.empty()) work_.add(uuid);
  auto acknowledged = connection.call("acknowledge_cast", {{"id", id}}, short_call());
  if (!acknowledged) return std::move(acknowledged).error();
  return {};
}

void HostAgent::settle(const std::string& uuid, const std::stop_token& stop) {
  auto instance = state_.find(uuid);
  if (instance && instance->phase == Phase::launching) {
    start_instance(*instance, stop);
    instance = state_.find(uuid);
  }
  if (instance && instance->phase == Phase::terminating) return end_instance(*instance, stop);
  if (!instance || instance->phase == Phase::launching || instance->told) return;
  switch (tell(*instance, stop)) {
    case Told::yes:
      note(state_.told(uuid), "state not written");
      report_soon();
      return;
    case Told::unknown_instance:
      note(state_.end(uuid), "state not written");
      work_.add(uuid);
      return;
    case Told::not_yet: return;
  }
}

void HostAgent::start_instance(const AgentInstance& instance, const std::stop_token& stop) {
  const auto launched = launch(settings_.launch, instance, stop);
  if (!launched && launched.error().code == ErrorCode::unavailable) return;
  const std::string fault = launched ? "" : launched.error().message;
  if (launched)
    logger_->write(Level::info, "instance active", {{"instance", instance.uuid}, {"name", instance.name}});
  else
    logger_->write(Level::error, "instance failed",
                   {{"instance", instance.uuid}, {"name", instance.name}, {"why", fault}});
  note(state_.launched(instance.uuid, fault), "state not written");
}

void HostAgent::end_instance(const AgentInstance& instance, const std::stop_token& stop) {
  const auto ended = terminate(settings_.launch, instance, stop);
  if (!ended && ended.error().code == ErrorCode::unavailable) return;
  if (!ended) return end_again_later(instance, ended.error().message);
  {
    const std::lock_guard lock(mutex_);
    ending_.erase(instance.uuid);
  }
  note(state_.forget(instance.uuid), "state not written");
  logger_->write(Level::info, "instance ended", {{"instance", instance.uuid}, {"name", instance.name}});
  report_soon();
}

// Until its command says that it has ended it may still run: it stays in the reports.
void HostAgent::end_again_later(const AgentInstance& instance, const std::string& why) {
  std::chrono::milliseconds wait{};
  {
    const std::lock_guard lock(mutex_);
    wait = ending_.try_emplace(instance.uuid, std::chrono::minutes(1)).first->second.next();
  }
  logger_->write(Level::error, "terminate command failed, trying again",
                 {{"instance", instance.uuid}, {"why", why}, {"after_milliseconds", std::to_string(wait.count())}});
  work_.add_later(instance.uuid, wait);
}

HostAgent::Told HostAgent::tell(const AgentInstance& instance, const std::stop_token& stop) {
  json::object args{{"uuid", instance.uuid}};
  args["vm_state"] = instance.phase == Phase::active ? "active" : "error";
  if (!instance.fault.empty()) args["fault"] = instance.fault;
  Backoff backoff;
  while (!stop.stop_requested()) {
    auto connection = connect_();
    const auto answer = connection ? (*connection)->call("update_instance", args, short_call())
                                   : Result<json::value>(Error{ErrorCode::unavailable, "", ""});
    if (answer) return Told::yes;
    if (!may_pass(answer.error().code)) {
      logger_->write(Level::warning, "state not accepted",
                     {{"instance", instance.uuid}, {"why", answer.error().message}});
      // The instance was deleted during its launch, when the cast to end it had no receiver.
      const bool is_unwanted = answer.error().code == ErrorCode::not_found && instance.phase == Phase::active;
      return is_unwanted ? Told::unknown_instance : Told::yes;
    }
    pause_for(stop, backoff.next());
  }
  return Told::not_yet;
}

}  // namespace gantry::cli::agent

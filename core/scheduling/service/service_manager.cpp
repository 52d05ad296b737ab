// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/service_manager.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include "core/scheduling/decision/group_joining.hpp"
#include "core/scheduling/examination/doctor.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/argument_check.hpp"
#include "core/scheduling/methods/authority_guard.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/methods/run_method.hpp"
#include "core/scheduling/metrics/service_metrics.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/service/audit.hpp"
#include "core/scheduling/service/authority_threads.hpp"
#include "core/scheduling/service/call_ending.hpp"
#include "core/scheduling/service/calls_under_way.hpp"
#include "core/scheduling/service/driven_calls.hpp"
#include "core/scheduling/service/housekeeping.hpp"
#include "core/scheduling/service/recovery.hpp"
#include "core/scheduling/service/reload.hpp"
#include "core/scheduling/state/idempotency.hpp"

namespace gantry::scheduling {

namespace {

Error was_revoked(const Caller& caller) {
  return {ErrorCode::unauthenticated, "token " + caller.token_id + " was revoked", {}};
}

Error has_expired(const Caller& caller) {
  return {ErrorCode::unauthenticated, "token " + caller.token_id + " has expired", {}};
}

// nullopt: the token has no end.
std::optional<std::chrono::nanoseconds> time_left_of(const Caller& caller) {
  if (caller.expires_at == 0) return std::nullopt;
  return std::chrono::nanoseconds(caller.expires_at - now_nanoseconds());
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const auto& method : method_table()) names.push_back(method.name);
  return names;
}

// The place of a method in the table. nullptr: behind the last.
std::size_t place_of(const Method* method) {
  const auto table = method_table();
  return method == nullptr ? table.size() : static_cast<std::size_t>(method - table.data());
}

class ServiceManager final : public Manager {
 public:
  explicit ServiceManager(Parts parts)
      : state_(std::move(parts)),
        ending_(state_, answers_),
        driven_calls_(state_, calls_, ending_),
        housekeeping_(state_, answers_, calls_),
        doctor_(state_, answers_, {[this] { return calls_.settle(); }, [this] { housekeeping_.sweep(); }}) {
    state_.started_at = now_nanoseconds();
    state_.steady_started_at = steady_nanoseconds();
    state_.examine = [this](Done done) { doctor_.ask(std::move(done)); };
    state_.reload = [this](const MethodCall& call, const Done& done) { scheduling::reload(state_, call, done); };
    state_.instruments->set_methods(method_names());
    add_service_metrics(metrics_, state_);
    if (state_.parts.authority != nullptr) authority_threads_.emplace();
  }
  ~ServiceManager() override;

  Result<void> load();
  bool handle(MethodCall call, Done done) override;
  void set_executor(Executor executor) override { driven_calls_.set_executor(std::move(executor)); }
  std::vector<MethodName> methods() const override;
  Result<std::shared_ptr<const Caller>> authenticate(std::string_view token) const override;
  Result<void> check_role(const Caller& caller, std::string_view method) const override;
  std::vector<std::string> unready_reasons() const override { return state_.health.unready_reasons(state_); }
  void add_warnings(Health::Warnings source) override { state_.health.add(std::move(source)); }
  std::string metrics() const override { return metrics_.text(); }
  void add_metrics(telemetry::MetricRegistry::Source source) override { metrics_.add(std::move(source)); }
  void change_settings(const ManagerSettings& settings, const fleet::FleetSettings& fleet,
                       const std::function<void()>& also) override;
  bool drain(std::chrono::steady_clock::time_point deadline) override;
  void prepare_pause() override {
    housekeeping_.store_heartbeats();
    state_.parts.store.note_changes();
  }
  void end_waits() override;
  Result<std::string> pause(std::chrono::steady_clock::time_point deadline) override;
  Result<void> resume(std::chrono::steady_clock::time_point until) override;
  Result<void> take_over(std::chrono::steady_clock::time_point until,
                         const std::optional<std::string>& paused) override;
  void begin() override;

 private:
  void forget_unknown_members();
  void distrust_facts(const store::Restored& restored);
  Result<void> check_access(const Method* method, const MethodCall& call) const;
  void wait(const Method& method, MethodCall call, Done done);
  void run_and_finish(const Method& method, MethodCall call, Done done);
  void refuse_calls();

  State state_;
  Recovered recovered_;
  std::chrono::steady_clock::duration recovery_time_{};
  telemetry::MetricRegistry metrics_;
  IdempotentAnswers answers_;
  CallsUnderWay calls_;
  CallEnding ending_;
  DrivenCalls driven_calls_;
  Housekeeping housekeeping_;
  Doctor doctor_;
  std::optional<AuthorityThreads> authority_threads_;  // last: its work uses the rest
};

ServiceManager::~ServiceManager() {
  refuse_calls();
  calls_.wait();
  housekeeping_.end();
  state_.decisions.end();
  state_.parts.store.flush();
  state_.parts.store.undo_under(nullptr);
}

Result<void> ServiceManager::load() {
  const auto begun = std::chrono::steady_clock::now();
  state_.parts.store.undo_under(&state_.changes);
  auto recovered = recover(state_, answers_);
  if (!recovered) return std::move(recovered).error();
  recovered_ = *recovered;
  recovery_time_ = std::chrono::steady_clock::now() - begun;
  return {};
}

Result<void> ServiceManager::take_over(std::chrono::steady_clock::time_point until,
                                       const std::optional<std::string>& paused) {
  if (auto taken = state_.parts.store.take_over(until, paused); !taken) return taken;
  const auto begun = std::chrono::steady_clock::now();
  auto caught_up = catch_up(state_, answers_, recovered_);
  recovery_time_ += std::chrono::steady_clock::now() - begun;
  return caught_up;
}

void ServiceManager::begin() {
  end_recovery(state_);
  if (state_.parts.decisions) state_.decisions.begin(*state_.parts.decisions);
  if (const auto restored = state_.parts.store.restored()) distrust_facts(*restored);
  // A fleet that does not come from the store, as that of a question, is as it is.
  const auto believed = recovered_.newest == 0 ? 0 : state_.parts.fleet.begin(recovered_.newest, steady_nanoseconds());
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(recovery_time_);
  state_.parts.logger->write(telemetry::Level::info, "recovered",
                             {{"services", std::to_string(recovered_.services)},
                              {"believed_up", std::to_string(believed)},
                              {"compute_nodes", std::to_string(recovered_.compute_nodes)},
                              {"instances", std::to_string(recovered_.instances)},
                              {"claims", std::to_string(recovered_.claims)},
                              {"casts", std::to_string(recovered_.casts)},
                              {"changed_meanwhile", std::to_string(recovered_.changed)},
                              {"milliseconds", std::to_string(took.count())}});
  state_.watch.begin(state_.parts.fleet, steady_nanoseconds());
  if (recovered_.groups != 0 && state_.parts.authority == nullptr) forget_unknown_members();
  housekeeping_.begin();
}

// Members whose instances were deleted by a version that left them in their groups. Instances that are placed and not
// recorded have a claim, or their host lists them.
void ServiceManager::forget_unknown_members() {
  const std::lock_guard lock(state_.changes);
  const ChangedGroups changed(state_.parts.fleet.leave_unknown_members());
  if (changed.before().empty()) return;
  state_.parts.logger->write(telemetry::Level::info, "members that are gone have left their server groups",
                             {{"groups", std::to_string(changed.before().size())}});
  state_.parts.store.submit_behind(stored_groups(state_.parts.fleet, changed.before()), nullptr,
                                   [this, changed] { changed.undo(state_.parts.fleet); });
}

// The hosts went on after the backup was taken. None is up before it has been heard and has reported since the restore.
void ServiceManager::distrust_facts(const store::Restored& restored) {
  if (recovered_.newest == 0 || state_.parts.authority != nullptr) return;
  auto& fleet = state_.parts.fleet;
  // If the clock was set back since, the hosts' reports would stay too old.
  fleet.distrust_reports_before(std::min(restored.restored_at, now_nanoseconds()));
  recovered_.newest = std::max(recovered_.newest, restored.restored_at + fleet.service_down_time());
}

bool ServiceManager::handle(MethodCall call, Done done) {
  const auto* method = find_method(call.method);
  const auto entered = calls_.enter(method != nullptr && method->handle.waits());
  if (!entered) {
    done(was_stopped());
    return true;
  }
  state_.instruments->calls_under_way.fetch_add(1, std::memory_order_relaxed);
  auto leaving = [this, place = place_of(method), began = std::chrono::steady_clock::now(), entered = *entered,
                  done = std::move(done)](Answer reply) {
    auto& measured = *state_.instruments;
    measured.note_call(place, reply ? nullptr : &reply.error(), std::chrono::steady_clock::now() - began);
    measured.calls_under_way.fetch_sub(1, std::memory_order_relaxed);
    done(std::move(reply));
    calls_.leave(entered);
  };
  if (auto checked = check_access(method, call); !checked) {
    leaving(std::move(checked).error());
    return true;
  }
  if (method == nullptr) {
    leaving(Error{ErrorCode::unsupported, "no method '" + call.method + "'", {}});
    return true;
  }
  auto checked = check_arguments(*method, call.args);
  if (checked) checked = check_context(call.context);
  if (checked) checked = check_authority(state_, *method, call);
  if (!checked) {
    leaving(std::move(checked).error());
    return true;
  }
  if (method->handle.waits()) {
    wait(*method, std::move(call), std::move(leaving));
    return true;
  }
  Done waiting = std::move(leaving);
  if (method->effect != Effect::changes) call.idempotency_key.clear();
  // Keys belong to the token, so that a guessed key does not give another caller's answer.
  if (!call.idempotency_key.empty() && call.caller && !call.caller->token_id.empty())
    call.idempotency_key.insert(0, call.caller->token_id + ":");
  if (!call.idempotency_key.empty() && answers_.begin(call, waiting) != IdempotentAnswers::KeyState::is_new)
    return true;
  if (authority_threads_ && asks_authority(*method)) {
    authority_threads_->run([this, method, call = std::move(call), done = std::move(waiting)]() mutable {
      run_and_finish(*method, std::move(call), std::move(done));
    });
    return true;
  }
  auto* const driver =
      method->driver != nullptr && driven_calls_.has_executor() ? method->driver(state_, call) : nullptr;
  if (driver != nullptr) return driven_calls_.begin(*method, *driver, std::move(call), std::move(waiting));
  run_and_finish(*method, std::move(call), std::move(waiting));
  return true;
}

void ServiceManager::run_and_finish(const Method& method, MethodCall call, Done done) {
  const auto before = begin_audit(method, state_, call);
  auto outcome = run_method(method, state_, call);
  if (before && outcome.reply && (outcome.is_audited || !outcome.batch.empty() || !outcome.claims.empty()))
    audit(method, call, *before, outcome);
  ending_.finish(method, std::move(call), std::move(outcome), std::move(done));
}

// Runs a long poll. If the token is revoked or expires meanwhile, the poll ends with an error.
void ServiceManager::wait(const Method& method, MethodCall call, Done done) {
  if (call.caller) {
    constexpr std::chrono::milliseconds unlike_clocks{5};  // the two clocks may go a little differently meanwhile
    if (const auto left = time_left_of(*call.caller))
      call.deadline = std::min(call.deadline, std::chrono::steady_clock::now() + *left + unlike_clocks);
    done = [caller = call.caller, done = std::move(done)](Answer reply) {
      if (caller->revoked) return done(was_revoked(*caller));
      if (const auto left = time_left_of(*caller); left && left->count() <= 0) return done(has_expired(*caller));
      done(std::move(reply));
    };
  }
  method.handle.wait(state_, call, done);
}

Result<std::shared_ptr<const Caller>> ServiceManager::authenticate(std::string_view token) const {
  auto caller = state_.tokens.authenticate(token, now_nanoseconds());
  if (!caller) state_.parts.counters->add("errors", name_of(caller.error().code), 1);
  return caller;
}

Result<void> ServiceManager::check_role(const Caller& caller, std::string_view method) const {
  return scheduling::check_role(caller, method);
}

Result<void> ServiceManager::check_access(const Method* method, const MethodCall& call) const {
  if (!call.caller) return {};
  if (call.caller->revoked) return was_revoked(*call.caller);
  if (auto checked = scheduling::check_role(*call.caller, call.method); !checked) return checked;
  return method == nullptr ? Result<void>() : check_scope(state_, *call.caller, *method, call);
}

std::vector<MethodName> ServiceManager::methods() const {
  std::vector<MethodName> names;
  names.reserve(method_table().size());
  for (const auto& method : method_table())
    names.push_back({std::string(method.name), method.effect == Effect::reads, &method, method.handle.waits(),
                     method.handle.takes_apart(), method.driver != nullptr, is_long_read(method)});
  return names;
}

void ServiceManager::change_settings(const ManagerSettings& settings, const fleet::FleetSettings& fleet,
                                     const std::function<void()>& also) {
  const std::unique_lock lock(state_.settings_mutex);
  state_.changeable.take(settings);
  state_.profiles = std::make_shared<Profiles>(settings.profiles, settings.profiles_required, state_.parts.drivers);
  state_.parts.fleet.change_settings(fleet);
  also();
}

void ServiceManager::refuse_calls() {
  calls_.refuse();
  if (state_.parts.reloads != nullptr) state_.parts.reloads->end();
  state_.casts.stop_waiting();
  state_.events.stop_waiting();
}

void ServiceManager::end_waits() {
  state_.casts.end_waits();
  state_.events.end_waits();
}

Result<std::string> ServiceManager::pause(std::chrono::steady_clock::time_point deadline) {
  constexpr std::chrono::milliseconds interval{1};  // the end of a call wakes only a stop
  for (;;) {
    end_waits();
    const auto left = calls_.wait_until(std::chrono::steady_clock::now() + interval);
    if (left == 0) break;
    if (std::chrono::steady_clock::now() > deadline)
      return Error{ErrorCode::deadline_exceeded, std::to_string(left) + " requests are still under way", {}};
  }
  // Both wait for the disk.
  state_.decisions.begin_hold();
  housekeeping_.store_heartbeats();
  auto gone = state_.parts.store.let_go();
  state_.decisions.wait_until_held();
  if (!gone) state_.decisions.release();
  return gone;
}

Result<void> ServiceManager::resume(std::chrono::steady_clock::time_point until) {
  auto taken = state_.parts.store.take_back(until);
  if (taken) state_.decisions.release();
  return taken;
}

bool ServiceManager::drain(std::chrono::steady_clock::time_point deadline) {
  refuse_calls();
  for (;;) {
    const auto next = std::chrono::steady_clock::now() + state_.parts.settings.progress_interval;
    const auto left = calls_.wait_until(std::min(next, deadline));
    if (left == 0) return true;
    if (next >= deadline) return false;
    say_progress(state_.parts, "stopping", "waits for " + std::to_string(left) + " requests");
  }
}

}  // namespace

Result<std::unique_ptr<Manager>> make_manager_ahead(Parts parts) {
  auto manager = std::make_unique<ServiceManager>(std::move(parts));
  if (auto loaded = manager->load(); !loaded) return std::move(loaded).error();
  return std::unique_ptr<Manager>(std::move(manager));
}

Result<std::unique_ptr<Manager>> make_manager(Parts parts) {
  auto manager = make_manager_ahead(std::move(parts));
  if (manager) (*manager)->begin();
  return manager;
}

}  // namespace gantry::scheduling

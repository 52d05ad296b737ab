// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/fake_manager.hpp"

#include <algorithm>

namespace gantry::testing {

namespace {

json::object wishes_of(const json::object& args) {
  if (const auto* fake = json::find_object(args, "fake")) return *fake;
  for (const auto& member : args) {
    if (!member.value().is_object()) continue;
    if (const auto* fake = json::find_object(member.value().get_object(), "fake")) return *fake;
  }
  return {};
}

ErrorCode code_named(std::string_view name) {
  for (int number = 0; number <= static_cast<int>(ErrorCode::internal); ++number) {
    if (name_of(static_cast<ErrorCode>(number)) == name) return static_cast<ErrorCode>(number);
  }
  return ErrorCode::internal;
}

scheduling::Reply reply_to(const scheduling::MethodCall& call, const json::object& wishes) {
  if (const auto code = json::find_string(wishes, "error")) {
    const auto message = json::find_string(wishes, "message").value_or("as wished");
    const auto* details = json::find_object(wishes, "details");
    return Error{code_named(*code), std::string(message), details == nullptr ? "" : json::write(*details)};
  }
  if (wishes.contains("result")) return wishes.at("result");
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(call.deadline - std::chrono::steady_clock::now());
  return json::value(json::object{{"method", call.method},
                                  {"context", call.context},
                                  {"args", call.args},
                                  {"request_id", call.request_id},
                                  {"idempotency_key", call.idempotency_key},
                                  {"peer", call.peer},
                                  {"time_left_ms", left.count()}});
}

}  // namespace

FakeManager::FakeManager() : timer_([this] { run_timer(); }) {}

FakeManager::~FakeManager() {
  release();
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  timer_.join();
}

bool FakeManager::handle(scheduling::MethodCall call, scheduling::Done done) {
  const json::object wishes = wishes_of(call.args);
  scheduling::Reply reply = reply_to(call, wishes);
  {
    const std::lock_guard lock(mutex_);
    ++handled_;
    threads_.push_back(std::this_thread::get_id());
    const auto times = json::find_integer(wishes, "unavailable");
    const bool is_refused = times && refusals_[call.idempotency_key]++ < *times;
    if (is_refused) reply = Error{ErrorCode::unavailable, "not now", ""};
    if (!is_refused && json::find_bool(wishes, "hold").value_or(false)) {
      held_.emplace_back(std::move(done), std::move(reply));
      changed_.notify_all();
      return true;
    }
  }
  if (json::find_bool(wishes, "forget").value_or(false)) return true;
  if (const auto block = json::find_integer(wishes, "block_ms")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(*block));
  }
  if (const auto delay = json::find_integer(wishes, "delay_ms")) {
    answer_later(Clock::now() + std::chrono::milliseconds(*delay), std::move(done), std::move(reply));
    const auto overrun = json::find_integer(wishes, "overrun_ms").value_or(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(overrun));
    return true;
  }
  done(std::move(reply));
  return true;
}

std::vector<scheduling::MethodName> FakeManager::methods() const {
  return {{"acknowledge_cast", false},
          {"doctor", true, nullptr, true, false, false, true},
          {"group_hosts", true},
          {"hosts_up", true},
          {"list_aggregates", true},
          {"list_hosts", true, nullptr, false, false, false, true},
          {"receive_casts", false, nullptr, true},
          {"report_state", false},
          {"schedule", false},
          {"schedule_run_instance", false},
          {"select_destinations", false, nullptr, false, false, true},
          {"service_register", false},
          {"status", true},
          {"update_resource_stats", false},
          {"update_service_capabilities", false}};
}

Result<std::shared_ptr<const scheduling::Caller>> FakeManager::authenticate(std::string_view token) const {
  auto caller = std::make_shared<scheduling::Caller>();
  if (token == "admin") caller->role = scheduling::Role::admin;
  if (token != "admin" && token != "good") return Error{ErrorCode::unauthenticated, "the token is unknown", ""};
  caller->token_id = token;
  return std::shared_ptr<const scheduling::Caller>(std::move(caller));
}

Result<void> FakeManager::check_role(const scheduling::Caller& caller, std::string_view method) const {
  const auto known = methods();
  const bool reads =
      std::any_of(known.begin(), known.end(), [method](const auto& each) { return each.name == method && each.reads; });
  if (reads || caller.role == scheduling::Role::admin) return {};
  return Error{ErrorCode::permission_denied, "may not call " + std::string(method), ""};
}

bool FakeManager::wait_until_held(std::size_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(60), [this, count] { return held_.size() >= count; });
}

void FakeManager::release() {
  std::vector<std::pair<scheduling::Done, scheduling::Reply>> held;
  {
    const std::lock_guard lock(mutex_);
    held.swap(held_);
  }
  for (auto& [done, reply] : held) done(std::move(reply));
}

std::size_t FakeManager::handled() const {
  const std::lock_guard lock(mutex_);
  return handled_;
}

std::vector<std::thread::id> FakeManager::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_;
}

void FakeManager::answer_later(Clock::time_point when, scheduling::Done done, scheduling::Reply reply) {
  {
    const std::lock_guard lock(mutex_);
    later_.emplace(when, std::pair(std::move(done), std::move(reply)));
  }
  changed_.notify_all();
}

void FakeManager::run_timer() {
  std::unique_lock lock(mutex_);
  while (!ending_ || !later_.empty()) {
    if (later_.empty()) {
      changed_.wait(lock);
    } else if (later_.begin()->first > Clock::now()) {
      changed_.wait_until(lock, later_.begin()->first);
    } else {
      auto [done, reply] = std::move(later_.begin()->second);
      later_.erase(later_.begin());
      lock.unlock();
      done(std::move(reply));
      lock.lock();
    }
  }
}

}  // namespace gantry::testing

// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/rpc/echo_handler.hpp"

#include <signal.h>

#include <chrono>
#include <utility>

namespace gantry::nova {

EchoHandler::~EchoHandler() {
  for (auto& thread : threads_) thread.join();
}

void EchoHandler::note(const std::string& event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(event);
  }
  if (on_event_) on_event_(event);
}

void EchoHandler::handle(RpcWork work, Done done) {
  if (!work.is_awaited) note("cast " + work.method);
  if (const auto* claims = json::find_array(work.args, "claims"); claims != nullptr && !work.is_taken_up)
    for (const auto& claim : *claims) work.note_claim(std::string(claim.as_string()));
  const auto deaths = json::find_integer(work.args, "die").value_or(0);
  if (deaths > (work.is_taken_up ? 1 : 0)) ::raise(SIGKILL);
  if (work.is_taken_up) {
    json::array claims;
    for (const auto& claim : work.claims) claims.emplace_back(claim);
    return done(json::value(json::object{{"taken_up", claims}}));
  }
  if (const auto reason = json::find_string(work.args, "fail")) return done(no_valid_host(std::string(*reason)));
  const std::lock_guard lock(mutex_);
  if (const auto seconds = json::find_number(work.args, "hold")) {
    threads_.emplace_back([seconds = *seconds, done] {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      done(json::value("held"));
      done(json::value("a second answer"));
    });
  } else if (json::find_bool(work.args, "wait").value_or(false)) {
    waiting_.emplace_back([done, args = work.args] { done(json::value(args)); });
  } else {
    done(json::value(work.args));
  }
}

void EchoHandler::give_back(RpcLeftover leftover, std::function<void()> done) {
  for (const auto& claim : leftover.claims)
    note("gave back " + claim + (leftover.may_be_in_use ? " in use, perhaps" : ""));
  done();
  done();
}

void EchoHandler::on_casts_lost() {
  note("casts lost");
}

void EchoHandler::release() {
  const auto waiting = [this] {
    const std::lock_guard lock(mutex_);
    return std::exchange(waiting_, {});
  }();
  for (const auto& answer : waiting) answer();
}

std::size_t EchoHandler::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

std::vector<std::string> EchoHandler::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

}  // namespace gantry::nova

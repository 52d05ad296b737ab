// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/keystone_login.hpp"

#include <utility>

namespace gantry::nova {

namespace {

Error unavailable(const HttpAddress& keystone, const std::string& what) {
  return {ErrorCode::unavailable, "no token from Keystone at " + keystone.host_header() + ": " + what, ""};
}

}  // namespace

KeystoneLogin::KeystoneLogin(const Strand& strand, Timers& timers, HttpAddress keystone, KeystoneOptions options)
    : timers_(timers),
      options_(std::move(options)),
      waiters_(timers),
      client_(strand, std::move(keystone), options_.http) {}

void KeystoneLogin::access(Clock::time_point deadline, Done done) {
  const auto now = timers_.now();
  if (held_ && now < held_->end) {
    if (now >= held_->renewal && now >= next_question_) ask();
    return done(held_->access);
  }
  if (failure_ && now < next_question_) return done(*failure_);
  waiters_.add(deadline, unavailable(client_.address(), "no answer until the deadline"), std::move(done));
  ask();
}

bool KeystoneLogin::reject(const std::string& token) {
  if (held_ && held_->access.token == token) held_.reset();
  return true;
}

void KeystoneLogin::ask() {
  if (std::exchange(is_asking_, true)) return;
  asked_ = timers_.now();
  HttpRequest request{"POST", keystone_tokens_path(client_.address().path), {}, keystone_question(options_.user)};
  client_.send(std::move(request), Clock::now() + options_.timeout,
               [this](const HttpOutcome& outcome) { take(outcome); });
}

void KeystoneLogin::take(const HttpOutcome& outcome) {
  is_asking_ = false;
  auto found = read(outcome);
  if (!found) {
    const bool is_refusal = outcome.is_answered() && outcome.status >= 400 && outcome.status < 500;
    next_question_ = timers_.now() + (is_refusal ? options_.refusal_wait : options_.retry_wait);
    failure_ = std::move(found).error();
    return waiters_.answer(*failure_);
  }
  failure_.reset();
  held_ = *std::move(found);
  waiters_.answer(held_->access);
}

Result<KeystoneLogin::Held> KeystoneLogin::read(const HttpOutcome& outcome) const {
  const auto& keystone = client_.address();
  if (!outcome.is_answered()) return unavailable(keystone, outcome.reason);
  if (outcome.status != 201)
    return unavailable(keystone, "expected status 201, found " + std::to_string(outcome.status));
  const auto text = outcome.header("X-Subject-Token");
  if (text.empty()) return unavailable(keystone, "expected the header X-Subject-Token, found none");
  auto token = read_keystone_token(outcome.body, options_.service);
  if (!token) return std::move(token).error();
  const auto life = std::chrono::duration_cast<Clock::duration>(token->life);
  return Held{{std::move(token->endpoint), std::string(text)}, asked_ + life * 2 / 3, asked_ + life};
}

}  // namespace gantry::nova

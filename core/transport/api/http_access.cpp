// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/http_access.hpp"

#include <boost/beast/core/string.hpp>
#include <chrono>

#include "core/transport/api/http_answer.hpp"
#include "core/transport/api/http_routes.hpp"

namespace gantry::transport {

namespace {

Error unauthenticated(std::string message) {
  return {ErrorCode::unauthenticated, std::move(message), ""};
}

}  // namespace

Result<std::shared_ptr<const scheduling::Caller>> HttpAccess::admit(std::string_view authorization,
                                                                    std::string_view target, bool requires_token,
                                                                    std::string_view peer) const {
  constexpr std::string_view scheme = "Bearer ";
  if (authorization.empty()) {
    if (!requires_token || is_document(target)) return std::shared_ptr<const scheduling::Caller>();
    auto refusal = unauthenticated(
        "expected the header Authorization: Bearer <token>, found none; an admin makes a token with: gantry token "
        "create");
    log(refusal, target, peer);
    return refusal;
  }
  if (!boost::beast::iequals(authorization.substr(0, scheme.size()), scheme)) {
    auto refusal = unauthenticated("header Authorization: expected Bearer <token>, found another scheme");
    log(refusal, target, peer);
    return refusal;
  }
  auto caller = manager_.authenticate(authorization.substr(scheme.size()));
  if (!caller) {
    log(caller.error(), target, peer);
    return caller;
  }
  return admit(std::move(caller), target, peer);
}

Result<std::shared_ptr<const scheduling::Caller>> HttpAccess::admit(
    Result<std::shared_ptr<const scheduling::Caller>> caller, std::string_view target, std::string_view peer) const {
  if (!caller && is_document(target)) return std::shared_ptr<const scheduling::Caller>();
  if (!caller) {
    log(caller.error(), target, peer);
    return caller;
  }
  const auto method = is_metrics(target) ? std::string_view("stats") : method_of(target);
  if (method.empty()) return caller;
  if (auto allowed = manager_.check_role(**caller, method); !allowed) {
    log(allowed.error(), target, peer);
    return std::move(allowed).error();
  }
  return caller;
}

void HttpAccess::log(const Error& refusal, std::string_view target, std::string_view peer) const {
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now().time_since_epoch());
  auto due = next_line_.load(std::memory_order_relaxed);
  if (now.count() < due || !next_line_.compare_exchange_strong(due, now.count() + 1)) {
    unwritten_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  logger_->write(telemetry::Level::warning, "caller refused",
                 {{"peer", std::string(peer)},
                  {"path", in_quotes(target.substr(0, target.find('?')))},
                  {"reason", refusal.message},
                  {"unwritten", std::to_string(unwritten_.exchange(0))}});
}

}  // namespace gantry::transport

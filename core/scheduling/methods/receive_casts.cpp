// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/receive_casts.hpp"

#include <algorithm>

#include "core/scheduling/request/args.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t longest_wait_ms = 60'000;
constexpr std::int64_t most_casts_at_once = 1000;

json::value received_json(const std::vector<Cast>& casts) {
  json::array result;
  for (const auto& cast : casts) {
    result.push_back(json::object{{"id", cast.id},
                                  {"topic", cast.topic},
                                  {"host", cast.host},
                                  {"node", cast.node},
                                  {"method", cast.method},
                                  {"args", cast.args},
                                  {"created_at", time_json(cast.created_at)},
                                  {"attempts", cast.attempts}});
  }
  return result;
}

}  // namespace

void receive_casts(State& state, const MethodCall& call, const Done& done) {
  auto topic = required_text(call.args, "topic");
  if (!topic) return done(std::move(topic).error());
  auto hosts = optional_texts(call.args, "hosts");
  if (!hosts) return done(std::move(hosts).error());
  if (hosts->empty()) {
    auto host = required_text(call.args, "host");
    if (!host) return done(std::move(host).error());
    hosts->push_back(std::move(*host));
  }
  auto wait = optional_integer(call.args, "wait_ms", 0, 0, longest_wait_ms);
  if (!wait) return done(std::move(wait).error());
  auto limit = optional_integer(call.args, "limit", 16, 1, most_casts_at_once);
  if (!limit) return done(std::move(limit).error());
  const auto until = std::min(call.deadline, std::chrono::steady_clock::now() + std::chrono::milliseconds(*wait));
  state.casts.receive(std::move(*topic), std::move(*hosts), static_cast<std::size_t>(*limit), until,
                      [done](const std::vector<Cast>& casts) { done(Reply(received_json(casts))); });
}

}  // namespace gantry::scheduling

// SPDX-License-Identifier: Apache-2.0
//
// The methods with which receivers fetch their casts and operators list them.
#include <algorithm>

#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

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

json::object shown_cast(const CastQueue::Waiting& waiting, std::int64_t now) {
  const auto& cast = waiting.cast;
  const auto text = [](const std::string& known) { return known.empty() ? json::value(nullptr) : json::value(known); };
  return {{"id", cast.id},
          {"topic", cast.topic},
          {"host", cast.host},
          {"node", cast.node},
          {"method", cast.method},
          {"instance", text(waiting.instance)},
          {"consumer", cast.consumer},
          {"created_at", time_json(cast.created_at)},
          {"age", std::max<std::int64_t>(0, now - cast.created_at) / 1'000'000'000},
          {"attempts", cast.attempts},
          {"handed_out_at", time_json(waiting.handed_out_at)}};
}

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

Outcome list_casts(State& state, const MethodCall& call) {
  auto filters = read_filters(call.args, {"topic", "host", "method", "instance"});
  if (!filters) return failed(std::move(filters).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  const auto now = now_nanoseconds();
  return page_of(
      *wish, state.casts.waiting(), [](const auto& waiting) { return waiting.cast.id; },
      [&](const auto& waiting) {
        return filters->fit("topic", waiting.cast.topic) && filters->fit("host", waiting.cast.host) &&
               filters->fit("method", waiting.cast.method) && filters->fit("instance", waiting.instance);
      },
      [now](const auto& waiting) { return shown_cast(waiting, now); });
}

}  // namespace

std::vector<Method> cast_methods() {
  using enum ArgumentType;
  return {
      {.name = "receive_casts",
       .group = "reports",
       .effect = Effect::idempotent,
       .callers = services_and_agents,
       .summary = "The casts that wait for a host, waiting for one to come; sent again until they are acknowledged.",
       .args = {required("topic", text, "The topic.", "compute"),
                optional("host", text, "The host that receives; this or hosts.", "node1"),
                optional("hosts", texts, "The hosts that receive, where one program serves several."),
                optional("wait_ms", integer, "How long to wait for a cast, but no longer than a call may take.", "0")
                    .between(0, longest_wait_ms)
                    .otherwise("0"),
                optional("limit", integer, "The most casts at once.").between(1, 1000).otherwise("16")},
       .result = "[ReceivedCast]",
       .handle = receive_casts,
       .subject = topic_and_hosts},
      {.name = "list_casts",
       .group = "records",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "The casts that wait for a host, the oldest first.",
       .args = {optional("topic", text, "Only this topic's.", "compute"),
                optional("host", text, "Only this host's.", "node1"),
                optional("method", text, "Only those of this method.", "run_instance"),
                optional("instance", text, "Only those about this instance."), page_limit, page_marker},
       .result = "[Cast]",
       .handle = list_casts}};
}

}  // namespace gantry::scheduling

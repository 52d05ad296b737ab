// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/shadow_endpoint.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <future>
#include <utility>

#include "core/encoding/time.hpp"
#include "core/nova/request/rebuild_hint.hpp"
#include "core/nova/serve/select_call.hpp"
#include "core/nova/serve/shadow_call.hpp"
#include "core/scheduling/request/request_spec.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::nova {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_watched = 200;
constexpr std::size_t most_decisions = 16;               // kept of one request, that differ
constexpr std::chrono::seconds longest_watch{60};        // then Nova's choice counts as not known
constexpr std::chrono::seconds decision_time{10};        // for one decision or question
constexpr std::chrono::milliseconds look_interval{250};  // between two looks for the allocation
constexpr int arriving_threads = 2;
constexpr int deciding_threads = 6;  // which wait for the facts most of the time
constexpr int looking_threads = 4;

std::string joined(const std::vector<std::string>& hosts) {
  std::string text;
  for (const auto& host : hosts) text += (text.empty() ? "" : ", ") + host;
  return text.empty() ? "refused" : text;
}

std::vector<std::string> texts_in(const json::object& object, std::string_view name) {
  std::vector<std::string> texts;
  if (const auto* list = json::find_array(object, name))
    for (const auto& each : *list)
      if (each.is_string()) texts.emplace_back(each.get_string());
  return texts;
}

}  // namespace

struct ShadowEndpoint::Watched {
  Watched(std::atomic<std::size_t>& count_of_watched, boost::asio::thread_pool& decides,
          boost::asio::thread_pool& looks)
      : count(count_of_watched), deciding(decides), looking(looks) {
    ++count;
  }
  ~Watched() { --count; }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  std::atomic<std::size_t>& count;
  std::string request_id;
  std::int64_t arrived_at = 0;  // nanoseconds since 1970
  Clock::time_point began;
  json::object args, context;
  std::vector<std::string> instances;
  std::vector<std::string> ignored_hosts;        // an evacuated instance still has an allocation there
  std::shared_ptr<const fleet::Document> facts;  // met by the first decision; nullptr: they are not kept
  std::vector<std::string> chosen;               // by instance, as far as they have been seen
  boost::asio::steady_timer deciding;
  boost::asio::steady_timer looking;
  std::atomic<bool> is_judged = false;

  std::mutex mutex;  // guards the members below
  std::vector<ShadowDecision> decisions;
  std::string trouble;  // why Gantry cannot decide, or Nova's choice cannot be looked for
};

ShadowEndpoint::ShadowEndpoint(Parts parts, ShadowSettings settings)
    : parts_(std::move(parts)),
      settings_(std::move(settings)),
      casts_(parts_.facts, parts_.mirror, parts_.logger),
      buried_(settings_.api_database, FactSettings().timeouts),
      shelf_(parts_.fleet),
      kept_(settings_.directory, settings_.most_kept),
      arriving_(arriving_threads),
      deciding_(deciding_threads),
      looking_(looking_threads) {}

ShadowEndpoint::~ShadowEndpoint() {
  stop();
}

void ShadowEndpoint::stop() {
  is_ended_ = true;
  for (auto* threads : {&arriving_, &deciding_, &looking_}) {
    threads->stop();
    threads->join();
  }
}

void ShadowEndpoint::handle(RpcWork work, Done done) {
  if (work.method != select_destinations) {
    casts_.take(std::move(work), std::move(done));
    return;
  }
  done(json::value(nullptr));
  if (watched_ >= most_watched) {
    parts_.counters->add("nova_shadow", "passed_over", 1);
    return;
  }
  const auto request = std::make_shared<Watched>(watched_, deciding_, looking_);
  request->request_id = std::string(json::find_string(work.context, "request_id").value_or(""));
  request->arrived_at = scheduling::now_nanoseconds();
  request->began = Clock::now();
  request->args = select_arguments(work.args);
  request->context = std::move(work.context);
  boost::asio::post(arriving_, [this, request] { begin(request); });
}

void ShadowEndpoint::give_back(RpcLeftover /*leftover*/, std::function<void()> done) {
  done();
}

void ShadowEndpoint::begin(const WatchedRequest& request) {
  auto& watched = *request;
  const auto* given = watched.args.if_contains("spec_obj");
  if (given == nullptr) given = watched.args.if_contains("request_spec");
  auto spec = scheduling::parse_request_spec(given == nullptr ? json::value() : *given, {},
                                             texts_in(watched.args, "instance_uuids"));
  if (!spec) return end(watched, {Agreement::not_known, "the request cannot be read: " + spec.error().message}, {});
  watched.instances = spec->instance_uuids;
  watched.ignored_hosts = texts_in(spec->plain, "ignore_hosts");
  if (carries_rebuild_hint(spec->plain)) return end(watched, {Agreement::not_known, "a rebuild claims nothing"}, {});
  if (watched.instances.empty()) return end(watched, {Agreement::not_known, "the request names no instance"}, {});
  watched.chosen.resize(watched.instances.size());
  if (!decide(watched, false))
    return end(watched, {Agreement::not_known, "Gantry could not decide: " + watched.trouble}, {});
  const auto changes = parts_.facts.changes();
  if (settings_.most_kept != 0) watched.facts = shelf_.take(changes);
  if (parts_.facts.changes() != changes) watched.facts.reset();
  boost::asio::post(deciding_, [this, request] { decide_again(request); });
  boost::asio::post(looking_, [this, request] { look(request); });
}

void ShadowEndpoint::note_trouble(Watched& request, const Error& error) {
  const std::lock_guard lock(request.mutex);
  request.trouble = error.message;
}

bool ShadowEndpoint::decide(Watched& request, bool is_repeated) {
  scheduling::MethodCall call;
  call.method = select_destinations;
  call.args = request.args;
  call.args["dry_run"] = true;
  call.args["explain"] = "hosts";
  call.context = request.context;
  call.request_id = request.request_id;
  call.peer = "nova";
  call.deadline = Clock::now() + decision_time;
  call.authority_call = std::make_shared<ShadowCall>(is_repeated);
  auto answered = std::make_shared<std::promise<scheduling::Reply>>();
  auto reply = answered->get_future();
  parts_.manager.handle(std::move(call), [answered](const scheduling::Answer& answer) {
    answered->set_value(scheduling::Reply(answer));
  });
  const bool is_answered = reply.wait_for(2 * decision_time) == std::future_status::ready;
  auto decision =
      is_answered ? read_shadow_decision(reply.get()) : Error{ErrorCode::deadline_exceeded, "the driver hangs", {}};
  const std::lock_guard lock(request.mutex);
  if (!decision) {
    request.trouble = decision.error().message;
    return false;
  }
  auto& decisions = request.decisions;
  if (!decisions.empty() && decisions.back() == *decision) return true;
  if (decisions.size() == most_decisions) decisions.erase(decisions.begin() + 1);
  decisions.push_back(*std::move(decision));
  return true;
}

// The facts may have changed.
void ShadowEndpoint::decide_again(const WatchedRequest& request) {
  if (is_ended_ || request->is_judged) return;
  const auto began = Clock::now();
  static_cast<void>(decide(*request, true));
  constexpr int pause = 2;     // times as long as the decision
  constexpr int age_part = 5;  // later decisions are made less often
  const auto now = Clock::now();
  const auto wait =
      std::max<Clock::duration>({settings_.interval, (now - request->began) / age_part, pause * (now - began)});
  request->deciding.expires_after(wait);
  request->deciding.async_wait([this, request](const boost::system::error_code& error) {
    if (!error) decide_again(request);
  });
}

void ShadowEndpoint::look(const WatchedRequest& request) {
  if (is_ended_) return;
  auto& watched = *request;
  const auto choice = choice_of(watched);
  const auto age = Clock::now() - watched.began;
  if (!choice && age <= longest_watch) {
    constexpr int share = 10;
    watched.looking.expires_after(std::max<Clock::duration>(look_interval, age / share));
    watched.looking.async_wait([this, request](const boost::system::error_code& error) {
      if (!error) look(request);
    });
    return;
  }
  watched.is_judged = true;
  const std::lock_guard lock(watched.mutex);
  if (choice)
    return end(watched, judge(watched.decisions, *choice, settings_.subset, settings_.most_candidates), *choice);
  // Nova leaves no trace of a move that it refuses.
  const auto cause = watched.trouble.empty() ? "no allocation within a minute" : watched.trouble;
  end(watched, {Agreement::not_known, cause}, {});
}

std::optional<NovasChoice> ShadowEndpoint::choice_of(Watched& request) {
  bool all = true;
  for (std::size_t i = 0; i < request.instances.size(); ++i) {
    if (request.chosen[i].empty()) request.chosen[i] = chosen_host(request, request.instances[i]);
    all = all && !request.chosen[i].empty();
  }
  if (all) return NovasChoice{request.chosen};
  const auto buried = buried_.among(request.instances);
  if (!buried) note_trouble(request, buried.error());
  if (buried && buried->size() == request.instances.size()) return NovasChoice{};
  return std::nullopt;
}

// Empty: the instance has no allocation yet, or not of one compute node.
std::string ShadowEndpoint::chosen_host(Watched& request, const std::string& instance) {
  const auto providers = parts_.placement.providers_claimed_by(instance, Clock::now() + decision_time);
  if (!providers) {
    note_trouble(request, providers.error());
    return {};
  }
  const auto facts = parts_.facts.snapshot();
  std::string chosen;
  for (const auto& provider : *providers) {
    const auto* node = facts->nodes()->by_uuid(provider);
    if (node == nullptr || std::ranges::count(request.ignored_hosts, node->host) != 0) continue;
    if (!chosen.empty()) return {};
    chosen = shown_host(node->host, node->node);
  }
  return chosen;
}

void ShadowEndpoint::end(Watched& request, const ShadowVerdict& verdict, const NovasChoice& choice) {
  const auto agreement = name_of(verdict.agreement);
  parts_.counters->add("nova_shadow", agreement, 1);
  ShadowedRequest shadowed;
  shadowed.time = time_text(request.arrived_at);
  shadowed.request_id = request.request_id;
  shadowed.instance = request.instances.empty() ? std::string() : request.instances.front();
  shadowed.nova = verdict.agreement == Agreement::not_known ? std::string() : joined(choice.hosts);
  shadowed.gantry = request.decisions.empty() ? std::string() : joined(request.decisions.front().picks);
  shadowed.verdict = verdict;
  if (verdict.agreement == Agreement::differed) shadowed.file = keep(request);
  parts_.logger->write(verdict.agreement == Agreement::differed ? telemetry::Level::warning : telemetry::Level::info,
                       "shadow",
                       {{"request_id", shadowed.request_id},
                        {"instance", shadowed.instance},
                        {"agreement", std::string(agreement)},
                        {"nova", shadowed.nova},
                        {"gantry", shadowed.gantry},
                        {"cause", verdict.cause},
                        {"file", shadowed.file}});
  tally_.note(std::move(shadowed));
}

std::string ShadowEndpoint::keep(const Watched& request) {
  const auto& decision = request.decisions.front();
  if (!request.facts || decision.standings.empty()) return {};
  auto document = *request.facts;
  const std::lock_guard lock(keeping_);
  auto kept = kept_.keep(time_text(request.arrived_at) + "-" + request.instances.front(),
                         facts_of_decision(std::move(document), decision.standings.front()), json::write(request.args));
  if (kept) return *std::move(kept);
  parts_.logger->write(telemetry::Level::error, "a difference of the shadow could not be kept",
                       {{"request_id", request.request_id}, {"reason", kept.error().message}});
  return {};
}

json::object ShadowEndpoint::status() const {
  auto status = tally_.status();
  status["watched"] = watched_.load();
  return status;
}

}  // namespace gantry::nova

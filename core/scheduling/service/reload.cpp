// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/reload.hpp"

#include <utility>

#include "core/scheduling/request/args.hpp"
#include "core/scheduling/service/audit.hpp"

namespace gantry::scheduling {

namespace {

// The caller, kept until the reload is over.
struct Asked {
  std::string who;
  std::string peer;
  std::string request_id;
  bool only_judge = false;
};

std::string shown_value(const std::string& value) {
  return value.empty() ? "-" : value;
}

std::string changes_text(const std::vector<ChangedKey>& changes) {
  std::string text;
  for (const auto& change : changes) {
    text.append(text.empty() ? "" : "; ").append(change.key).append(": ");
    text.append(shown_value(change.before)).append(" -> ").append(shown_value(change.after));
  }
  return text;
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::array changes_json(const std::vector<ChangedKey>& changes) {
  json::array list;
  for (const auto& change : changes) {
    list.push_back(json::object{{"key", change.key},
                                {"before", text_or_null(change.before)},
                                {"after", text_or_null(change.after)},
                                {"origin", text_or_null(change.origin)}});
  }
  return list;
}

json::array texts_json(const std::vector<std::string>& texts) {
  json::array list(texts.begin(), texts.end());
  return list;
}

std::string_view outcome_of(const Asked& asked, const Result<Reloaded>& reloaded) {
  if (!reloaded) return reloaded.error().code == ErrorCode::unavailable ? "failed" : "refused";
  if (reloaded->changes.empty()) return "unchanged";
  return asked.only_judge ? "accepted" : "applied";
}

void note_last(State& state, const Asked& asked, std::string_view outcome, const Result<Reloaded>& reloaded) {
  json::object last{{"time", time_json(now_nanoseconds())}, {"by", asked.who}, {"outcome", outcome}};
  last["reason"] = reloaded ? json::value(nullptr) : json::value(reloaded.error().message);
  last["changes"] = reloaded ? changes_json(reloaded->changes) : json::array();
  const std::lock_guard lock(state.last_reload_mutex);
  state.last_reload = std::move(last);
}

void log_outcome(const State& state, const Asked& asked, const Result<Reloaded>& reloaded) {
  using telemetry::Level;
  auto& logger = *state.parts.logger;
  if (!reloaded) {
    logger.write(Level::warning, "the configuration is not reloaded, the old one goes on",
                 {{"who", asked.who}, {"reason", reloaded.error().message}, {"request_id", asked.request_id}});
    return;
  }
  for (const auto& warning : reloaded->warnings) logger.write(Level::warning, warning);
  if (reloaded->changes.empty()) {
    logger.write(Level::info, "the configuration is read again, nothing has changed",
                 {{"who", asked.who}, {"request_id", asked.request_id}});
    return;
  }
  std::vector<telemetry::Field> fields{{"who", asked.who},
                                       {"method", "reload"},
                                       {"object", "configuration"},
                                       {"changes", changes_text(reloaded->changes)},
                                       {"request_id", asked.request_id}};
  if (asked.who != asked.peer) fields.push_back({"peer", asked.peer});
  logger.write(Level::info, "audit", fields);
}

void tell_event(State& state, const Asked& asked, const std::vector<ChangedKey>& changes) {
  Event event{"configuration.reloaded", {}, {}, {}};
  json::object told;
  for (const auto& change : changes) {
    auto& sides = told[change.key].emplace_object();
    if (!change.before.empty()) sides["before"] = change.before;
    if (!change.after.empty()) sides["after"] = change.after;
  }
  event.more.emplace("object", "configuration");
  event.more.emplace("changes", std::move(told));
  tell(state, {std::move(event)}, {asked.request_id, asked.who});
}

Answer finish(State& state, const Asked& asked, Result<Reloaded> reloaded) {
  const auto outcome = outcome_of(asked, reloaded);
  if (!asked.only_judge) {
    state.parts.counters->add("reloads", outcome, 1);
    note_last(state, asked, outcome, reloaded);
    log_outcome(state, asked, reloaded);
    if (reloaded && !reloaded->changes.empty()) tell_event(state, asked, reloaded->changes);
  }
  if (!reloaded) return std::move(reloaded).error();
  return json::value(json::object{{"outcome", outcome},
                                  {"changes", changes_json(reloaded->changes)},
                                  {"warnings", texts_json(reloaded->warnings)}});
}

}  // namespace

void reload(State& state, const MethodCall& call, const Done& done) {
  if (state.parts.reloads == nullptr)
    return done(Error{ErrorCode::unsupported, "this service has no configuration that it could read again", {}});
  const auto only_judge = optional_bool(call.args, "check", false);
  if (!only_judge) return done(only_judge.error());
  Asked asked{caller_text(call), call.peer, call.request_id, *only_judge};
  state.parts.reloads->begin(*only_judge, [&state, asked = std::move(asked), done](Result<Reloaded> reloaded) {
    done(finish(state, asked, std::move(reloaded)));
  });
}

}  // namespace gantry::scheduling

// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/events.hpp"

#include <algorithm>
#include <array>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr auto types = std::to_array<std::string_view>(
    {"aggregate.created",   "aggregate.deleted",  "aggregate.updated", "claims.released",    "configuration.reloaded",
     "fleet.imported",      "group.created",      "group.deleted",     "group.updated",      "host.contested",
     "host.removed",        "instance.deleted",   "instance.error",    "instance.scheduled", "instance.updated",
     "log.level_changed",   "restart.begun",      "service.disabled",  "service.down",       "service.enabled",
     "service.forced_down", "service.registered", "service.removed",   "service.up",         "stats.reset",
     "token.created",       "token.revoked",      "token.rotated"});

void log_health(const State& state, const Event& event) {
  const bool is_down = event.type == "service.down";
  if (!is_down && event.type != "service.up") return;
  std::vector<telemetry::Field> fields{{"topic", event.topic}, {"host", event.host}};
  if (const auto seen = json::find_string(event.more, "last_seen_up"))
    fields.push_back({"last_seen_up", std::string(*seen)});
  state.parts.logger->write(is_down ? telemetry::Level::warning : telemetry::Level::info,
                            is_down ? "service down" : "service up", fields);
}

bool is_of_type(const Event& event, const std::string& wanted) {
  return event.type == wanted || (event.type.starts_with(wanted) && event.type[wanted.size()] == '.');
}

bool fits(const Event& event, const EventFilter& filter) {
  if (filter.host && event.host != *filter.host) return false;
  if (filter.instance && event.instance != *filter.instance) return false;
  return filter.types.empty() || std::any_of(filter.types.begin(), filter.types.end(),
                                             [&](const std::string& wanted) { return is_of_type(event, wanted); });
}

// Sets the event's size. One event may take a share of the log: a larger one keeps what it is about, and how much it had
// more to say.
void measure(Event& event, std::size_t most_bytes) {
  constexpr std::size_t share = 64;
  constexpr std::size_t of_the_rest = 256;  // the texts of the event itself
  auto bytes = json::text_size(event.more);
  if (bytes > most_bytes / share) {
    json::object kept{{"left_out_bytes", bytes}};
    for (const auto* name : {"object", "name"}) {
      if (auto* value = event.more.if_contains(name)) kept.emplace(name, std::move(*value));
    }
    event.more = std::move(kept);
    bytes = json::text_size(event.more);
  }
  event.bytes = bytes + of_the_rest;
}

}  // namespace

std::span<const std::string_view> event_types() {
  return types;
}

EventLog::EventLog(std::size_t most_kept, std::size_t most_bytes)
    : most_kept_(most_kept), most_bytes_(most_bytes), polls_(mutex_) {}

void EventLog::tell(std::vector<Event> events, std::int64_t now) {
  for (auto& event : events) measure(event, most_bytes_);
  polls_.change([&] {
    for (auto& event : events) {
      event.number = ++told_;
      event.at = now;
      bytes_ += event.bytes;
      kept_.push_back(std::move(event));
      while (kept_.size() > most_kept_ || bytes_ > most_bytes_) {
        bytes_ -= kept_.front().bytes;
        kept_.pop_front();
      }
    }
  });
}

std::uint64_t EventLog::newest() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

std::uint64_t EventLog::before_oldest() const {
  const std::lock_guard lock(mutex_);
  return told_ - kept_.size();
}

EventLog::Page EventLog::read(std::uint64_t after, const EventFilter& filter) const {
  const std::lock_guard lock(mutex_);
  return look(after, filter);
}

EventLog::Page EventLog::look(std::uint64_t after, const EventFilter& filter) const {
  Page page;
  const std::uint64_t before_first = told_ - kept_.size();
  page.missed = after < before_first ? before_first - after : 0;
  page.seen = told_;
  const std::uint64_t begin = std::max(after, before_first) - before_first;
  std::size_t bytes = 0;
  for (auto at = static_cast<std::size_t>(begin); at < kept_.size(); ++at) {
    if (!fits(kept_[at], filter)) continue;
    page.events.push_back(kept_[at]);
    bytes += kept_[at].bytes;
    if (page.events.size() == filter.limit || bytes >= most_page_bytes) {
      page.seen = kept_[at].number;
      break;
    }
  }
  return page;
}

void EventLog::receive(std::uint64_t after, EventFilter filter, Clock::time_point until, Receiver receiver) {
  polls_.wait(until,
              [this, after, filter = std::move(filter), receiver = std::move(receiver)](
                  Clock::time_point /*now*/, bool is_last) mutable -> LongPoll::Answer {
                auto page = look(after, filter);
                if (page.events.empty() && page.missed == 0 && !is_last) {
                  after = page.seen;  // the next look begins there
                  return nullptr;
                }
                return [receiver, page = std::move(page)]() mutable { receiver(std::move(page)); };
              });
}

void EventLog::stop_waiting() {
  polls_.stop();
}

void tell(State& state, std::vector<Event> events, const Origin& origin) {
  // Two heartbeats at once may both have seen the service down. Only one event says that it is up.
  std::erase_if(events, [&state](const Event& event) {
    return event.type == "service.up" && !state.watch.forget(event.topic, event.host);
  });
  if (events.empty()) return;
  for (auto& event : events) {
    event.request_id = origin.request_id;
    event.who = origin.who;
    log_health(state, event);
    if (event.type == "service.removed") state.watch.forget(event.topic, event.host);
  }
  state.events.tell(std::move(events), now_nanoseconds());
}

}  // namespace gantry::scheduling

// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/events.hpp"

#include <algorithm>
#include <array>

namespace gantry::scheduling {

namespace {

constexpr std::array<std::string_view, 12> types{"fleet.imported",     "instance.deleted", "instance.error",
                                                 "instance.scheduled", "instance.updated", "service.disabled",
                                                 "service.down",       "service.enabled",  "service.forced_down",
                                                 "service.registered", "service.removed",  "service.up"};

bool is_of_type(const Event& event, const std::string& wanted) {
  return event.type == wanted || (event.type.starts_with(wanted) && event.type[wanted.size()] == '.');
}

bool fits(const Event& event, const EventFilter& filter) {
  if (filter.host && event.host != *filter.host) return false;
  if (filter.instance && event.instance != *filter.instance) return false;
  return filter.types.empty() || std::any_of(filter.types.begin(), filter.types.end(),
                                             [&](const std::string& wanted) { return is_of_type(event, wanted); });
}

}  // namespace

std::span<const std::string_view> event_types() {
  return types;
}

EventLog::EventLog(std::size_t most_kept) : most_kept_(most_kept), clock_([this] { run(); }) {}

EventLog::~EventLog() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  clock_.join();
}

void EventLog::tell(std::vector<Event> events, std::int64_t now) {
  bool is_awaited = false;
  {
    const std::lock_guard lock(mutex_);
    for (auto& event : events) {
      event.number = ++told_;
      event.at = now;
      kept_.push_back(std::move(event));
      if (kept_.size() > most_kept_) kept_.pop_front();
    }
    is_awaited = !waiters_.empty();
  }
  if (is_awaited) changed_.notify_all();
}

std::uint64_t EventLog::newest() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

std::uint64_t EventLog::before_oldest() const {
  const std::lock_guard lock(mutex_);
  return told_ - kept_.size();
}

EventLog::Page EventLog::look(std::uint64_t after, const EventFilter& filter) const {
  Page page;
  const std::uint64_t before_first = told_ - kept_.size();
  page.missed = after < before_first ? before_first - after : 0;
  page.seen = told_;
  const std::uint64_t begin = std::max(after, before_first) - before_first;
  for (auto at = static_cast<std::size_t>(begin); at < kept_.size(); ++at) {
    if (!fits(kept_[at], filter)) continue;
    page.events.push_back(kept_[at]);
    if (page.events.size() == filter.limit) {
      page.seen = kept_[at].number;
      break;
    }
  }
  return page;
}

void EventLog::receive(std::uint64_t after, EventFilter filter, Clock::time_point until, Receiver receiver) {
  Page page;
  {
    const std::lock_guard lock(mutex_);
    page = look(after, filter);
    if (page.events.empty() && page.missed == 0 && until > Clock::now() && !waiting_stopped_) {
      waiters_.push_back({page.seen, std::move(filter), until, std::move(receiver)});
      changed_.notify_all();
      return;
    }
  }
  receiver(std::move(page));
}

EventLog::Clock::time_point EventLog::serve(Ready& ready) {
  const auto now = Clock::now();
  auto next = Clock::time_point::max();
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
    auto page = look(waiter->after, waiter->filter);
    if (page.events.empty() && page.missed == 0 && waiter->until > now && !waiting_stopped_) {
      waiter->after = page.seen;
      next = std::min(next, waiter->until);
      ++waiter;
      continue;
    }
    ready.emplace_back(std::move(waiter->receiver), std::move(page));
    waiter = waiters_.erase(waiter);
  }
  return next;
}

void EventLog::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    Ready ready;
    const auto next = serve(ready);
    if (!ready.empty()) {
      lock.unlock();
      for (auto& [receiver, page] : ready) receiver(std::move(page));
      lock.lock();
      continue;
    }
    if (next == Clock::time_point::max()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, next);
    }
  }
}

void EventLog::stop_waiting() {
  {
    const std::lock_guard lock(mutex_);
    waiting_stopped_ = true;
  }
  changed_.notify_all();
}

}  // namespace gantry::scheduling

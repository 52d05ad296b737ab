// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/casts.hpp"

#include <algorithm>

#include "core/encoding/uuid.hpp"
#include "core/scheduling/state/service_limits.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::chrono::seconds redelivery{30};

}  // namespace

json::object to_json(const Cast& cast) {
  return {{"id", cast.id},         {"topic", cast.topic},       {"host", cast.host}, {"node", cast.node},
          {"method", cast.method}, {"consumer", cast.consumer}, {"args", cast.args}, {"created_at", cast.created_at}};
}

Result<Cast> cast_from_json(const json::object& document) {
  const auto text = [&document](std::string_view key) {
    return std::string(json::find_string(document, key).value_or(""));
  };
  Cast cast;
  cast.id = text("id");
  cast.topic = text("topic");
  cast.host = text("host");
  cast.node = text("node");
  cast.method = text("method");
  cast.consumer = text("consumer");
  if (const auto* args = json::find_object(document, "args")) cast.args = *args;
  cast.created_at = json::find_integer(document, "created_at").value_or(0);
  if (cast.id.empty() || cast.topic.empty() || cast.host.empty()) {
    return Error{ErrorCode::internal, "a stored cast lacks its id, topic or host", {}};
  }
  return cast;
}

// A cast that was handed out and not acknowledged becomes due again while receivers wait.
CastQueue::CastQueue(std::function<Clock::time_point()> now) : now_(std::move(now)), polls_(mutex_, redelivery / 10) {}

void CastQueue::add(Cast cast) {
  const auto id = cast.id;
  hold(std::move(cast));
  release(id);
}

void CastQueue::hold(Cast cast) {
  const std::lock_guard lock(mutex_);
  queues_[{cast.topic, cast.host}].emplace(cast.created_at, cast.id);
  if (!cast.consumer.empty()) of_consumers_.emplace(cast.consumer, cast.id);
  auto id = cast.id;
  const auto bytes = json::text_size(cast.args);
  auto& entry = casts_[std::move(id)];
  bytes_ += bytes - entry.bytes;
  entry = {std::move(cast), Clock::time_point::max(), 0, bytes};
}

void CastQueue::release(const std::string& id) {
  polls_.change([&] {
    const auto found = casts_.find(id);
    if (found != casts_.end()) found->second.due = Clock::time_point::min();  // else it was acknowledged meanwhile
  });
}

std::vector<std::string> CastQueue::ids_of(const std::string& consumer, std::string_view method) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> ids;
  const auto [first, last] = of_consumers_.equal_range(consumer);
  for (auto at = first; at != last; ++at) {
    if (method.empty() || casts_.at(at->second).cast.method == method) ids.push_back(at->second);
  }
  return ids;
}

std::optional<std::pair<std::string, std::string>> CastQueue::receiver_of(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = casts_.find(id);
  if (found == casts_.end()) return std::nullopt;
  return std::pair(found->second.cast.topic, found->second.cast.host);
}

std::optional<Cast> CastQueue::acknowledge(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto remove = [&id](auto& index, const auto& key) {
    const auto [first, last] = index.equal_range(key);
    const auto entry = std::find_if(first, last, [&id](const auto& item) { return item.second == id; });
    if (entry != last) index.erase(entry);
  };
  const auto found = casts_.find(id);
  if (found == casts_.end()) return std::nullopt;
  auto cast = std::move(found->second.cast);
  bytes_ -= found->second.bytes;
  casts_.erase(found);
  const auto queue = queues_.find({cast.topic, cast.host});
  remove(queue->second, cast.created_at);
  remove(of_consumers_, cast.consumer);
  if (queue->second.empty()) queues_.erase(queue);
  return cast;
}

std::vector<Cast> CastQueue::take(const Wish& wish) {
  const auto now = now_();
  std::vector<Cast> taken;
  std::size_t bytes = 0;
  for (const auto& host : wish.hosts) {
    const auto queue = queues_.find({wish.topic, host});
    if (queue == queues_.end()) continue;
    for (const auto& [created_at, id] : queue->second) {
      if (taken.size() >= wish.limit || bytes >= most_page_bytes) return taken;
      auto& entry = casts_.at(id);
      if (entry.due > now) continue;
      entry.due = now + redelivery;
      ++entry.cast.attempts;
      entry.handed_out_at = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
      taken.push_back(entry.cast);
      bytes += entry.bytes;
    }
  }
  return taken;
}

void CastQueue::receive(std::string topic, std::vector<std::string> hosts, std::size_t limit, Clock::time_point until,
                        Receiver receiver) {
  polls_.wait(until,
              [this, wish = Wish{std::move(topic), std::move(hosts), limit}, receiver = std::move(receiver)](
                  Clock::time_point /*now*/, bool is_last) -> LongPoll::Answer {
                auto taken = take(wish);
                if (taken.empty() && !is_last) return nullptr;
                return [receiver, taken = std::move(taken)]() mutable { receiver(std::move(taken)); };
              });
}

void CastQueue::stop_waiting() {
  polls_.stop();
}

std::vector<CastQueue::Waiting> CastQueue::waiting() const {
  std::vector<Waiting> result;
  {
    const std::lock_guard lock(mutex_);
    result.reserve(casts_.size());
    for (const auto& [id, entry] : casts_) {
      if (entry.due == Clock::time_point::max()) continue;
      const auto& cast = entry.cast;
      const auto named = json::find_string(cast.args, "instance_uuid");
      // The args stay behind: they are large and may hold secrets.
      result.push_back(
          {{cast.id, cast.topic, cast.host, cast.node, cast.method, cast.consumer, {}, cast.created_at, cast.attempts},
           std::string(named.value_or("")),
           entry.handed_out_at});
    }
  }
  for (auto& item : result) {
    if (item.instance.empty() && parse_uuid(item.cast.consumer)) item.instance = item.cast.consumer;
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Waiting& a, const Waiting& b) { return a.cast.created_at < b.cast.created_at; });
  return result;
}

std::vector<std::string> CastQueue::ids() const {
  std::vector<std::string> ids;
  const std::lock_guard lock(mutex_);
  ids.reserve(casts_.size());
  for (const auto& [id, entry] : casts_) ids.push_back(id);
  return ids;
}

std::optional<Cast> CastQueue::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = casts_.find(id);
  if (found == casts_.end()) return std::nullopt;
  return found->second.cast;
}

std::size_t CastQueue::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::int64_t CastQueue::oldest() const {
  std::int64_t oldest = 0;
  const std::lock_guard lock(mutex_);
  for (const auto& [receiver, queue] : queues_) {
    if (!queue.empty() && (oldest == 0 || queue.begin()->first < oldest)) oldest = queue.begin()->first;
  }
  return oldest;
}

std::size_t CastQueue::size() const {
  const std::lock_guard lock(mutex_);
  return casts_.size();
}

}  // namespace gantry::scheduling

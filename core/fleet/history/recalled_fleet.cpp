// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/history/recalled_fleet.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/fleet/history/fact_bytes.hpp"
#include "core/fleet/history/topic_facts.hpp"

namespace gantry::fleet {

FactChunk whole_facts(const Moment& moment) {
  FactChunk chunk{{}, moment.number(), moment.number(), true};
  for (const auto& copy : moment.state_->copies()) append_whole(chunk.bytes, moment.number(), *copy);
  return chunk;
}

Result<void> RecalledFleet::apply(const FactChunk& chunk, std::uint64_t until) {
  if (chunk.empty() || chunk.last_moment <= number_ || chunk.first_moment > until) return {};
  if (chunk.begins_whole) {
    topics_.clear();
  } else if (chunk.first_moment > number_ + 1) {
    return Error{ErrorCode::failed_precondition,
                 "the history of the fleet's facts lacks moments " + std::to_string(number_ + 1) + " to " +
                     std::to_string(chunk.first_moment - 1),
                 {}};
  }
  FactReader reader(chunk.bytes);
  while (!reader.is_at_end()) {
    const auto entry = read_entry(reader);
    if (!reader.is_whole()) return Error{ErrorCode::internal, "the history of the fleet's facts is damaged", {}};
    if (entry.moment > until) break;
    if (!chunk.begins_whole && entry.moment <= number_) continue;
    if (auto applied = apply_entry(entry); !applied) return applied;
  }
  number_ = std::min(until, chunk.last_moment);
  return {};
}

Result<void> RecalledFleet::apply_entry(const EntryHead& entry) {
  auto at = topics_.find(entry.topic);
  if (entry.is_whole) {
    if (at != topics_.end()) topics_.erase(at);
    at = topics_.try_emplace(std::string(entry.topic), std::string(entry.topic)).first;
  } else if (at == topics_.end()) {
    return Error{ErrorCode::internal, "the history of topic " + std::string(entry.topic) + " has no beginning", {}};
  }
  return at->second.apply(entry.body);
}

Moment RecalledFleet::moment() {
  std::vector<std::shared_ptr<TableCopy>> copies;
  copies.reserve(topics_.size());
  for (auto& [name, topic] : topics_) copies.push_back(topic.finish());
  Moment moment;
  moment.state_ = std::make_shared<const MomentState>(std::move(copies), 0);
  return moment;
}

}  // namespace gantry::fleet

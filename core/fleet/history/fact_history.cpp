// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/history/fact_history.hpp"

#include <utility>

#include "core/fleet/history/topic_facts.hpp"

namespace gantry::fleet {

std::uint64_t FactHistory::add(const std::vector<Change>& topics) {
  ++moment_;
  if (chunk_.bytes.size() > most_bytes_) {
    chunk_ = {};
    is_broken_ = true;
  }
  if (is_broken_) {
    told_.clear();
    chunk_ = {};
    chunk_.begins_whole = true;
    is_broken_ = false;
  }
  if (chunk_.first_moment == 0) chunk_.first_moment = moment_;
  chunk_.last_moment = moment_;
  for (const auto& topic : topics) add_topic(topic);
  return moment_;
}

void FactHistory::add_topic(const Change& topic) {
  const auto& view = topic.copy->view();
  const auto [at, is_new] = told_.try_emplace(topic.copy->topic());
  auto& told = at->second;
  if (is_new) {
    append_whole(chunk_.bytes, moment_, *topic.copy);
  } else if (!topic.changes->empty() || view.rows != told.rows || view.column_count != told.columns) {
    append_changes(chunk_.bytes, moment_, *topic.copy, *topic.changes, told.columns);
  }
  told = {view.rows, view.column_count};
}

FactChunk FactHistory::take() {
  return std::exchange(chunk_, {});
}

}  // namespace gantry::fleet

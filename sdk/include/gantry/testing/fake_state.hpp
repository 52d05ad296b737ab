// SPDX-License-Identifier: Apache-2.0
//
// The state of a fake host between calls: the settings of a test, and the rows of each topic.
#pragma once

#include <gantry/driver.h>
#include <gantry/testing/fake_request.hpp>
#include <gantry/testing/fake_view.hpp>
#include <gantry/testing/outcome.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing {

// An instance for the service locate: its host and the facts that locate returns about it.
struct fake_instance {
  std::string host;
  std::string availability_zone = {};
  std::string flavor = {};
  std::string project_id = {};
  std::string vm_state = {};
  std::string node = {};
  std::int64_t vcpus = 0;
  std::int64_t memory_mb = 0;
  double disk_gb = 0;
};

// The input that a test sets, and the results that drivers leave behind. The main topic is the topic of the driver
// under test.
class fake_state {
 public:
  fake_state(const fake_state&) = delete;
  fake_state& operator=(const fake_state&) = delete;

  std::vector<std::string> needs;  // columns.needs of the driver's manifest
  fake_context context;
  fake_options options;
  std::uint64_t seed = 1;                          // seed of the next call's random numbers; each call increments it
  std::int64_t now = 1'700'000'000'000'000'000;    // the time of each call, nanoseconds since 1970 UTC
  std::int32_t log_level = GANTRY_LOG_DEBUG;       // the lowest level for which log_enabled answers yes
  bool stop = false;                               // true: should_stop says so and no time is left
  std::function<bool(const picked&)> admits;       // returns false for a pick whose claim is to fail
  std::map<std::string, fake_instance> instances;  // the instances that locate finds, by uuid
  std::map<std::string, const void*> extensions;   // the extensions that the host offers: tables by id
  std::map<std::string, std::string> answers;      // JSON of policy services, by name; empty: the service is away
  std::map<std::string, std::uint64_t> counters;   // totals of the service count, by counter
  std::vector<logged> logs;                        // lines that were logged outside of a call

  const std::string& topic() const { return main_topic_; }

  // Replaces the rows of a topic, or adds a topic.
  void set_rows(const std::string& topic, std::vector<host_row> rows) {
    rows_[topic] = std::move(rows);
    views_.erase(topic);
  }
  // Returns the rows of the main topic, to be changed by the test. The next call sees the changes.
  std::vector<host_row>& rows() {
    views_.erase(main_topic_);
    return rows_[main_topic_];
  }
  // Returns a row of the main topic.
  const host_row& row(std::uint32_t index) const { return rows_.at(main_topic_).at(index); }

  // Returns the index of the row with this host and node, UINT32_MAX if there is none. If `node` is empty, returns the
  // first row of the host.
  std::uint32_t row_of(const std::string& topic, const std::string& host, const std::string& node) const {
    const auto rows = rows_.find(topic);
    for (std::size_t row = 0; rows != rows_.end() && row < rows->second.size(); ++row) {
      const host_row& found = rows->second[row];
      if (found.host == host && (node.empty() || found.node == node)) return static_cast<std::uint32_t>(row);
    }
    return UINT32_MAX;
  }

  // The resources that the picks of earlier calls hold, by instance uuid, host and node.
  using pick_place = std::array<std::string, 3>;
  const std::map<pick_place, std::vector<claimed_item>>& held_by_picks() const { return held_by_picks_; }
  void hold_by_pick(const pick_place& place, std::vector<claimed_item> items) {
    held_by_picks_[place] = std::move(items);
  }

  // Returns the view of a topic, nullptr if the topic is unknown. After a change of the rows, it is a new view.
  fake_view* view(const std::string& topic) {
    const auto rows = rows_.find(topic);
    if (rows == rows_.end()) return nullptr;
    std::unique_ptr<fake_view>& view = views_[topic];
    if (view == nullptr) view = std::make_unique<fake_view>(topic, rows->second, ++generation_);
    return view.get();
  }

 protected:
  fake_state(std::string topic, std::vector<host_row> rows) : main_topic_(std::move(topic)) {
    set_rows(main_topic_, std::move(rows));
  }
  ~fake_state() = default;

 private:
  std::string main_topic_;
  std::map<std::string, std::vector<host_row>> rows_;
  std::map<std::string, std::unique_ptr<fake_view>> views_;
  std::map<pick_place, std::vector<claimed_item>> held_by_picks_;
  std::uint64_t generation_ = 0;
};

}  // namespace gantry::testing

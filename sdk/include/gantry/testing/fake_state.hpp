// SPDX-License-Identifier: Apache-2.0
//
// What a fake host knows between calls: what a test may set, and the rows of each topic.
#pragma once

#include <gantry/driver.h>
#include <gantry/testing/fake_request.hpp>
#include <gantry/testing/fake_view.hpp>
#include <gantry/testing/outcome.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing {

// Where an instance is, and what is known of it.
struct fake_instance {
  std::string host;
  std::string availability_zone = {};
  std::string flavor = {};
  std::string project_id = {};
  std::string vm_state = {};
  std::string node = {};
};

class fake_state {
 public:
  fake_state(const fake_state&) = delete;
  fake_state& operator=(const fake_state&) = delete;

  std::vector<std::string> needs;  // columns.needs of the manifest
  fake_context context;
  fake_options options;
  std::uint64_t seed = 1;  // of the next call; each call counts it up
  std::int64_t now = 1'700'000'000'000'000'000;
  std::int32_t log_level = GANTRY_LOG_DEBUG;
  bool stop = false;                               // what should_stop answers
  std::function<bool(const picked&)> admits;       // false: the pick loses to somebody faster
  std::map<std::string, fake_instance> instances;  // by uuid: what locate finds
  std::map<std::string, const void*> extensions;   // by id
  std::map<std::string, std::uint64_t> counters;   // what the driver counted
  std::vector<logged> logs;                        // lines logged outside of a call

  const std::string& topic() const { return main_topic_; }

  // Replaces a topic's rows, or adds a topic.
  void set_rows(const std::string& topic, std::vector<host_row> rows) {
    rows_[topic] = std::move(rows);
    views_.erase(topic);
  }
  // The rows that calls are made on, to be changed: the next call sees them.
  std::vector<host_row>& rows() {
    views_.erase(main_topic_);
    return rows_[main_topic_];
  }
  const host_row& row(std::uint32_t index) const { return rows_.at(main_topic_).at(index); }

  // UINT32_MAX: no such row.
  std::uint32_t row_of(const std::string& topic, const std::string& host, const std::string& node) const {
    const auto rows = rows_.find(topic);
    for (std::size_t row = 0; rows != rows_.end() && row < rows->second.size(); ++row) {
      const host_row& found = rows->second[row];
      if (found.host == host && (node.empty() || found.node == node)) return static_cast<std::uint32_t>(row);
    }
    return UINT32_MAX;
  }

  // nullptr: no such topic. Built at the first ask after a change.
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
  std::uint64_t generation_ = 0;
};

}  // namespace gantry::testing

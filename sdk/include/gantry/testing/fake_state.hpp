// SPDX-License-Identifier: Apache-2.0
//
// The state of a fake host between calls: the settings of a test, and the rows of each topic.
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

// The place of an instance and its record.
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
  std::uint64_t seed = 1;  // seed of the next call; each call increments it
  std::int64_t now = 1'700'000'000'000'000'000;
  std::int32_t log_level = GANTRY_LOG_DEBUG;
  bool stop = false;                               // the answer of should_stop
  std::function<bool(const picked&)> admits;       // returns false for a pick that loses its claim to another request
  std::map<std::string, fake_instance> instances;  // by uuid, for locate
  std::map<std::string, const void*> extensions;   // tables by id
  std::map<std::string, std::uint64_t> counters;   // the driver's counters
  std::vector<logged> logs;                        // lines logged outside of a call

  const std::string& topic() const { return main_topic_; }

  // Replaces the rows of a topic, or adds a topic.
  void set_rows(const std::string& topic, std::vector<host_row> rows) {
    rows_[topic] = std::move(rows);
    views_.erase(topic);
  }
  // Gives access to the rows of the main topic. The next call sees the changes.
  std::vector<host_row>& rows() {
    views_.erase(main_topic_);
    return rows_[main_topic_];
  }
  const host_row& row(std::uint32_t index) const { return rows_.at(main_topic_).at(index); }

  // Returns a row number, UINT32_MAX if the row does not exist.
  std::uint32_t row_of(const std::string& topic, const std::string& host, const std::string& node) const {
    const auto rows = rows_.find(topic);
    for (std::size_t row = 0; rows != rows_.end() && row < rows->second.size(); ++row) {
      const host_row& found = rows->second[row];
      if (found.host == host && (node.empty() || found.node == node)) return static_cast<std::uint32_t>(row);
    }
    return UINT32_MAX;
  }

  // Returns the view of a topic, nullptr if the topic is unknown. The view is rebuilt after a change.
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

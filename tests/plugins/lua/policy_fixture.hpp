// SPDX-License-Identifier: Apache-2.0
//
// The driver lua as it was built, over a fake host, with a policy that a test gives as text.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/plugins/bundled_driver.hpp"

namespace gantry::tests {

class LuaPolicy : public ::testing::Test {
 protected:
  explicit LuaPolicy(std::vector<testing::host_row> rows = {{"a"}, {"b"}, {"c"}}) : host_(std::move(rows)) {
    host_.needs = {"host", "up", "disabled"};
  }
  ~LuaPolicy() override {
    driver_.reset();
    std::filesystem::remove(path_);
  }

  // Makes the driver of a policy. Returns the sentence of its refusal, empty if it was made.
  std::string load(const std::string& source, bool check_room = true, std::int64_t memory_mb = 64) {
    driver_.reset();
    std::ofstream(path_) << source;
    host_.options.string("policy", path_).integer("memory_mb", memory_mb).boolean("check_room", check_room);
    driver_ = host_.create(*bundled_driver("lua"));
    return driver_ == nullptr ? host_.refusal.sentence : "";
  }

  testing::outcome select(const testing::fake_request& request = {}) { return driver_->select_destinations(request); }

  // Decides with a policy. The sentence of a failure or of no valid host, or the names of the hosts that were picked.
  std::string decide(const std::string& source, const testing::fake_request& request = {}) {
    if (const std::string refused = load(source); !refused.empty()) return "refused: " + refused;
    const testing::outcome outcome = select(request);
    if (outcome.code != GANTRY_OK) return std::to_string(outcome.code) + ": " + outcome.sentence;
    std::string hosts;
    for (const testing::picked& pick : outcome.picks) hosts += pick.host;
    return hosts;
  }

  testing::fake_host host_;
  std::unique_ptr<testing::fake_driver> driver_;
  std::string path_ =
      (std::filesystem::temp_directory_path() / ("gantry-" + std::to_string(getpid()) + ".lua")).string();
};

}  // namespace gantry::tests

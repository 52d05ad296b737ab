// SPDX-License-Identifier: Apache-2.0
//
// One driver of the zoo in a directory of its own, and what the service says when it is to load it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_set.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::drivers {

class ZooTest : public testing::Test {
 protected:
  ZooTest();

  // Puts the built driver of that name in its place as zoo.so; returns where.
  std::string put(const std::string& name) const;
  // Where a built driver or library is.
  static std::string built(const std::string& name);
  // Loads as the service would; the message, or "no error".
  std::string load();
  // The same without running anything.
  std::string check() const;

  TrustedDirectory directory_;
  config::Settings settings_;
  std::optional<DriverSet> set_;  // the drivers of the last load
};

// All of the words: a refusal names path, rule, expected and found.
testing::Matcher<std::string> mentions(const std::vector<std::string>& words);

}  // namespace gantry::drivers

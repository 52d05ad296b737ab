// SPDX-License-Identifier: Apache-2.0
#include "core/result.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace gantry {
namespace {

TEST(Result, HoldsAValueOrAnError) {
  const Result<int> good = 4;
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  const Result<int> bad = Error{ErrorCode::not_found, "no host a", {}};
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::not_found);
}

TEST(Result, SucceedsWithoutAValueUnlessItHoldsAnError) {
  EXPECT_TRUE(Result<void>());
  EXPECT_FALSE(Result<void>(Error{ErrorCode::internal, "x", {}}));
}

TEST(Result, GivesUpValuesThatCanOnlyMove) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = *std::move(result);
  EXPECT_EQ(*taken, 3);
}

TEST(Error, GathersContextInFront) {
  const Error error = Error{ErrorCode::not_found, "no such file", {}}.within("driver ip").within("loading");
  EXPECT_EQ(error.message, "loading: driver ip: no such file");
  EXPECT_EQ(error.code, ErrorCode::not_found);
}

TEST(ErrorCode, HasTheNamesOfTheApi) {
  EXPECT_EQ(name_of(ErrorCode::no_valid_host), "no_valid_host");
  EXPECT_EQ(name_of(ErrorCode::unavailable), "unavailable");
  EXPECT_EQ(name_of(ErrorCode::internal), "internal");
}

}  // namespace
}  // namespace gantry

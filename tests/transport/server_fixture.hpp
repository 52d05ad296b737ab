// SPDX-License-Identifier: Apache-2.0
//
// A running server over a fake manager, on a socket in a directory of its own.
#pragma once

#include <gtest/gtest.h>

#include "core/transport/http_server.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/transport/fake_manager.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::testing {

class ServerTest : public ::testing::Test {
 protected:
  ServerTest() {
    settings_.socket = directory_.path() + "/gantry.sock";
    settings_.workers = 4;
  }

  void start() {
    auto started = transport::HttpServer::start(settings_, manager_, telemetry::Logger::none(), limits_);
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
  }

  void stop(std::chrono::milliseconds patience = std::chrono::seconds(10)) {
    server_->stop(std::chrono::steady_clock::now() + patience);
  }

  RawConnection connect() const { return RawConnection(settings_.socket); }

  // The answer to one request on a connection of its own; status 0 if there was none.
  RawAnswer ask(const std::string& request) const {
    RawConnection connection = connect();
    connection.send(request);
    return connection.answer().value_or(RawAnswer{});
  }

  static json::object object_of(const RawAnswer& answer) {
    auto parsed = json::parse_object(answer.body);
    EXPECT_TRUE(parsed) << answer.body;
    return parsed ? std::move(*parsed) : json::object{};
  }
  // A member of the "error" object; empty if there is none.
  static std::string error_of(const RawAnswer& answer, std::string_view member) {
    const auto whole = object_of(answer);
    const auto* error = json::find_object(whole, "error");
    if (error == nullptr) return {};
    return std::string(json::find_string(*error, member).value_or(""));
  }
  static json::object result_of(const RawAnswer& answer) {
    const auto whole = object_of(answer);
    const auto* result = json::find_object(whole, "result");
    EXPECT_NE(result, nullptr) << answer.body;
    return result == nullptr ? json::object{} : *result;
  }

  support::ScratchDirectory directory_;
  config::Settings::Server settings_;
  transport::HttpLimits limits_;
  FakeManager manager_;
  std::unique_ptr<transport::HttpServer> server_;
};

// A call of "schedule" with a number, which comes back in the result, and how the fake manager shall behave.
inline std::string numbered(int number, std::string_view fake = "{}") {
  return post("schedule", R"({"args":{"number":)" + std::to_string(number) + R"(,"fake":)" + std::string(fake) + "}}");
}

inline std::int64_t number_in(const json::object& result) {
  return json::find_integer(*json::find_object(result, "args"), "number").value_or(-1);
}

}  // namespace gantry::testing

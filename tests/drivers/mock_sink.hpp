// SPDX-License-Identifier: Apache-2.0
//
// A sink that tests can ask what reached it.
#pragma once

#include <gmock/gmock.h>

#include "core/drivers/call/driver_call.hpp"

namespace gantry::drivers {

class MockSink : public Sink {
 public:
  MOCK_METHOD(gantry_code, pick, (const Pick&), (override));
  MOCK_METHOD(gantry_code, alternate, (const Pick&), (override));
  MOCK_METHOD(gantry_code, refuse, (std::uint32_t, std::string_view), (override));
  MOCK_METHOD(void, explain, (const gantry_step&), (override));
  MOCK_METHOD(gantry_code, explain_host, (const gantry_host_explanation&), (override));
  MOCK_METHOD(gantry_code, claim, (const gantry_claim&), (override));
  MOCK_METHOD(gantry_code, reply, (std::string_view), (override));
  MOCK_METHOD(gantry_code, cast, (const gantry_cast&), (override));
};

}  // namespace gantry::drivers

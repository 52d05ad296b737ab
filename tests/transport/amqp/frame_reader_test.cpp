// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/frame_reader.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "tests/transport/amqp/scripted_broker.hpp"

namespace gantry::amqp {
namespace {

using testing::HasSubstr;

std::string frames() {
  return say_start() + say_frame(FrameType::heartbeat, 0, "") + say_frame(FrameType::body, 7, "a body") +
         say_frame(FrameType::body, 0xFFFF, "");
}

std::vector<std::string> read_all(FrameReader& reader) {
  std::vector<std::string> found;
  for (auto frame = reader.next();; frame = reader.next()) {
    EXPECT_TRUE(frame) << frame.error().message;
    if (!frame || !*frame) return found;
    found.push_back(std::to_string(static_cast<int>((*frame)->type)) + " " + std::to_string((*frame)->channel) + " " +
                    std::string((*frame)->payload));
  }
}

std::string error_of_bytes(const std::string& bytes, std::size_t max_frame = 4096) {
  FrameReader reader(max_frame);
  reader.add(bytes);
  for (auto frame = reader.next();; frame = reader.next()) {
    if (!frame) return frame.error().message;
    if (!*frame) return "";
  }
}

TEST(FrameReader, ReadsTheSameFramesHoweverTheBytesAreCut) {
  FrameReader at_once(4096);
  at_once.add(frames());
  const auto expected = read_all(at_once);
  ASSERT_EQ(expected.size(), 4U);
  EXPECT_EQ(expected[2], "3 7 a body");
  EXPECT_EQ(expected[3], "3 65535 ");
  for (std::size_t cut = 0; cut <= frames().size(); ++cut) {
    FrameReader reader(4096);
    reader.add(frames().substr(0, cut));
    auto found = read_all(reader);
    reader.add(frames().substr(cut));
    for (auto& frame : read_all(reader)) found.push_back(frame);
    EXPECT_EQ(found, expected) << "cut behind byte " << cut;
  }
}

TEST(FrameReader, RefusesAFrameAboveTheLimitBeforeItsPayloadCame) {
  const std::string head("\x03\x00\x01\x00\x00\x10\x00", 7);
  EXPECT_THAT(error_of_bytes(say_start() + head),
              HasSubstr("expected a frame of at most 4088 bytes, found one of 4096"));
  const std::string huge("\x03\x00\x01\xff\xff\xff\xff", 7);
  EXPECT_THAT(error_of_bytes(say_start() + huge), HasSubstr("found one of 4294967295"));
}

TEST(FrameReader, RefusesAMethodThatWouldHoldVeryDeepTables) {
  const std::string head("\x01\x00\x01\x00\x00\x80\x01", 7);
  EXPECT_THAT(error_of_bytes(say_start() + head, 1 << 20), HasSubstr("at most 32768 bytes, found one of 32769"));
}

TEST(FrameReader, RefusesAFrameWithAnotherEnd) {
  auto bytes = say_start();
  bytes.back() = '\xCF';
  EXPECT_THAT(error_of_bytes(bytes), HasSubstr("expected the end of a frame, 0xce, found 0xcf"));
}

TEST(FrameReader, RefusesAFrameOfUnknownType) {
  EXPECT_THAT(error_of_bytes(say_start() + "\x05"), HasSubstr("expected the type of a frame, found 0x05"));
}

TEST(FrameReader, TellsABrokerOfAnotherVersionFromAnotherServer) {
  EXPECT_THAT(error_of_bytes(std::string("AMQP\x00\x01\x00\x00", 8)), HasSubstr("one that speaks another version"));
  EXPECT_EQ(error_of_bytes("AM"), "");
  EXPECT_THAT(error_of_bytes("HTTP/1.1 400 Bad Request\r\n"), HasSubstr("found bytes that are no AMQP"));
  EXPECT_THAT(error_of_bytes("\x15\x03\x03"), HasSubstr("found bytes that are no AMQP"));
}

}  // namespace
}  // namespace gantry::amqp

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/codec.hpp"

#include <gmock/gmock.h>

#include "core/transport/amqp/frame_reader.hpp"

namespace gantry::amqp {
namespace {

using testing::HasSubstr;

std::string big_endian_size(std::size_t size) {
  return {static_cast<char>(size >> 24U), static_cast<char>(size >> 16U), static_cast<char>(size >> 8U),
          static_cast<char>(size)};
}

// connection.start with a table in a table, as deep as the bytes allow.
std::string start_with_nested_tables(std::size_t bytes) {
  std::string table;
  while (table.size() + 6 <= bytes) table.insert(0, std::string("\0F", 2) + big_endian_size(table.size()));
  return std::string("\x00\x0a\x00\x0a\x00\x09", 6) + big_endian_size(table.size()) + table + big_endian_size(5) +
         "PLAIN" + big_endian_size(0);
}

// Some releases of librabbitmq read these tables, and some refuse the tables.
TEST(Codec, OutlivesTablesAsDeepAsAFrameMayHold) {
  Decoder decoder;
  const auto payload = start_with_nested_tables(max_table_bytes - 100);
  const auto method = decoder.method(payload);
  if (method)
    EXPECT_EQ(text_of(fields_as<amqp_connection_start_t>(method->fields).mechanisms), "PLAIN");
  else
    EXPECT_NE(method.error().message, "");
}

TEST(Codec, RefusesMethodsCutAtAnyByte) {
  const auto whole = start_with_nested_tables(100);
  Decoder decoder;
  EXPECT_TRUE(decoder.method(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(decoder.method(whole.substr(0, size))) << "cut behind byte " << size;
}

TEST(Codec, NamesMethodsAsTheStandardDoes) {
  EXPECT_EQ(name_of_method(AMQP_QUEUE_DECLARE_OK_METHOD), "queue.declare-ok");
  EXPECT_EQ(name_of_method(AMQP_CONNECTION_START_METHOD), "connection.start");
  EXPECT_EQ(name_of_method(0x00630001), "method 99.1");
}

TEST(Codec, SortsTheBrokersErrors) {
  EXPECT_EQ(error_of(403, "x").code, ErrorCode::permission_denied);
  EXPECT_EQ(error_of(404, "x").code, ErrorCode::not_found);
  EXPECT_EQ(error_of(405, "x").code, ErrorCode::unavailable);
  EXPECT_EQ(error_of(406, "x").code, ErrorCode::failed_precondition);
  EXPECT_EQ(error_of(320, "x").code, ErrorCode::unavailable);
  EXPECT_EQ(error_of(406, "PRECONDITION_FAILED - x").message, "PRECONDITION_FAILED - x");
  EXPECT_EQ(error_of(406, "").details, R"({"reply_code":406})");
}

TEST(Codec, KeepsThePropertiesOfAMessage) {
  Publication publication;
  publication.properties = {"application/json", "utf-8", "", "60000", 2, 7};
  publication.body = "body";
  std::string bytes;
  ASSERT_TRUE(append_content(bytes, 3, publication, "12", 4096));
  Decoder decoder;
  const auto header = decoder.header(std::string_view(bytes).substr(7, bytes.size() - 8 - 12));
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->body_bytes, 4U);
  const auto found = properties_of(*header->properties);
  EXPECT_EQ(found.content_type, "application/json");
  EXPECT_EQ(found.content_encoding, "utf-8");
  EXPECT_EQ(found.expiration, "60000");
  EXPECT_EQ(found.delivery_mode, 2);
  EXPECT_EQ(found.priority, 7);
  EXPECT_EQ(message_id_of(*header->properties), "12");
  publication.properties.content_type = std::string(256, 'x');
  EXPECT_THAT(append_content(bytes, 3, publication, "", 4096).error().message,
              HasSubstr("the properties of a message"));
}

}  // namespace
}  // namespace gantry::amqp

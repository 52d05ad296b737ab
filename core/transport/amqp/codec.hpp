// SPDX-License-Identifier: Apache-2.0
//
// Methods and properties as librabbitmq encodes and decodes them. The one header that shows librabbitmq's types; only
// sources of this folder include it.
#pragma once

#include <amqp.h>
#include <amqp_framing.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/transport/amqp/values.hpp"

namespace gantry::amqp {

// librabbitmq's view of a text. The text must outlive the view.
amqp_bytes_t view_of(std::string_view text);
std::string text_of(amqp_bytes_t bytes);

// A table that is to be sent. Keys and texts must outlive the table.
class Table {
 public:
  Table() = default;
  explicit Table(const Arguments& arguments);
  void add(std::string_view key, const Argument& value);
  void add(std::string_view key, const Table& value);
  amqp_table_t view() const;

 private:
  std::vector<amqp_table_entry_t> entries_;
};

// Appends the frame of a method: `fields` is the amqp_..._t of `method`. Fails if a short text is longer than 255 bytes.
Result<void> append_method(std::string& out, std::uint16_t channel, amqp_method_number_t method, const void* fields);
// Appends the frames of a message's properties and body, in frames of at most `max_frame` bytes.
Result<void> append_content(std::string& out, std::uint16_t channel, const Publication& publication,
                            std::string_view message_id, std::size_t max_frame);

// Decodes the payload of frames. The result refers to the payload, and lives until the next call.
class Decoder {
 public:
  struct Method {
    amqp_method_number_t number = 0;
    const void* fields = nullptr;  // the amqp_..._t of the method
  };
  struct Header {
    std::uint64_t body_bytes = 0;
    const amqp_basic_properties_t* properties = nullptr;
  };

  Decoder();
  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  Result<Method> method(std::string_view payload);
  Result<Header> header(std::string_view payload);

 private:
  amqp_pool_t pool_;
};

template <class Fields>
const Fields& fields_as(const void* fields) {
  return *static_cast<const Fields*>(fields);
}

Properties properties_of(const amqp_basic_properties_t& decoded);
// The sequence number that the publisher wrote. Empty if there is none.
std::string message_id_of(const amqp_basic_properties_t& decoded);

// Returns the name of a method for messages: "queue.declare".
std::string name_of_method(amqp_method_number_t method);

// Returns the error for the broker's code and words, as in connection.close and channel.close. 406 alone becomes
// failed_precondition.
Error error_of(std::uint16_t reply_code, std::string text);

}  // namespace gantry::amqp

// SPDX-License-Identifier: Apache-2.0
//
// Cuts the bytes of a broker into frames. Checks type, length and end of each before it keeps the payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace gantry::amqp {

enum class FrameType : std::uint8_t { method = 1, header = 2, body = 3, heartbeat = 8 };

inline constexpr std::size_t frame_overhead = 8;  // type, channel and length in front, one byte behind

// Limits the payload of a method or of a message's properties. Tables may hold tables, and librabbitmq reads them with a
// call for each level.
inline constexpr std::size_t max_table_bytes = 32 * 1024;

struct Frame {
  FrameType type = FrameType::heartbeat;
  std::uint16_t channel = 0;
  std::string_view payload;  // valid until the next call of the reader
};

class FrameReader {
 public:
  explicit FrameReader(std::size_t max_frame) : max_frame_(max_frame) {}

  // The size of a whole frame, as agreed with the broker.
  void set_max_frame(std::size_t bytes) { max_frame_ = bytes; }
  void add(std::string_view bytes);
  // Returns the next whole frame, nullopt if more bytes are needed. After an error the reader cannot be used.
  Result<std::optional<Frame>> next();

 private:
  std::optional<Error> fault_of_start(std::string_view bytes) const;

  std::size_t max_frame_;
  std::string bytes_;
  std::size_t used_ = 0;
  bool is_first_ = true;
};

// Returns the error for bytes that no broker may send.
Error broken_protocol(const std::string& fault);

// Appends a frame to bytes that are to be sent.
void append_frame(std::string& out, FrameType type, std::uint16_t channel, std::string_view payload);

}  // namespace gantry::amqp

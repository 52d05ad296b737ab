// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/frame_reader.hpp"

#include <algorithm>
#include <array>

namespace gantry::amqp {

namespace {

constexpr std::size_t head_bytes = 7;
constexpr unsigned char frame_end = 0xCE;

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t count) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < count; ++i) number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

bool is_frame_type(std::uint32_t type) {
  return (type >= 1 && type <= 3) || type == 8;
}

std::string hexadecimal(std::uint32_t byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'0', 'x', digits[byte >> 4U & 0xFU], digits[byte & 0xFU]};
}

}  // namespace

void FrameReader::add(std::string_view bytes) {
  bytes_.erase(0, used_);
  used_ = 0;
  bytes_.append(bytes);
}

std::optional<Error> FrameReader::fault_of_start(std::string_view bytes) const {
  if (is_first_ && bytes.starts_with("AMQP")) {
    return Error{ErrorCode::unsupported,
                 "expected a broker that speaks AMQP 0-9-1, found one that speaks another version", ""};
  }
  const auto type = number_at(bytes, 0, 1);
  if (is_first_ && type != 1) {
    return Error{
        ErrorCode::unavailable,
        "expected a broker that speaks AMQP 0-9-1, found bytes that are no AMQP: is this its AMQP port, and is TLS "
        "as the broker has it?",
        ""};
  }
  if (!is_frame_type(type)) return broken_protocol("expected the type of a frame, found " + hexadecimal(type));
  if (bytes.size() < head_bytes) return std::nullopt;
  const std::size_t size = number_at(bytes, 3, 4);
  const bool has_tables = type == 1 || type == 2;
  const std::size_t allowed =
      has_tables ? std::min(max_table_bytes, max_frame_ - frame_overhead) : max_frame_ - frame_overhead;
  if (size <= allowed) return std::nullopt;
  return broken_protocol("expected a frame of at most " + std::to_string(allowed) + " bytes, found one of " +
                         std::to_string(size));
}

Result<std::optional<Frame>> FrameReader::next() {
  const std::string_view bytes = std::string_view(bytes_).substr(used_);
  if (bytes.empty()) return std::optional<Frame>();
  // A broker of another version says so with eight bytes that begin like this.
  if (is_first_ && bytes.size() < 4 && std::string_view("AMQP").starts_with(bytes)) return std::optional<Frame>();
  if (auto fault = fault_of_start(bytes)) return *std::move(fault);
  if (bytes.size() < head_bytes) return std::optional<Frame>();
  const std::size_t size = number_at(bytes, 3, 4);
  if (bytes.size() < size + frame_overhead) return std::optional<Frame>();
  const auto end = static_cast<unsigned char>(bytes[head_bytes + size]);
  if (end != frame_end) return broken_protocol("expected the end of a frame, 0xce, found " + hexadecimal(end));
  is_first_ = false;
  used_ += size + frame_overhead;
  return std::optional<Frame>(Frame{static_cast<FrameType>(bytes[0]),
                                    static_cast<std::uint16_t>(number_at(bytes, 1, 2)),
                                    bytes.substr(head_bytes, size)});
}

Error broken_protocol(const std::string& fault) {
  return {ErrorCode::unavailable, "the broker broke the protocol: " + fault, ""};
}

void append_frame(std::string& out, FrameType type, std::uint16_t channel, std::string_view payload) {
  const auto size = static_cast<std::uint32_t>(payload.size());
  const std::array<unsigned char, head_bytes> head{
      static_cast<unsigned char>(type),        static_cast<unsigned char>(channel >> 8U),
      static_cast<unsigned char>(channel),     static_cast<unsigned char>(size >> 24U),
      static_cast<unsigned char>(size >> 16U), static_cast<unsigned char>(size >> 8U),
      static_cast<unsigned char>(size)};
  out.append(reinterpret_cast<const char*>(head.data()), head.size());
  out.append(payload);
  out.push_back(static_cast<char>(frame_end));
}

}  // namespace gantry::amqp

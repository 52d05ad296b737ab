// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/codec.hpp"

#include <algorithm>

#include "core/transport/amqp/frame_reader.hpp"

namespace gantry::amqp {

namespace {

constexpr std::uint16_t basic_class = 60;
constexpr std::size_t method_head = 4;    // class and method
constexpr std::size_t content_head = 12;  // class, weight and length of the body

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

void append_big_endian(std::string& out, std::uint64_t number, unsigned bytes) {
  for (unsigned shift = bytes * 8; shift > 0; shift -= 8) out.push_back(static_cast<char>(number >> (shift - 8)));
}

// Calls librabbitmq's `encode` with a buffer that grows until what is encoded fits. librabbitmq does not say whether a
// text is too long or the buffer too small.
template <class Encode>
Result<std::string> encoded(const Encode& encode) {
  for (std::size_t size = 1024; size <= max_table_bytes; size *= 2) {
    std::string buffer(size, '\0');
    const int used = encode(amqp_bytes_t{buffer.size(), buffer.data()});
    if (used >= 0) return buffer.substr(0, static_cast<std::size_t>(used));
  }
  return Error{ErrorCode::invalid_argument,
               "expected names of at most 255 bytes and arguments that fit into a frame of AMQP", ""};
}

amqp_field_value_t field_of(const Argument& argument) {
  amqp_field_value_t field{};
  if (const auto* flag = std::get_if<bool>(&argument)) {
    field.kind = AMQP_FIELD_KIND_BOOLEAN;
    field.value.boolean = *flag ? 1 : 0;
  } else if (const auto* number = std::get_if<std::int64_t>(&argument)) {
    const bool is_short = *number == static_cast<std::int32_t>(*number);
    field.kind = is_short ? AMQP_FIELD_KIND_I32 : AMQP_FIELD_KIND_I64;
    if (is_short) field.value.i32 = static_cast<std::int32_t>(*number);
    if (!is_short) field.value.i64 = *number;
  } else {
    field.kind = AMQP_FIELD_KIND_UTF8;
    field.value.bytes = view_of(std::get<std::string>(argument));
  }
  return field;
}

amqp_basic_properties_t properties_to_send(const Properties& properties, std::string_view message_id) {
  amqp_basic_properties_t fields{};
  const auto set = [&fields](amqp_flags_t flag, amqp_bytes_t& field, std::string_view text) {
    if (text.empty()) return;
    fields._flags |= flag;
    field = view_of(text);
  };
  set(AMQP_BASIC_CONTENT_TYPE_FLAG, fields.content_type, properties.content_type);
  set(AMQP_BASIC_CONTENT_ENCODING_FLAG, fields.content_encoding, properties.content_encoding);
  set(AMQP_BASIC_EXPIRATION_FLAG, fields.expiration, properties.expiration);
  set(AMQP_BASIC_MESSAGE_ID_FLAG, fields.message_id, message_id);
  // kombu reads the headers of every message.
  fields._flags |= AMQP_BASIC_HEADERS_FLAG;
  if (properties.delivery_mode != 0) fields._flags |= AMQP_BASIC_DELIVERY_MODE_FLAG;
  fields.delivery_mode = properties.delivery_mode;
  if (properties.priority) fields._flags |= AMQP_BASIC_PRIORITY_FLAG;
  fields.priority = properties.priority.value_or(0);
  return fields;
}

bool has(const amqp_basic_properties_t& decoded, amqp_flags_t flag) {
  return (decoded._flags & flag) != 0;
}

std::string compression_of(const amqp_table_t& headers) {
  for (int i = 0; i < headers.num_entries; ++i) {
    const auto& entry = headers.entries[i];
    if (text_of(entry.key) == "compression" && entry.value.kind == AMQP_FIELD_KIND_UTF8)
      return text_of(entry.value.value.bytes);
  }
  return "";
}

}  // namespace

amqp_bytes_t view_of(std::string_view text) {
  // librabbitmq only reads what it encodes, and writes to what it encodes into.
  return {text.size(), const_cast<char*>(text.data())};
}

std::string text_of(amqp_bytes_t bytes) {
  return bytes.len == 0 ? std::string() : std::string(static_cast<const char*>(bytes.bytes), bytes.len);
}

Table::Table(const Arguments& arguments) {
  for (const auto& [key, value] : arguments) add(key, value);
}

void Table::add(std::string_view key, const Argument& value) {
  entries_.push_back({view_of(key), field_of(value)});
}

void Table::add(std::string_view key, const Table& value) {
  amqp_field_value_t field{};
  field.kind = AMQP_FIELD_KIND_TABLE;
  field.value.table = value.view();
  entries_.push_back({view_of(key), field});
}

amqp_table_t Table::view() const {
  return {static_cast<int>(entries_.size()), const_cast<amqp_table_entry_t*>(entries_.data())};
}

Result<void> append_method(std::string& out, std::uint16_t channel, amqp_method_number_t method, const void* fields) {
  auto arguments =
      encoded([&](amqp_bytes_t buffer) { return amqp_encode_method(method, const_cast<void*>(fields), buffer); });
  if (!arguments) return std::move(arguments).error().within(name_of_method(method));
  std::string payload;
  append_big_endian(payload, method, method_head);
  append_frame(out, FrameType::method, channel, payload + *arguments);
  return {};
}

Result<void> append_content(std::string& out, std::uint16_t channel, const Publication& publication,
                            std::string_view message_id, std::size_t max_frame) {
  auto fields = properties_to_send(publication.properties, message_id);
  auto properties = encoded([&](amqp_bytes_t buffer) { return amqp_encode_properties(basic_class, &fields, buffer); });
  if (!properties) return std::move(properties).error().within("the properties of a message");
  std::string head;
  append_big_endian(head, basic_class, 2);
  append_big_endian(head, 0, 2);
  append_big_endian(head, publication.body.size(), 8);
  append_frame(out, FrameType::header, channel, head + *properties);
  std::string_view rest = publication.body;
  while (!rest.empty()) {
    const auto piece = rest.substr(0, max_frame - frame_overhead);
    append_frame(out, FrameType::body, channel, piece);
    rest.remove_prefix(piece.size());
  }
  return {};
}

Decoder::Decoder() : pool_{} {
  init_amqp_pool(&pool_, 4096);
}

Decoder::~Decoder() {
  empty_amqp_pool(&pool_);
}

Result<Decoder::Method> Decoder::method(std::string_view payload) {
  recycle_amqp_pool(&pool_);
  if (payload.size() < method_head) return broken_protocol("expected a method, found a frame that is too short");
  Method found;
  found.number = static_cast<amqp_method_number_t>(big_endian(payload.substr(0, method_head)));
  void* fields = nullptr;
  if (amqp_decode_method(found.number, &pool_, view_of(payload.substr(method_head)), &fields) < 0)
    return broken_protocol("expected a method of AMQP 0-9-1, found " + name_of_method(found.number) +
                           " with fields that cannot be read");
  found.fields = fields;
  return found;
}

Result<Decoder::Header> Decoder::header(std::string_view payload) {
  recycle_amqp_pool(&pool_);
  if (payload.size() < content_head || big_endian(payload.substr(0, 2)) != basic_class)
    return broken_protocol("expected the properties of a message, found something else");
  Header found;
  found.body_bytes = big_endian(payload.substr(4, 8));
  void* properties = nullptr;
  if (amqp_decode_properties(basic_class, &pool_, view_of(payload.substr(content_head)), &properties) < 0)
    return broken_protocol("expected the properties of a message, found fields that cannot be read");
  found.properties = static_cast<const amqp_basic_properties_t*>(properties);
  return found;
}

Properties properties_of(const amqp_basic_properties_t& decoded) {
  Properties properties;
  if (has(decoded, AMQP_BASIC_CONTENT_TYPE_FLAG)) properties.content_type = text_of(decoded.content_type);
  if (has(decoded, AMQP_BASIC_CONTENT_ENCODING_FLAG)) properties.content_encoding = text_of(decoded.content_encoding);
  if (has(decoded, AMQP_BASIC_HEADERS_FLAG)) properties.compression = compression_of(decoded.headers);
  if (has(decoded, AMQP_BASIC_EXPIRATION_FLAG)) properties.expiration = text_of(decoded.expiration);
  if (has(decoded, AMQP_BASIC_DELIVERY_MODE_FLAG)) properties.delivery_mode = decoded.delivery_mode;
  if (has(decoded, AMQP_BASIC_PRIORITY_FLAG)) properties.priority = decoded.priority;
  return properties;
}

std::string message_id_of(const amqp_basic_properties_t& decoded) {
  return has(decoded, AMQP_BASIC_MESSAGE_ID_FLAG) ? text_of(decoded.message_id) : std::string();
}

std::string name_of_method(amqp_method_number_t method) {
  const char* name = amqp_method_name(method);
  if (name == nullptr) return "method " + std::to_string(method >> 16U) + "." + std::to_string(method & 0xFFFFU);
  // AMQP_QUEUE_DECLARE_METHOD
  std::string text = name;
  if (text.starts_with("AMQP_")) text.erase(0, 5);
  if (text.ends_with("_METHOD")) text.erase(text.size() - 7);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
    return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
  });
  if (const auto dash = text.find('_'); dash != std::string::npos) text[dash] = '.';
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

Error error_of(std::uint16_t reply_code, std::string text) {
  if (text.empty()) text = "the broker gave no reason";
  const auto code = [reply_code] {
    switch (reply_code) {
      case 311: return ErrorCode::resource_exhausted;  // content too large
      case 403: return ErrorCode::permission_denied;   // access refused
      case 404: return ErrorCode::not_found;
      case 406: return ErrorCode::failed_precondition;  // other arguments, an unknown delivery tag
      case 530: return ErrorCode::permission_denied;    // no such vhost, or none for this user
      case 540: return ErrorCode::unsupported;
      case 541: return ErrorCode::internal;
      default: return ErrorCode::unavailable;
    }
  }();
  return {code, std::move(text), R"({"reply_code":)" + std::to_string(reply_code) + "}"};
}

}  // namespace gantry::amqp

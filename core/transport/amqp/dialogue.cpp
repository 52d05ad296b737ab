// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/dialogue.hpp"

#include <algorithm>
#include <utility>

#include "core/transport/amqp/codec.hpp"

namespace gantry::amqp {

namespace {

using namespace std::string_literals;

constexpr std::uint32_t smallest_frame = 4096;  // the standard's
constexpr std::uint16_t most_channels = 64;

// The smaller of two limits, of which 0 means none.
template <class Number>
Number agreed(Number ours, Number theirs) {
  return theirs == 0 ? ours : ours == 0 ? theirs : std::min(ours, theirs);
}

bool names_mechanism(std::string_view offered, std::string_view wanted) {
  while (!offered.empty()) {
    const auto space = offered.find(' ');
    if (offered.substr(0, space) == wanted) return true;
    offered.remove_prefix(space == std::string_view::npos ? offered.size() : space + 1);
  }
  return false;
}

// "RabbitMQ 3.10.8" from the properties of the broker.
std::string product_in(const amqp_table_t& properties) {
  std::string product;
  for (const std::string_view wanted : {"product", "version"}) {
    for (int i = 0; i < properties.num_entries; ++i) {
      const auto& entry = properties.entries[i];
      if (text_of(entry.key) == wanted && entry.value.kind == AMQP_FIELD_KIND_UTF8)
        product += (product.empty() ? "" : " ") + text_of(entry.value.value.bytes);
    }
  }
  return product;
}

// A method that fits the state is an answer; any other breaks the protocol.
Error unexpected(std::string_view expected, std::uint32_t method) {
  return broken_protocol("expected " + std::string(expected) + ", found " + name_of_method(method));
}

}  // namespace

class Dialogue::CodecState {
 public:
  Decoder decoder;
};

Dialogue::Dialogue(Login login, const DialogueLimits& limits, DialogueEvents events, Output output)
    : login_(std::move(login)),
      limits_(limits),
      events_(std::move(events)),
      output_(std::move(output)),
      reader_(limits.frame_bytes),
      codec_(std::make_shared<CodecState>()),
      frame_bytes_(limits.frame_bytes) {}

void Dialogue::start() {
  output_("AMQP\0\0\x09\x01"s);
}

void Dialogue::receive(std::string_view bytes) {
  reader_.add(bytes);
  while (state_ != State::ended) {
    auto frame = reader_.next();
    if (!frame) return abandon(std::move(frame).error());
    if (!*frame) return;
    if (auto handled = on_frame(**frame); !handled) return abandon(std::move(handled).error());
  }
}

Result<void> Dialogue::on_frame(const Frame& frame) {
  if (frame.type == FrameType::heartbeat) return {};
  if (frame.channel != 0) return on_channel_frame(frame);
  if (frame.type != FrameType::method) return broken_protocol("expected no content outside of a channel, found some");
  const auto method = codec_->decoder.method(frame.payload);
  if (!method) return method.error();
  return on_method(method->number, method->fields);
}

Result<void> Dialogue::on_channel_frame(const Frame& frame) {
  if (state_ == State::closing) return {};
  const auto found = channels_.find(frame.channel);
  if (found == channels_.end())
    return broken_protocol("expected a channel that is open, found " + std::to_string(frame.channel));
  const auto channel = found->second;
  auto handled = [&]() -> Result<void> {
    if (frame.type == FrameType::body) return channel->on_body(frame.payload);
    if (frame.type == FrameType::header) {
      const auto header = codec_->decoder.header(frame.payload);
      if (!header) return header.error();
      return channel->on_header(header->body_bytes, header->properties);
    }
    const auto method = codec_->decoder.method(frame.payload);
    if (!method) return method.error();
    return channel->on_method(method->number, method->fields);
  }();
  // A callback may have opened another channel of the same number.
  if (const auto listed = channels_.find(frame.channel); channel->has_ended() && listed != channels_.end()) {
    if (listed->second == channel) channels_.erase(listed);
  }
  return handled;
}

Result<void> Dialogue::on_method(std::uint32_t method, const void* fields) {
  if (method == AMQP_CONNECTION_CLOSE_METHOD) return on_broker_closed(fields);
  switch (state_) {
    case State::start:
      return method == AMQP_CONNECTION_START_METHOD ? on_start(fields) : unexpected("connection.start", method);
    case State::tune:
      if (method == AMQP_CONNECTION_SECURE_METHOD)
        return Error{ErrorCode::unsupported, "the broker asks for more than a user and a password", ""};
      return method == AMQP_CONNECTION_TUNE_METHOD ? on_tune(fields) : unexpected("connection.tune", method);
    case State::opening:
      if (method != AMQP_CONNECTION_OPEN_OK_METHOD) return unexpected("connection.open-ok", method);
      state_ = State::open;
      if (events_.on_open) events_.on_open();
      return {};
    case State::open:
      if (method == AMQP_CONNECTION_BLOCKED_METHOD) {
        set_blocked(true);
        if (events_.on_blocked)
          events_.on_blocked(text_of(static_cast<const amqp_connection_blocked_t*>(fields)->reason));
        return {};
      }
      if (method != AMQP_CONNECTION_UNBLOCKED_METHOD) return unexpected("connection.blocked", method);
      set_blocked(false);
      if (events_.on_unblocked) events_.on_unblocked();
      return {};
    case State::closing:
      if (method == AMQP_CONNECTION_CLOSE_OK_METHOD) abandon({});
      return {};
    case State::ended: break;
  }
  return {};
}

Result<void> Dialogue::on_start(const void* fields) {
  const auto& start = *static_cast<const amqp_connection_start_t*>(fields);
  const std::string wanted = login_.is_external ? "EXTERNAL" : "PLAIN";
  if (start.version_major != 0 || start.version_minor != 9)
    return Error{ErrorCode::unsupported,
                 "expected a broker that speaks AMQP 0-9-1, found version " + std::to_string(start.version_major) +
                     "." + std::to_string(start.version_minor),
                 ""};
  const auto offered = text_of(start.mechanisms);
  if (!names_mechanism(offered, wanted))
    return Error{ErrorCode::unsupported,
                 "expected a broker that offers the login " + wanted + ", found '" + offered + "'", ""};
  product_ = product_in(start.server_properties);
  const Arguments abilities{{"authentication_failure_close", true},
                            {"connection.blocked", true},
                            {"consumer_cancel_notify", true},
                            {"publisher_confirms", true},
                            {"basic.nack", true}};
  const Argument product = "gantry"s;
  const Argument version = std::string(GANTRY_VERSION);
  const Argument name = login_.connection_name;
  const Table capabilities(abilities);
  Table properties;
  properties.add("product", product);
  properties.add("version", version);
  if (!login_.connection_name.empty()) properties.add("connection_name", name);
  properties.add("capabilities", capabilities);
  const std::string response = login_.is_external ? "" : "\0"s + login_.user + "\0"s + login_.password;
  amqp_connection_start_ok_t answer{};
  answer.client_properties = properties.view();
  answer.mechanism = view_of(wanted);
  answer.response = view_of(response);
  answer.locale = view_of("en_US");
  state_ = State::tune;
  return send(AMQP_CONNECTION_START_OK_METHOD, &answer);
}

Result<void> Dialogue::on_tune(const void* fields) {
  const auto& tune = *static_cast<const amqp_connection_tune_t*>(fields);
  frame_bytes_ = agreed(limits_.frame_bytes, tune.frame_max);
  channel_max_ = agreed(most_channels, tune.channel_max);
  heartbeat_ = limits_.heartbeat == 0 ? std::uint16_t{0} : agreed(limits_.heartbeat, tune.heartbeat);
  if (frame_bytes_ < smallest_frame)
    return broken_protocol("expected frames of at least 4096 bytes, found a limit of " + std::to_string(frame_bytes_));
  reader_.set_max_frame(frame_bytes_);
  amqp_connection_tune_ok_t answer{};
  answer.channel_max = channel_max_;
  answer.frame_max = frame_bytes_;
  answer.heartbeat = heartbeat_;
  if (auto sent = send(AMQP_CONNECTION_TUNE_OK_METHOD, &answer); !sent) return sent;
  amqp_connection_open_t open{};
  open.virtual_host = view_of(login_.vhost);
  state_ = State::opening;
  return send(AMQP_CONNECTION_OPEN_METHOD, &open);
}

Result<void> Dialogue::on_broker_closed(const void* fields) {
  const auto& closed = *static_cast<const amqp_connection_close_t*>(fields);
  auto error = error_of(closed.reply_code, text_of(closed.reply_text));
  const amqp_connection_close_ok_t answer{};
  static_cast<void>(send(AMQP_CONNECTION_CLOSE_OK_METHOD, &answer));
  abandon(state_ == State::closing ? Result<void>() : Result<void>(std::move(error)));
  return {};
}

void Dialogue::set_blocked(bool is_blocked) {
  is_blocked_ = is_blocked;
  const auto channels = channels_;
  for (const auto& [number, channel] : channels) channel->set_blocked(is_blocked);
}

Result<void> Dialogue::send(std::uint32_t method, const void* fields) {
  std::string bytes;
  auto appended = append_method(bytes, 0, method, fields);
  if (appended) output_(std::move(bytes));
  return appended;
}

void Dialogue::send_heartbeat() {
  std::string bytes;
  append_frame(bytes, FrameType::heartbeat, 0, "");
  output_(std::move(bytes));
}

std::shared_ptr<Channel> Dialogue::open_channel(std::function<void(const Error&)> on_closed) {
  std::uint16_t number = 1;
  // A channel that was closed inside of a callback may still be listed.
  std::erase_if(channels_, [](const auto& listed) { return listed.second->has_ended(); });
  while (channels_.contains(number)) ++number;
  const Channel::Limits limits{frame_bytes_, limits_.body_bytes};
  auto channel = std::make_shared<Channel>(number, limits, output_, std::move(on_closed));
  if (state_ != State::open || number > channel_max_) {
    channel->on_connection_lost(
        {ErrorCode::unavailable, state_ == State::open ? "too many channels" : "the connection is not open", ""});
    return channel;
  }
  channels_[number] = channel;
  channel->set_blocked(is_blocked_);
  channel->open();
  return channel;
}

void Dialogue::close() {
  if (state_ == State::ended || state_ == State::closing) return;
  const bool is_known = state_ == State::open;
  state_ = State::closing;
  if (!is_known) return abandon({});
  amqp_connection_close_t fields{};
  fields.reply_code = 200;
  fields.reply_text = view_of("goodbye");
  static_cast<void>(send(AMQP_CONNECTION_CLOSE_METHOD, &fields));
}

void Dialogue::abandon(Result<void> reason) {
  if (state_ == State::ended) return;
  state_ = State::ended;
  const Error error = reason ? Error{ErrorCode::unavailable, "the connection was closed", ""} : reason.error();
  const auto channels = std::exchange(channels_, {});
  for (const auto& [number, channel] : channels) channel->on_connection_lost(error);
  const auto events = std::exchange(events_, {});
  if (events.on_closed) events.on_closed(std::move(reason));
}

}  // namespace gantry::amqp

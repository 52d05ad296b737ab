// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/request_reader.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <utility>

#include "core/transport/api/http_answer.hpp"
#include "core/transport/session/request_framing.hpp"

namespace gantry::transport {

namespace {

namespace http = boost::beast::http;
using Parser = http::request_parser<http::string_body>;
using ParseError = boost::beast::error_code;

constexpr std::size_t most_idle_memory = 256 * 1024;  // bytes that an empty buffer may keep

HttpAnswer too_large(const RequestReader::Limits& limits) {
  return error_answer(Error{ErrorCode::invalid_argument,
                            "request body: expected at most " + std::to_string(limits.body_bytes) +
                                " bytes (server.max_body_bytes), found more",
                            ""},
                      new_request_id(), 413);
}

HttpAnswer refusal_of(ParseError error, const RequestReader::Limits& limits) {
  const auto refusal = [](unsigned status, std::string message) {
    return error_answer(Error{ErrorCode::invalid_argument, std::move(message), ""}, new_request_id(), status);
  };
  const auto header_limit = std::to_string(limits.header_bytes) + " bytes (server.max_header_bytes), found more";
  if (error == http::error::body_limit) return too_large(limits);
  if (error == http::error::header_limit)
    return refusal(431, "request line and headers: expected at most " + header_limit);
  if (error == http::error::buffer_overflow)
    return refusal(431, "header of a chunk, or last chunk and trailers: expected at most " + header_limit);
  return refusal(400, "expected an HTTP/1.1 request, found bytes that are none: " + error.message());
}

HttpAnswer refusal_of(FramingFault fault) {
  const auto code = fault.status == 400 ? ErrorCode::invalid_argument : ErrorCode::unsupported;
  return error_answer(Error{code, std::move(fault.message), ""}, new_request_id(), fault.status);
}

// A line end within a quoted extension would end the chunk's header for another reader.
void check_extension(std::uint64_t /*chunk_size*/, boost::beast::string_view extension, ParseError& error) {
  const auto is_control = [](char c) { return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7f; };
  error = {};
  if (std::ranges::any_of(extension, is_control)) error = http::error::bad_chunk_extension;
}

}  // namespace

struct RequestReader::State {
  explicit State(const Limits& given) : limits(given), on_chunk_header(&check_extension) {}

  std::string_view bytes() const;
  bool begin_request();
  ParseError read_head();
  ParseError read_body();
  void describe_head();
  bool is_over_limit() const;  // once the head has been read
  Found refuse(ParseError error) { return refuse(refusal_of(error, limits)); }
  Found refuse(HttpAnswer answer);
  Found wait_for_bytes() {
    needs_bytes = true;
    return Found::nothing;
  }

  Limits limits;
  boost::beast::flat_buffer input;
  std::optional<Parser> parser;                // from a request's first byte until the request is taken
  std::size_t head_bytes = 0;                  // read of the head so far
  std::size_t seen = 0;                        // bytes at the input's beginning without a folded line
  decltype(&check_extension) on_chunk_header;  // the parser keeps a reference to it
  bool head_found = false;
  bool needs_bytes = false;  // the parser has seen all of the input
  RequestHead head;
  HttpAnswer refusal;
};

RequestReader::RequestReader(const Limits& limits) : state_(std::make_unique<State>(limits)) {}
RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&& other) noexcept = default;
RequestReader& RequestReader::operator=(RequestReader&& other) noexcept = default;

std::span<char> RequestReader::prepare(std::size_t size) {
  auto& input = state_->input;
  if (input.size() == 0 && input.capacity() > most_idle_memory) input.shrink_to_fit();
  const auto memory = input.prepare(size);
  return {static_cast<char*>(memory.data()), memory.size()};
}

void RequestReader::commit(std::size_t size) {
  state_->input.commit(size);
  if (size > 0) state_->needs_bytes = false;
}

void RequestReader::append(std::string_view bytes) {
  const auto memory = prepare(bytes.size());
  std::ranges::copy(bytes, memory.begin());
  commit(bytes.size());
}

// The parser takes the request line and fields as they come.
std::optional<std::string> RequestReader::unfinished() const {
  std::string bytes;
  const auto& state = *state_;
  if (state.parser && state.head_bytes > 0) {
    const auto& message = state.parser->get();
    if (state.parser->is_header_done() && state.parser->chunked()) return std::nullopt;
    bytes.append(message.method_string()).append(" ").append(message.target());
    bytes.append(message.version() < 11 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    for (const auto& field : message)
      bytes.append(field.name_string()).append(": ").append(field.value()).append("\r\n");
    if (state.parser->is_header_done()) bytes.append("\r\n").append(message.body());
  }
  const auto rest = state.input.data();
  return bytes.append(static_cast<const char*>(rest.data()), rest.size());
}

void RequestReader::discard() {
  state_->parser.reset();
  state_->head_found = false;
  state_->input.clear();  // keeps the memory, into which bytes may still be received
}

const RequestHead& RequestReader::head() const {
  return state_->head;
}

bool RequestReader::is_within_request() const {
  return state_->parser.has_value();
}

bool RequestReader::is_within_body() const {
  return state_->head_found;
}

bool RequestReader::is_empty() const {
  return !state_->parser && state_->input.size() == 0;
}

RequestReader::Found RequestReader::next() {
  auto& state = *state_;
  if (state.head_found && state.head.refusal) return state.refuse(*std::exchange(state.head.refusal, std::nullopt));
  if (state.needs_bytes) return Found::nothing;
  if (!state.parser && !state.begin_request()) return state.wait_for_bytes();
  auto& parser = *state.parser;
  if (state.head_found) {
    if (const auto error = state.read_body()) return state.refuse(error);
    return parser.is_done() ? Found::request : state.wait_for_bytes();
  }
  if (has_folded_line(state.bytes(), state.seen))
    return state.refuse(refusal_of({400, "expected each header in one line, found one that goes on in the next line"}));
  if (const auto error = state.read_head()) return state.refuse(error);
  if (!parser.is_header_done()) return state.wait_for_bytes();
  if (auto fault = framing_fault_of(parser.get(), parser.get().version()))
    return state.refuse(refusal_of(*std::move(fault)));
  // Before the body: the parser puts trailers among the fields of the head.
  state.describe_head();
  // The parser reserves what a length announces: a body over the limit is not begun.
  if (parser.chunked()) parser.body_limit(state.limits.body_bytes);
  if (!state.is_over_limit()) {
    if (const auto error = state.read_body()) return state.refuse(error);
  }
  state.head.is_complete = parser.is_done();
  state.needs_bytes = !parser.is_done();
  return Found::head;
}

HttpRequest RequestReader::take_request() {
  HttpRequest request = std::move(state_->head.request);
  request.body = std::move(state_->parser->get().body());
  state_->parser.reset();
  state_->head_found = false;
  return request;
}

HttpAnswer RequestReader::take_refusal() {
  return std::move(state_->refusal);
}

std::string_view RequestReader::State::bytes() const {
  return {static_cast<const char*>(input.data().data()), input.size()};
}

// Skips empty lines before the request (RFC 9112, 2.2).
bool RequestReader::State::begin_request() {
  while (bytes().starts_with("\r\n")) input.consume(2);
  if (bytes().empty() || bytes() == "\r") return false;
  parser.emplace();
  parser->header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  parser->body_limit(boost::none);  // a head that announces too much is found as a head
  parser->on_chunk_header(on_chunk_header);
  head_bytes = 0;
  seen = 0;
  return true;
}

// The parser's own limit holds for one call of put(), so a head in small pieces would have none.
ParseError RequestReader::State::read_head() {
  ParseError error;
  const std::size_t taken = parser->put(input.data(), error);
  input.consume(taken);
  seen = std::max<std::size_t>(input.size(), 1) - 1;
  if (error == http::error::need_more) error = {};
  if (error) return error;
  head_bytes += taken;
  const bool is_too_long =
      parser->is_header_done() ? head_bytes > limits.header_bytes : head_bytes + input.size() >= limits.header_bytes;
  return is_too_long ? ParseError(http::error::header_limit) : error;
}

// The parser takes the header of a chunk, and the last chunk with all trailers, only as a whole, and has no limit for
// them. It is shown at most the limit at a time, so that a refusal does not depend on the pieces in which bytes arrive.
ParseError RequestReader::State::read_body() {
  parser->eager(true);
  const bool is_chunked = parser->chunked();
  const std::size_t most = is_chunked ? limits.header_bytes : input.max_size();
  // A chunked body ends with five bytes that are taken together. The parser must not see a part of them twice.
  const std::size_t least = is_chunked ? 5 : 1;
  ParseError error;
  while (!error && !parser->is_done() && input.size() >= least) {
    const std::size_t shown = std::min(input.size(), most);
    const std::size_t taken = parser->put(boost::asio::buffer(input.data(), shown), error);
    input.consume(taken);
    if (error != http::error::need_more) continue;
    error = {};
    if (taken > 0) continue;
    return shown < most ? error : ParseError(http::error::buffer_overflow);
  }
  return error;
}

void RequestReader::State::describe_head() {
  const auto& message = parser->get();
  const auto field = [&message](auto name) { return std::string(message[name]); };
  const bool is_old = message.version() < 11;
  const auto length = parser->content_length();
  head_found = true;
  head = {};
  head.authorization = field(http::field::authorization);
  head.origin = field(http::field::origin);
  head.host = field(http::field::host);
  head.body_bytes = length ? *length : parser->chunked() ? limits.body_bytes : 0;
  if (is_over_limit()) head.refusal = too_large(limits);
  head.expects_continue = !is_old && boost::beast::iequals(message[http::field::expect], "100-continue");
  auto& request = head.request;
  request.verb = std::string(message.method_string());
  request.target = std::string(message.target());
  request.content_type = field(http::field::content_type);
  request.content_encoding = field(http::field::content_encoding);
  request.request_id = field("X-Request-Id");
  if (request.request_id.empty()) request.request_id = field("X-Openstack-Request-Id");
  request.idempotency_key = field("Idempotency-Key");
  request.timeout_ms = field("X-Timeout-Ms");
  request.if_none_match = field(http::field::if_none_match);
  request.has_length = parser->chunked() || length.has_value();
  if (!parser->keep_alive())
    request.connection = ConnectionToken::close;
  else if (is_old)
    request.connection = ConnectionToken::keep_alive;
}

bool RequestReader::State::is_over_limit() const {
  const auto length = parser->content_length();
  return length && *length > limits.body_bytes;
}

RequestReader::Found RequestReader::State::refuse(HttpAnswer answer) {
  refusal = std::move(answer);
  parser.reset();
  head_found = false;
  input.clear();
  needs_bytes = true;
  return Found::refusal;
}

}  // namespace gantry::transport

// SPDX-License-Identifier: Apache-2.0
//
// Turns the bytes of one HTTP/1.1 connection into requests, in their order. Refuses bytes that another reader might take
// for other requests. Knows no socket, no timer and no thread: bytes go in, requests or one refusal come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

// The request line and the headers of a request whose body may still be on its way.
struct RequestHead {
  HttpRequest request;            // without its body
  std::string authorization;      // the header's value. Empty: the request has none
  std::string origin;             // the header's value. Empty: the request has none
  std::string host;               // the header's value. Empty: the request has none, or names none
  std::uint64_t body_bytes = 0;   // the body's Content-Length. For a chunked body, the limit of a body
  bool is_complete = false;       // the whole body has arrived
  bool expects_continue = false;  // the client waits for "100 Continue" before it sends the body
  std::optional<HttpAnswer> refusal = std::nullopt;  // to a request whose Content-Length is over the limit
};

// Use: append bytes with prepare() and commit(), then call next() until it finds nothing.
class RequestReader {
 public:
  // The most bytes that are accepted.
  struct Limits {
    std::uint64_t header_bytes = 0;  // each of: request line with all headers, one chunk's header, all trailers
    std::uint64_t body_bytes = 0;
  };
  // The result of next().
  enum class Found {
    nothing,  // more input is needed
    head,     // head() returns the request's headers. The part of the body that is in the input has been read too
    request,  // take_request() returns the whole request
    refusal,  // take_refusal() returns the answer to a faulty request. The connection must end: it is unknown where a
              // next request begins
  };

  explicit RequestReader(const Limits& limits);
  ~RequestReader();
  RequestReader(RequestReader&& other) noexcept;
  RequestReader& operator=(RequestReader&& other) noexcept;

  // Returns memory for the next `size` bytes of input. The memory stays valid, even after discard(), until the next
  // call of prepare().
  std::span<char> prepare(std::size_t size);
  // Appends the first `size` bytes of that memory to the input.
  void commit(std::size_t size);
  // Appends those bytes to the input.
  void append(std::string_view bytes);
  // Returns the bytes of the request that has been read in part, and of what follows, for another reader. They may
  // differ from the bytes that came, but mean the same. nullopt: that cannot be told of the body of this request.
  std::optional<std::string> unfinished() const;
  // Drops all input, and the request that has been read in part.
  void discard();

  // Reads on in the input. Finds the head of each request first, then the request.
  Found next();
  // Valid from Found::head until take_request() or discard().
  const RequestHead& head() const;
  HttpRequest take_request();
  HttpAnswer take_refusal();

  // Returns whether a request has been read, in part or as a whole, and not been taken.
  bool is_within_request() const;
  // Returns whether such a request's headers have all been read.
  bool is_within_body() const;
  // Returns whether there is no input beyond the requests that have been taken.
  bool is_empty() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::transport

// SPDX-License-Identifier: Apache-2.0
//
// Turns the bytes of one HTTP/1.1 connection into requests, in their order. Knows no socket, no timer and no thread:
// bytes go in, requests or one refusal come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/transport/api/http_message.hpp"

namespace gantry::transport {

// The request line and the headers of a request whose body may still be on its way.
struct RequestHead {
  HttpRequest request;           // without its body
  std::string authorization;     // the header's value. Empty: the request has none
  std::uint64_t body_bytes = 0;  // announced. The limit for a chunked body, whose length is not announced
  bool is_complete = false;      // the whole body has arrived
  bool expects_continue = false;
};

// Use: append bytes with prepare() and commit(), then call next() until it finds nothing.
class RequestReader {
 public:
  struct Limits {
    std::uint64_t header_bytes = 0;  // of the request line with all headers, of one chunk's header, of all trailers
    std::uint64_t body_bytes = 0;
  };
  enum class Found {
    nothing,  // more bytes are needed
    head,     // head() tells the request's headers. A body that has arrived with the head is checked already
    request,  // take_request() gives the whole request
    refusal,  // take_refusal() gives the answer. The connection cannot go on: it is unknown where a next request begins
  };

  explicit RequestReader(const Limits& limits);
  ~RequestReader();
  RequestReader(RequestReader&& other) noexcept;
  RequestReader& operator=(RequestReader&& other) noexcept;

  // Returns memory for the next `size` bytes. Stays valid, even after discard(), until the next call of prepare().
  std::span<char> prepare(std::size_t size);
  // Appends the first `size` bytes of that memory to the input.
  void commit(std::size_t size);
  // Drops all input, with the request that has been read in part.
  void discard();

  Found next();
  // Valid from Found::head until take_request() or discard().
  const RequestHead& head() const;
  HttpRequest take_request();
  HttpAnswer take_refusal();

  // Whether a request has been read in part.
  bool is_within_request() const;
  // Whether its headers have been read.
  bool is_within_body() const;
  // Whether there is no input beyond the requests that have been taken.
  bool is_empty() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::transport

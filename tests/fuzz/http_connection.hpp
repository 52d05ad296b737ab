// SPDX-License-Identifier: Apache-2.0
//
// The server's session on one end of a socket pair. Everything runs on the calling thread, so the answers to the bytes
// of one connection are the same each time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::fuzz {

class HttpEndpoint {
 public:
  HttpEndpoint();
  ~HttpEndpoint();
  HttpEndpoint(const HttpEndpoint&) = delete;
  HttpEndpoint& operator=(const HttpEndpoint&) = delete;

  // Sends the pieces over one connection, each after the session has processed the piece before, and ends the input.
  // Returns all bytes that the session sent. A session that does not end after that is a fault.
  std::string exchange(const std::vector<std::string_view>& pieces);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::fuzz

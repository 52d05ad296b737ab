// SPDX-License-Identifier: Apache-2.0
//
// The server's session on one end of a socket pair, all on the calling thread: what it answers to the bytes of one
// connection is the same each time.
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

  // One connection: sends the pieces, each after the session has done with those before, ends its input, and returns
  // all that came back. A session that does not end then is a fault.
  std::string exchange(const std::vector<std::string_view>& pieces);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gantry::fuzz

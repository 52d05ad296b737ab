// SPDX-License-Identifier: Apache-2.0
//
// A connection that sends any bytes to a unix socket or a port.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/files/descriptor.hpp"

struct ssl_st;

namespace gantry::testing {

struct RawAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class RawConnection {
 public:
  explicit RawConnection(const std::string& path);
  static RawConnection to_port(int port);  // of 127.0.0.1

  // The same over TLS. Accepts any certificate. Not connected if the handshake fails.
  static RawConnection to_tls_port(int port);

  bool connected() const { return connected_; }
  // False: the server has closed the connection.
  bool send(std::string_view bytes);
  void end_of_input();
  int descriptor() const { return descriptor_.number(); }
  // Returns the next answer, 1xx answers too. nullopt: the connection has ended, or ten seconds have passed.
  std::optional<RawAnswer> answer(bool with_body = true);
  // Whether the server ends the connection, within ten seconds, without another byte.
  bool ended();
  // Over TLS, after the end: whether the server has said that nothing is missing (close_notify).
  bool ended_properly() const;

 private:
  explicit RawConnection(files::Descriptor descriptor) : descriptor_(std::move(descriptor)) {}
  bool receive();
  long receive_some(char* buffer, std::size_t size);

  files::Descriptor descriptor_;
  std::shared_ptr<ssl_st> tls_;  // nullptr: plain bytes
  bool connected_ = false;
  std::string received_;
};

// Returns "POST /v1/<method> HTTP/1.1" with a JSON body. `headers` are whole lines, each with its CRLF.
std::string post(std::string_view method, std::string_view body, std::string_view headers = "");
std::string get(std::string_view target, std::string_view headers = "");

}  // namespace gantry::testing

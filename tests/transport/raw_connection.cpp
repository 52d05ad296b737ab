// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/raw_connection.hpp"

#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace gantry::testing {

namespace {

constexpr int patience_ms = 10'000;
constexpr long out_of_patience = -2;

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

}  // namespace

RawConnection::RawConnection(const std::string& path) : descriptor_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path - 1));
  connected_ = connect(descriptor_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

RawConnection RawConnection::to_port(int port) {
  RawConnection connection(files::Descriptor(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  connection.connected_ =
      connect(connection.descriptor_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  return connection;
}

RawConnection RawConnection::to_tls_port(int port) {
  RawConnection connection = to_port(port);
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
  const timeval patience{patience_ms / 1000, 0};
  setsockopt(connection.descriptor_.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
  connection.tls_ = std::shared_ptr<SSL>(SSL_new(context.get()), &SSL_free);
  SSL_set_fd(connection.tls_.get(), connection.descriptor_.number());
  connection.connected_ = connection.connected_ && SSL_connect(connection.tls_.get()) == 1;
  return connection;
}

bool RawConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                           : ::send(descriptor_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void RawConnection::end_of_input() {
  shutdown(descriptor_.number(), SHUT_WR);
}

bool RawConnection::ended_properly() const {
  return (SSL_get_shutdown(tls_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
}

long RawConnection::receive_some(char* buffer, std::size_t size) {
  if (tls_) return SSL_read(tls_.get(), buffer, static_cast<int>(size));
  pollfd waiting{descriptor_.number(), POLLIN, 0};
  if (poll(&waiting, 1, patience_ms) != 1) return out_of_patience;
  return recv(descriptor_.number(), buffer, size, 0);
}

bool RawConnection::receive() {
  std::array<char, 65536> buffer;
  const auto size = receive_some(buffer.data(), buffer.size());
  if (size <= 0) return false;
  received_.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

std::optional<RawAnswer> RawConnection::answer(bool with_body) {
  std::size_t end = 0;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!receive()) return std::nullopt;
  }
  RawAnswer answer;
  std::string_view head(received_.data(), end + 2);
  answer.status = std::atoi(std::string(head.substr(9, 3)).c_str());
  head.remove_prefix(head.find("\r\n") + 2);
  while (!head.empty()) {
    const auto line = head.substr(0, head.find("\r\n"));
    const auto colon = line.find(": ");
    answer.headers[lower(std::string(line.substr(0, colon)))] = line.substr(colon + 2);
    head.remove_prefix(line.size() + 2);
  }
  const auto length = answer.headers.find("content-length");
  std::size_t size = 0;
  if (with_body && length != answer.headers.end()) size = std::stoul(length->second);
  while (received_.size() < end + 4 + size) {
    if (!receive()) return std::nullopt;
  }
  answer.body = received_.substr(end + 4, size);
  received_.erase(0, end + 4 + size);
  return answer;
}

bool RawConnection::ended() {
  if (!received_.empty()) return false;
  char byte = 0;
  const auto size = receive_some(&byte, 1);
  return size <= 0 && size != out_of_patience;
}

std::string post(std::string_view method, std::string_view body, std::string_view headers) {
  std::string text = "POST /v1/";
  text.append(method).append(" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ");
  text.append(std::to_string(body.size())).append("\r\n").append(headers).append("\r\n").append(body);
  return text;
}

std::string get(std::string_view target, std::string_view headers) {
  std::string text = "GET ";
  return text.append(target).append(" HTTP/1.1\r\nHost: localhost\r\n").append(headers).append("\r\n");
}

}  // namespace gantry::testing

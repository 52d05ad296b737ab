// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/http/scripted_server.hpp"

#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <list>

namespace gantry::nova::testing {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;

struct ScriptedServer::Parts {
  asio::io_context context;
  Tcp::acceptor acceptor{context, Tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  asio::ssl::context tls{asio::ssl::context::tls_server};
  bool is_tls = false;
  std::list<Tcp::socket> sockets;
};

ScriptedServer::ScriptedServer(Answer answer, const std::string& chain, const std::string& key)
    : parts_(std::make_unique<Parts>()), answer_(std::move(answer)) {
  parts_->is_tls = !chain.empty();
  if (parts_->is_tls) {
    parts_->tls.use_certificate_chain_file(chain);
    parts_->tls.use_private_key_file(key, asio::ssl::context::pem);
  }
  port_ = parts_->acceptor.local_endpoint().port();
  thread_ = std::thread([this] { serve(); });
}

ScriptedServer::~ScriptedServer() {
  is_ending_ = true;
  shutdown(parts_->acceptor.native_handle(), SHUT_RDWR);
  thread_.join();
  for (auto& socket : parts_->sockets) shutdown(socket.native_handle(), SHUT_RDWR);
  for (auto& session : sessions_) session.join();
}

std::string ScriptedServer::url(const std::string& path) const {
  return (parts_->is_tls ? "https://localhost:" : "http://127.0.0.1:") + std::to_string(port_) + path;
}

std::vector<std::string> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::string ScriptedServer::answer(int status, const std::string& body, const std::string& headers) {
  return "HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" +
         headers + "\r\n" + body;
}

void ScriptedServer::serve() {
  for (;;) {
    boost::system::error_code error;
    Tcp::socket socket(parts_->context);
    parts_->acceptor.accept(socket, error);
    if (error || is_ending_) return;
    ++connections_;
    auto& kept = parts_->sockets.emplace_back(std::move(socket));
    sessions_.emplace_back([this, &kept] {
      if (!parts_->is_tls) return serve_connection(kept);
      asio::ssl::stream<Tcp::socket&> stream(kept, parts_->tls);
      boost::system::error_code failed;
      stream.handshake(asio::ssl::stream_base::server, failed);
      if (!failed) serve_connection(stream);
      shutdown(kept.native_handle(), SHUT_RDWR);
    });
  }
}

template <class Stream>
void ScriptedServer::serve_connection(Stream& stream) {
  std::string input;
  boost::system::error_code error;
  for (;;) {
    const auto head = asio::read_until(stream, asio::dynamic_buffer(input), "\r\n\r\n", error);
    if (error) break;
    std::size_t length = 0;
    if (const auto at = input.find("Content-Length: "); at < head)
      std::from_chars(input.data() + at + 16, input.data() + head, length);
    while (!error && input.size() < head + length) {
      char part[4096];
      input.append(part, stream.read_some(asio::buffer(part), error));
    }
    const std::string request = input.substr(0, head + length);
    input.erase(0, head + length);
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    const auto reply = answer_(request);
    if (reply.hangs) {
      char byte = 0;
      stream.read_some(asio::buffer(&byte, 1), error);
      break;
    }
    for (std::size_t i = 0; i < reply.repetitions && !error; ++i) asio::write(stream, asio::buffer(reply.bytes), error);
    if (error || reply.ends) break;
  }
  shutdown(stream.lowest_layer().native_handle(), SHUT_RDWR);
}

}  // namespace gantry::nova::testing

// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/byte_stream.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "core/files/descriptor.hpp"

namespace gantry::transport {

namespace {

// Goes on where its operation was started. Without asio_handler_is_continuation Asio wakes another thread for an
// operation that completes at once, which costs more than parsing a request.
struct Continuation {
  ByteStream::Done done;

  void operator()(StreamError error, std::size_t size = 0) { done(error, size); }
  friend bool asio_handler_is_continuation(Continuation* /*handler*/) { return true; }
};

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(StreamSocket socket) : ByteStream(std::move(socket)) {}

  void handshake(Done done) override { done({}, 0); }
  void read_some(boost::asio::mutable_buffer buffer, Done done) override {
    socket_.async_read_some(buffer, Continuation{std::move(done)});
  }
  void write_some(const Buffers& buffers, Done done) override {
    socket_.async_write_some(buffers, Continuation{std::move(done)});
  }
  void say_goodbye(Done done) override { done({}, 0); }
  std::size_t write_now(const Buffers& buffers, StreamError& error) override {
    const auto size = socket_.write_some(buffers, error);
    if (error == boost::asio::error::would_block) error = {};
    return size;
  }
  bool is_tls() const override { return false; }
};

class TlsStream final : public ByteStream {
 public:
  using Side = boost::asio::ssl::stream_base::handshake_type;

  TlsStream(Side side, StreamSocket socket, boost::asio::ssl::context& context)
      : ByteStream(std::move(socket)), side_(side), tls_(socket_, context) {}

  // False: OpenSSL has refused the name.
  bool expect_host(const std::string& host, bool checks_host) {
    boost::system::error_code not_an_address;
    boost::asio::ip::make_address(host, not_an_address);
    SSL* connection = tls_.native_handle();
    if (!not_an_address)
      return !checks_host || X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), host.c_str()) == 1;
    // Does the work of SSL_set_tlsext_host_name without its cast from the language C.
    auto* name = const_cast<char*>(host.c_str());
    if (SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name) != 1) return false;
    return !checks_host || SSL_set1_host(connection, host.c_str()) == 1;
  }

  void handshake(Done done) override {
    auto checked = [this, done = std::move(done)](StreamError error, std::size_t size) {
      if (is_http_request(error)) say_in_clear();
      done(error, size);
    };
    tls_.async_handshake(side_, on_strand(std::move(checked)));
  }
  void read_some(boost::asio::mutable_buffer buffer, Done done) override {
    tls_.async_read_some(buffer, on_strand(std::move(done)));
  }
  void write_some(const Buffers& buffers, Done done) override {
    tls_.async_write_some(buffers, on_strand(std::move(done)));
  }
  void say_goodbye(Done done) override { tls_.async_shutdown(on_strand(std::move(done))); }
  std::size_t write_now(const Buffers& /*buffers*/, StreamError& /*error*/) override { return 0; }
  bool is_tls() const override { return true; }

 private:
  using Bound = boost::asio::executor_binder<Continuation, Strand>;

  static bool is_http_request(StreamError error) {
    return error.category() == boost::asio::error::get_ssl_category() &&
           ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_HTTP_REQUEST;
  }
  // Answers a client that speaks HTTP without TLS. As much as the kernel takes at once is enough.
  void say_in_clear() {
    constexpr std::string_view body =
        R"({"error":{"code":"invalid_argument","message":"expected TLS on this port, found HTTP: use https://"}})";
    const std::string answer =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + std::string(body);
    StreamError ignored;
    socket_.write_some(boost::asio::buffer(answer), ignored);
  }

  // The timers inside of tls_ stay with the strand that the stream began with.
  Bound on_strand(Done done) { return boost::asio::bind_executor(strand(), Continuation{std::move(done)}); }

  const Side side_;
  boost::asio::ssl::stream<StreamSocket&> tls_;
};

}  // namespace

std::unique_ptr<ByteStream> ByteStream::plain(StreamSocket socket) {
  return std::make_unique<PlainStream>(std::move(socket));
}

std::unique_ptr<ByteStream> ByteStream::tls(StreamSocket socket, boost::asio::ssl::context& context) {
  return std::make_unique<TlsStream>(boost::asio::ssl::stream_base::server, std::move(socket), context);
}

std::unique_ptr<ByteStream> ByteStream::tls_to(const std::string& host, bool checks_host, StreamSocket socket,
                                               boost::asio::ssl::context& context) {
  auto stream = std::make_unique<TlsStream>(boost::asio::ssl::stream_base::client, std::move(socket), context);
  if (!stream->expect_host(host, checks_host)) return nullptr;
  return stream;
}

ByteStream::ByteStream(StreamSocket socket) : socket_(std::move(socket)) {
  StreamError ignored;
  socket_.non_blocking(true, ignored);
}

bool ByteStream::move_to(const Strand& strand) {
  StreamError error;
  const auto protocol = socket_.local_endpoint(error).protocol();
  if (error) return false;
  files::Descriptor descriptor(socket_.release(error));
  if (error) return false;
  StreamSocket moved(strand);
  moved.assign(protocol, descriptor.number(), error);
  if (error) return false;
  descriptor.release();
  moved.non_blocking(true, error);
  socket_ = std::move(moved);
  return !error;
}

bool ByteStream::has_input() {
  StreamError error;
  return socket_.available(error) > 0 && !error;
}

void ByteStream::cancel() {
  StreamError ignored;
  socket_.cancel(ignored);
}

files::Descriptor ByteStream::duplicate() {
  return files::Descriptor(::fcntl(socket_.native_handle(), F_DUPFD_CLOEXEC, 0));
}

bool ByteStream::end_output() {
  StreamError error;
  socket_.shutdown(boost::asio::socket_base::shutdown_send, error);
  return !error;
}

void ByteStream::close() {
  StreamError ignored;
  socket_.close(ignored);
}

}  // namespace gantry::transport

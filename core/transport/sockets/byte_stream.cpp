// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/byte_stream.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/ssl/stream.hpp>
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
  TlsStream(StreamSocket socket, boost::asio::ssl::context& context)
      : ByteStream(std::move(socket)), tls_(socket_, context) {}

  void handshake(Done done) override {
    tls_.async_handshake(boost::asio::ssl::stream_base::server, on_strand(std::move(done)));
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

  // The timers inside of tls_ stay with the strand that the stream began with.
  Bound on_strand(Done done) { return boost::asio::bind_executor(strand(), Continuation{std::move(done)}); }

  boost::asio::ssl::stream<StreamSocket&> tls_;
};

}  // namespace

std::unique_ptr<ByteStream> ByteStream::plain(StreamSocket socket) {
  return std::make_unique<PlainStream>(std::move(socket));
}

std::unique_ptr<ByteStream> ByteStream::tls(StreamSocket socket, boost::asio::ssl::context& context) {
  return std::make_unique<TlsStream>(std::move(socket), context);
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

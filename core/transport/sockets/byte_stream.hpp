// SPDX-License-Identifier: Apache-2.0
//
// The bytes of one connection, plain or over TLS. At most one read and one write are under way at a time.
#pragma once

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/files/descriptor.hpp"

namespace boost::asio::ssl {
class context;
}

namespace gantry::transport {

// Runs the steps of one connection on the threads of one pool, never two steps at a time.
using Strand = boost::asio::strand<boost::asio::io_context::executor_type>;
using StreamSocket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, Strand>;
using StreamError = boost::system::error_code;

class ByteStream {
 public:
  // `size` is the number of bytes read or written.
  using Done = std::function<void(StreamError error, std::size_t size)>;
  using Buffers = std::vector<boost::asio::const_buffer>;

  static std::unique_ptr<ByteStream> plain(StreamSocket socket);
  static std::unique_ptr<ByteStream> tls(StreamSocket socket, boost::asio::ssl::context& context);
  // The client's side of TLS with `host`, whose name goes to the server. With `checks_host` the server's certificate
  // must be for that name or address. nullptr: `host` cannot be a name.
  static std::unique_ptr<ByteStream> tls_to(const std::string& host, bool checks_host, StreamSocket socket,
                                            boost::asio::ssl::context& context);
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // These operations are asynchronous: an operation calls `done` on the strand when it ends. The caller keeps the
  // buffers alive until then. On a plain stream, handshake and say_goodbye end at once.
  virtual void handshake(Done done) = 0;
  virtual void read_some(boost::asio::mutable_buffer buffer, Done done) = 0;
  virtual void write_some(const Buffers& buffers, Done done) = 0;
  // Tells the client that the stream has come to its end, so that a cut connection cannot pass for an ended one.
  virtual void say_goodbye(Done done) = 0;
  // Writes as many bytes as possible without waiting, and returns their number. Always 0 over TLS.
  virtual std::size_t write_now(const Buffers& buffers, StreamError& error) = 0;
  virtual bool is_tls() const = 0;

  Strand strand() { return socket_.get_executor(); }
  // Moves the stream to another strand, perhaps of another io_context. No operation may be under way. False: the move
  // has failed, and the stream cannot be used any more.
  bool move_to(const Strand& strand);
  // Returns whether the socket has received bytes that no read has taken.
  bool has_input();
  // Ends the operations under way with operation_aborted. An operation that has already read or written bytes ends
  // without an error.
  void cancel();
  // Returns a second descriptor of the socket. Not open if there is none left.
  files::Descriptor duplicate();
  // Ends the output: the client sees the end after the last byte. Input can still be read. False: the connection is
  // gone.
  bool end_output();
  void close();

 protected:
  explicit ByteStream(StreamSocket socket);

  StreamSocket socket_;
};

}  // namespace gantry::transport

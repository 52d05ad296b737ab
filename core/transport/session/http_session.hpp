// SPDX-License-Identifier: Apache-2.0
//
// One HTTP/1.1 connection over any Asio stream: reads requests, has them decided on the thread that read them, writes
// the answers in the order of the requests, whenever each is there. Holds no thread while it waits.
// All members run on the stream's strand; deliver, drain and abandon may be called from anywhere.
#pragma once

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/buffers_suffix.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <deque>
#include <optional>

#include "core/encoding/uuid.hpp"
#include "core/transport/api/http_access.hpp"
#include "core/transport/api/http_answer.hpp"
#include "core/transport/api/http_routes.hpp"
#include "core/transport/session/connection_set.hpp"
#include "core/transport/session/continuation.hpp"
#include "core/transport/session/http_limits.hpp"
#include "core/transport/session/lanes.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

// What all sessions of a server share. Outlives them.
struct HttpSessionContext {
  HttpRoutes& routes;
  HttpAccess& access;
  scheduling::Manager& manager;
  std::shared_ptr<ConnectionSet> connections;
  std::shared_ptr<telemetry::Logger> logger;
  HttpLimits limits;
  config::Settings::Server settings;
  Lanes* lanes = nullptr;
};

// The way by which a connection came in. Outlives its sessions.
struct Door {
  bool requires_token = false;
  std::uint32_t most_connections = 0;
  std::atomic<std::uint32_t> connections{0};
};

template <class Stream>
inline constexpr bool is_tls = false;
template <class Next>
inline constexpr bool is_tls<boost::asio::ssl::stream<Next>> = true;

template <class Stream>
class HttpSession final : public Connection, public std::enable_shared_from_this<HttpSession<Stream>> {
 public:
  HttpSession(Stream stream, const HttpSessionContext& context, Door& door, std::string peer)
      : open_(*context.lanes),
        stream_(std::move(stream)),
        strand_(stream_.get_executor()),
        lane_(strand_.lane()),
        timer_(strand_),
        rest_timer_(strand_),
        context_(context),
        door_(door),
        peer_(std::move(peer)) {
    door_.connections.fetch_add(1, std::memory_order_relaxed);
    ErrorCodeOf ignored;
    boost::beast::get_lowest_layer(stream_).non_blocking(true, ignored);
  }
  ~HttpSession() override { door_.connections.fetch_sub(1, std::memory_order_relaxed); }
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  void start() {
    on_strand([](HttpSession& self) { self.begin(); });
  }
  // For a connection too many: says so and ends.
  void start_refusing() {
    on_strand([](HttpSession& self) { self.refuse_connection(); });
  }
  void deliver(std::uint64_t slot, scheduling::Answer answer) override {
    on_strand([slot, answer = std::move(answer)](HttpSession& self) {
      if (Slot* waiting = self.find(slot)) self.fill(*waiting, answer_to(answer, waiting->request_id));
    });
  }
  void drain() override {
    on_strand([](HttpSession& self) { self.begin_drain(); });
  }
  void abandon() override {
    on_strand([](HttpSession& self) { self.finish(); });
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using ErrorCodeOf = boost::beast::error_code;

  static constexpr std::size_t small_read = 256;  // bytes: less is a crumb
  static constexpr unsigned crumbs = 3;           // one after the other: the request comes in crumbs

  // A request's place among the answers.
  struct Slot {
    std::uint64_t number = 0;
    std::string request_id;
    std::string method;
    Clock::time_point began;
    ConnectionToken token = ConnectionToken::none;
    bool ready = false;
    std::string head;
    std::string body;
  };

  template <class Work>
  void on_strand(Work work) {
    boost::asio::dispatch(strand_,
                          [self = this->shared_from_this(), work = std::move(work)]() mutable { work(*self); });
  }

  void begin();
  void refuse_connection();
  void read();
  bool take_seat();
  void read_some();
  std::chrono::milliseconds rest() const;
  std::chrono::milliseconds longer_each_time(unsigned before) const;
  bool rests_after_denial();
  void on_read(ErrorCodeOf error, std::size_t size);
  bool take_crumbs_room();
  void process();
  bool parse();
  ErrorCodeOf take_bytes();
  ErrorCodeOf take_body_bytes();
  void on_head();
  void admit();
  bool reserve_body();
  void take_request();
  void hand_over(scheduling::MethodCall&& call, std::uint64_t slot);
  void hand_over_in_turn(scheduling::MethodCall call, std::uint64_t slot);
  void refuse_bytes(ErrorCodeOf error);
  HttpRequest head_of_request() const;

  Slot& add_slot(const std::string& request_id, ConnectionToken token);
  Slot* find(std::uint64_t number);
  void fill(Slot& slot, HttpAnswer answer);
  void close_after(Slot& slot);
  void answer_and_close(HttpAnswer answer);
  void write();
  bool write_now();
  void write_some();
  void on_written(ErrorCodeOf error, std::size_t size);
  void after_write();

  void begin_drain();
  void end_if_silent();
  void end_or_linger();
  void say_goodbye();
  void finish();
  void watch();
  void arm(Clock::time_point when);
  void on_timeout();
  Clock::time_point read_deadline() const;

  bool may_take_request() const {
    return !ended_ && !input_closed_ && !handing_over_ && !resting_ &&
           slots_.size() < context_.limits.pipelined_requests && unsent_bytes_ < context_.limits.unsent_bytes;
  }

  bool comes_in_crumbs() const { return parser_ && small_reads_ >= crumbs; }

  const Lanes::Open open_;  // outlives the others
  Stream stream_;
  const LaneStrand strand_;  // for other threads: the one in stream_ is replaced when the socket changes its seat
  const LaneExecutor lane_;
  boost::asio::steady_timer timer_;
  boost::asio::steady_timer rest_timer_;
  const HttpSessionContext& context_;
  Door& door_;
  std::string peer_;

  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;  // there from a request's first byte to its last
  bool head_seen_ = false;
  std::shared_ptr<const scheduling::Caller> caller_;  // of the request that is being read; nullptr: trusted
  std::optional<HttpAnswer> refusal_;                 // of the request that is being read, known from its head
  Room body_room_;                                    // what its body may take
  Room crumbs_room_;                                  // taken while it comes in crumbs
  std::size_t head_bytes_ = 0;                        // taken of the head so far
  std::deque<Slot> slots_;
  std::uint64_t next_slot_ = 0;
  std::size_t unsent_bytes_ = 0;
  std::vector<boost::asio::const_buffer> gathered_;
  std::optional<boost::beast::buffers_suffix<std::vector<boost::asio::const_buffer>>> writing_;
  std::size_t written_slots_ = 0;

  unsigned small_reads_ = 0;  // one after the other, of the request that is being read
  unsigned refusals_ = 0;     // one after the other
  unsigned denials_ = 0;      // of these, 401 and 403
  bool handshaking_ = false;
  bool reading_ = false;
  bool processing_ = false;    // what has been read is being gone through
  bool resting_ = false;       // until the next request is taken
  bool handing_over_ = false;  // a request waits for its turn to be decided
  bool input_closed_ = false;  // no further request is taken from this connection
  bool unread_input_ = false;  // the client may still be sending what nobody will read
  bool draining_ = false;
  bool lingering_ = false;
  bool ended_ = false;
  Clock::time_point last_activity_ = Clock::now();
  Clock::time_point request_began_;
  Clock::time_point write_progress_;
  Clock::time_point linger_until_;
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point armed_ = Clock::time_point::max();
};

}  // namespace gantry::transport

#include "core/transport/session/http_session_ending.hpp"
#include "core/transport/session/http_session_reading.hpp"
#include "core/transport/session/http_session_requests.hpp"
#include "core/transport/session/http_session_writing.hpp"

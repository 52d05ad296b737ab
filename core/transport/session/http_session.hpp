// SPDX-License-Identifier: Apache-2.0
//
// One HTTP/1.1 connection: reads requests, has the manager decide them, sends the answers in the order of the requests.
// Decides on the thread that read the request, apart from requests with large bodies. Holds no thread while it waits.
//
//   handshake -> open -> draining -> answering -> refusing -> lingering -> closing -> ended
//
// A session goes through these phases from left to right, and may skip some. RequestReader turns bytes into requests.
// AnswerQueue orders the answers. Deadlines and ClientPacing limit slow and costly clients. This class connects them.
//
// A session belongs to one strand. A stranger's session (thread_pools.hpp) ends with its first request that can be
// decided. The connection then moves to a new session on a worker's strand, which begins with that request. The
// connection moves once more whenever a driver that hangs holds the session's strand.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/transport/session/answer_queue.hpp"
#include "core/transport/session/budget.hpp"
#include "core/transport/session/client_pacing.hpp"
#include "core/transport/session/connection_set.hpp"
#include "core/transport/session/deadlines.hpp"
#include "core/transport/session/http_session_context.hpp"
#include "core/transport/session/pending_answer.hpp"
#include "core/transport/session/request_reader.hpp"
#include "core/transport/sockets/byte_stream.hpp"
#include "core/transport/sockets/peer_caller.hpp"

namespace gantry::transport {

// The parts of a connection that it keeps when it moves from one session to another.
struct HttpConnection {
  std::unique_ptr<ByteStream> stream;
  const Endpoint* endpoint;
  std::unique_ptr<Seats::Seat> seat;  // nullptr: the connection is being refused
  BudgetLease place;                  // in the endpoint's budget `refusals`
  std::string peer;                   // for the log
  RequestReader reader;
  ClientPacing pacing;
  PeerCaller caller = {};  // the caller if a request has no token
};

class HttpSession final : public Connection, public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(HttpConnection connection, const HttpSessionContext& context, ClientClass client);

  // Returns a connection that has read no byte yet. `stream` must be on a strand for strangers.
  static HttpConnection new_connection(std::unique_ptr<ByteStream> stream, const Endpoint& endpoint,
                                       std::unique_ptr<Seats::Seat> seat, std::string peer,
                                       const HttpSessionContext& context);

  // Serves the connection. Call start() or start_refusing(), once, after the session has been added to the connection
  // set. [any thread]
  void start();
  // Answers that there are too many connections, and ends.
  void start_refusing();

  void deliver(std::uint64_t slot, Outcome outcome) override;
  void drain() override;
  void abandon() override;
  void hold() override;
  void hold_now() override;
  void release() override;
  Held held() const override { return held_; }
  std::optional<HandedConnection> handed() const override;

 private:
  using Clock = Deadlines::Clock;

  enum class Phase : std::uint8_t {
    handshake,
    open,       // takes requests
    draining,   // takes requests that have begun to arrive. Ends when none is left
    answering,  // takes no further request. Ends after the last answer
    refusing,   // like answering, but the client may still be sending
    lingering,  // has ended the output, and reads and drops the client's input for a while
    closing,    // says goodbye over TLS
    ended,
  };

  // A call of the manager, with the facts of its request that the answer needs.
  struct RoutedCall {
    std::string request_id;
    ConnectionToken connection;
    scheduling::MethodCall call;
  };

  template <class Step>
  void post(Step step);
  void begin();
  void proceed();
  void read();
  void on_read(StreamError error, std::size_t size, std::size_t wanted);
  bool takes_requests() const;
  bool is_idle() const;
  bool pause_if_due();

  bool take_request();
  bool lease_small_reads();
  void on_head();
  std::optional<HttpAnswer> admit(const RequestHead& head);
  // Returns the refusal of a request that a page from elsewhere sends without a token, or reads under a name of its own.
  std::optional<HttpAnswer> refuse_foreign_page(const RequestHead& head) const;
  bool lease_body(const RequestHead& head);
  void on_request();
  void decide_apart(HttpRequest request, BudgetLease body_lease);
  void read_apart(HttpRequest request);
  void begin_call(RoutedCall routed);
  void call_driver(scheduling::MethodCall call, std::shared_ptr<PendingAnswer> pending);
  void go_on_elsewhere(std::uint64_t slot);
  std::shared_ptr<HttpSession> new_session();
  std::shared_ptr<PendingAnswer> add_pending(ConnectionToken connection);
  void move_to_workers();

  void take(std::uint64_t slot, Outcome outcome);
  void post_inbox();
  void fill(AnswerQueue::Slot& slot, Outcome outcome);
  void fill(AnswerQueue::Slot& slot, HttpAnswer answer, const std::string& method = {});
  void note_unsent();
  void forget_unsent();
  void close_after(AnswerQueue::Slot& slot);
  void answer_and_close(HttpAnswer answer);
  bool write();
  void write_some();
  void on_written(StreamError error, std::size_t size);
  void after_write();

  void begin_drain();
  void begin_hold();
  void stand_by();
  void cut(bool is_again);
  void refuse_part();
  void end_idle();
  Held how_held() const;
  void end_or_linger();
  void finish();
  Deadlines::Awaited awaited() const;
  void watch();
  void on_timeout();

  HttpConnection connection_;
  const HttpSessionContext& context_;
  const ClientClass client_;
  const Strand strand_;
  boost::asio::steady_timer deadline_timer_;
  boost::asio::steady_timer pause_timer_;
  Deadlines deadlines_;
  AnswerQueue answers_;
  Phase phase_ = Phase::handshake;
  bool is_reading_ = false;                             // a read into the reader's memory is under way
  bool is_held_ = false;                                // takes no request that has not begun to arrive
  bool is_cut_ = false;                                 // does not read on even within a request
  bool is_cancelled_ = false;                           // the read under way was cancelled while held
  std::atomic<Held> held_{Held::not_yet};               // the last result of how_held()
  bool holds_unsent_ = false;                           // unsent_answers counts this session
  bool is_paused_ = false;                              // neither reads nor takes requests
  Clock::time_point armed_ = Clock::time_point::max();  // when deadline_timer_ fires. max(): it is not set

  // Facts of the request that is being read.
  std::shared_ptr<const scheduling::Caller> caller_;  // nullptr: trusted without a token
  std::optional<HttpAnswer> refusal_;                 // decided by the head, answered when the body is complete
  BudgetLease body_lease_;
  BudgetLease small_reads_lease_;

  // The number of a slot plus one while the slot's call, which may go to a driver, holds the strand. go_on_elsewhere()
  // changes the value to is_moving, then to is_moved.
  static constexpr std::uint64_t not_deciding = 0;
  static constexpr std::uint64_t is_moving = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t is_moved = is_moving - 1;
  static constexpr std::uint64_t deciding(std::uint64_t slot) { return slot + 1; }
  std::atomic<std::uint64_t> deciding_{not_deciding};
  std::optional<std::uint64_t> waits_for_turn_;  // the slot of a call that waits for its turn in a driver

  // The answers that came from other threads and have not been taken.
  std::mutex inbox_mutex_;
  std::vector<std::pair<std::uint64_t, Outcome>> inbox_;  // with the numbers of their slots
  std::weak_ptr<HttpSession> successor_;                  // to which the connection has gone on
  // The session before, which passes the answers on that are due to it. nullptr: none is due.
  std::shared_ptr<HttpSession> predecessor_;

  // The call with which the connection moves to the workers, once the answers before it are sent.
  std::optional<RoutedCall> first_call_;
};

}  // namespace gantry::transport

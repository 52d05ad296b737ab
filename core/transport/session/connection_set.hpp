// SPDX-License-Identifier: Apache-2.0
//
// The open connections of a server, and the one way by which an answer from another thread reaches its connection.
// Drops answers after close(), because the server's objects may be gone by then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "core/scheduling/manager.hpp"
#include "core/transport/api/http_message.hpp"
#include "core/transport/sockets/handed_sockets.hpp"

namespace gantry::transport {

// The answer to one request, with the request's id and method.
struct Outcome {
  std::string request_id;
  std::string method;  // empty: none of the manager's methods
  std::variant<HttpAnswer, scheduling::Answer> answer;
};

// [any thread] A connection, as the set sees it. No member function blocks or runs the manager.
class Connection {
 public:
  virtual ~Connection() = default;
  // Answers the request whose slot in the AnswerQueue has the number `slot`.
  virtual void deliver(std::uint64_t slot, Outcome outcome) = 0;
  // Takes no further request, apart from requests that have begun to arrive. Ends after the last answer.
  virtual void drain() = 0;
  // Ends now, without further answers.
  virtual void abandon() = 0;

  // How far a connection is on its way to another process.
  enum class Held : std::uint8_t {
    not_yet,   // a request is under way
    arriving,  // part of a request has been read, the rest has not come
    ready,     // nothing is under way
    leaving,   // ends without another request
  };
  // Takes no further request until release(), apart from those that have begun to arrive. A connection over TLS is
  // drained: it cannot go to another process.
  virtual void hold() = 0;
  // From now on does not wait for the rest of a request that has begun to arrive. Called again as long as held() says
  // arriving.
  virtual void hold_now() = 0;
  virtual void release() = 0;
  virtual Held held() const = 0;
  // Returns the connection for another process. This one keeps it, too. nullopt unless held() is ready or, after
  // hold_now(), for a request whose beginning cannot be handed over. Between hold() and release() only.
  virtual std::optional<HandedConnection> handed() const = 0;
};

// [any thread]
class ConnectionSet {
 public:
  // Adds an open connection. False: the set is closed, and the connection must not be started.
  bool add(std::shared_ptr<Connection> connection);
  void remove(const Connection* connection);
  // Puts `successor` in the place of `connection`, and drains the successor if drain() has been called. False: the set
  // is closed, and the successor must not be started.
  bool replace(const Connection* connection, const std::shared_ptr<Connection>& successor);

  // Hands the answer to the connection. Drops the answer if the connection is gone or the set is closed.
  void deliver(const std::weak_ptr<Connection>& connection, std::uint64_t slot, Outcome outcome);

  // Calls drain() of each connection, and from now on of each successor.
  void drain();
  // Waits until no connection is open. False: some connections were open at the deadline.
  bool wait_until_empty(std::chrono::steady_clock::time_point deadline);
  // Calls hold() of each connection, and of each that comes until release().
  void hold();
  void release();
  // Waits until no request is under way, and for a short while for those that are arriving. False: some are still
  // under way at the deadline.
  bool wait_until_held(std::chrono::steady_clock::time_point deadline);
  // Returns the connections that can go to another process.
  std::vector<HandedConnection> handed();

  // Lets no further answer through, abandons the open connections and forgets them.
  void close();

 private:
  std::shared_mutex gate_;  // locked before mutex_. Locked shared while an answer is handed over
  bool closed_ = false;     // guarded by gate_
  std::mutex mutex_;
  std::condition_variable emptied_;
  bool draining_ = false;
  bool holding_ = false;
  std::size_t count(Connection::Held held);

  std::unordered_map<const Connection*, std::shared_ptr<Connection>> connections_;
};

}  // namespace gantry::transport

// SPDX-License-Identifier: Apache-2.0
//
// Carries the answer of one request back to its connection. If the last owner destroys the object without an answer,
// the client gets an error.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/transport/session/budget.hpp"
#include "core/transport/session/caller_places.hpp"
#include "core/transport/session/connection_set.hpp"

namespace gantry::transport {

// [any thread]
class PendingAnswer {
 public:
  // `slot` is the number of the request's slot in the connection's AnswerQueue.
  PendingAnswer(std::shared_ptr<ConnectionSet> connections, std::weak_ptr<Connection> connection, std::uint64_t slot)
      : connections_(std::move(connections)), connection_(std::move(connection)), slot_(slot) {}
  ~PendingAnswer();
  PendingAnswer(const PendingAnswer&) = delete;
  PendingAnswer& operator=(const PendingAnswer&) = delete;

  // Sets the request's id and method, which go to the connection with the answer. Call this before give().
  void describe(std::string request_id, std::string method);
  // Keeps the request's place among the waiting requests until the answer is given. Call this before give().
  void hold(BudgetLease place) { place_ = std::move(place); }
  void hold(CallerPlaces::Place place) { place_of_caller_ = std::move(place); }

  std::uint64_t slot() const { return slot_; }
  // Hands the answer to the connection. Only the first call has an effect.
  void give(std::variant<HttpAnswer, scheduling::Answer> answer);

 private:
  std::shared_ptr<ConnectionSet> connections_;
  std::weak_ptr<Connection> connection_;
  std::uint64_t slot_;
  std::string request_id_;
  std::string method_;
  BudgetLease place_;
  CallerPlaces::Place place_of_caller_;
  std::atomic<bool> given_{false};
};

}  // namespace gantry::transport

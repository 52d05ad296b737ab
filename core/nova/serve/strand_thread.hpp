// SPDX-License-Identifier: Apache-2.0
//
// A thread of its own for one strand, and calls to it that block until their answer is there.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "core/nova/http/timers.hpp"

namespace gantry::nova {

// [any thread but the strand's own]
class StrandThread {
 public:
  StrandThread() : thread_([this] { context_.run(); }) {}
  ~StrandThread() {
    guard_.reset();
    context_.stop();
    thread_.join();
  }
  StrandThread(const StrandThread&) = delete;
  StrandThread& operator=(const StrandThread&) = delete;

  const Strand& strand() const { return strand_; }

  // Runs `work` on the strand and waits until it has returned.
  template <class Work>
  void run(Work work) {
    wait<bool>([&work](const auto& done) {
      work();
      done(true);
    });
  }

  // Calls `start` on the strand with a callback, and returns what the callback is given. The callback has to come.
  template <class Answer, class Start>
  Answer wait(Start start) {
    auto promise = std::make_shared<std::promise<Answer>>();
    auto answer = promise->get_future();
    boost::asio::post(strand_, [promise, start = std::move(start)]() mutable {
      start([promise](Answer given) { promise->set_value(std::move(given)); });
    });
    return answer.get();
  }

  // Runs `work` on the strand, soon.
  template <class Work>
  void post(Work work) {
    boost::asio::post(strand_, std::move(work));
  }

 private:
  boost::asio::io_context context_{1};
  Strand strand_{context_.get_executor()};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{context_.get_executor()};
  std::thread thread_;  // last: runs on the rest
};

}  // namespace gantry::nova

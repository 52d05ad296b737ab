// SPDX-License-Identifier: Apache-2.0
//
// Runs a client's strand on a thread, and waits for what is called back there.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <thread>
#include <utility>

#include "core/nova/http/timers.hpp"

namespace gantry::nova::testing {

class StrandThread {
 public:
  StrandThread() : thread_([this] { context_.run(); }) {}
  ~StrandThread() {
    work_.reset();
    context_.stop();
    thread_.join();
  }
  StrandThread(const StrandThread&) = delete;
  StrandThread& operator=(const StrandThread&) = delete;

  const Strand& strand() const { return strand_; }

  // Calls start(done) on the strand and returns what `done` is called with.
  template <class Value, class Start>
  std::future<Value> begin(Start start) {
    auto promise = std::make_shared<std::promise<Value>>();
    auto future = promise->get_future();
    boost::asio::post(strand_, [promise, start = std::move(start)]() mutable {
      start([promise](Value value) { promise->set_value(std::move(value)); });
    });
    return future;
  }
  template <class Value, class Start>
  Value wait(Start start) {
    return begin<Value>(std::move(start)).get();
  }
  // Runs `step` on the strand, and returns after it.
  template <class Step>
  void run(Step step) {
    wait<int>([&step](auto done) {
      step();
      done(0);
    });
  }

 private:
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{context_.get_executor()};
  Strand strand_{boost::asio::make_strand(boost::asio::any_io_executor(context_.get_executor()))};
  std::thread thread_;
};

}  // namespace gantry::nova::testing

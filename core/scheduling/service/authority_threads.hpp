// SPDX-License-Identifier: Apache-2.0
//
// The threads of calls that ask the authority. A call blocks while placement answers, which takes many times as long as
// a decision.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace gantry::scheduling {

// [any thread] The destructor waits until all work has run.
class AuthorityThreads {
 public:
  // As many requests as are taken from a broker at a time.
  static constexpr std::size_t count = 64;

  AuthorityThreads();
  ~AuthorityThreads();
  AuthorityThreads(const AuthorityThreads&) = delete;
  AuthorityThreads& operator=(const AuthorityThreads&) = delete;

  void run(std::function<void()> work);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace gantry::scheduling

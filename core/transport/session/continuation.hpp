// SPDX-License-Identifier: Apache-2.0
//
// A completion handler that goes on where its operation was started: one that completes at once is run next by the same
// thread. Without it Asio wakes another worker for it, which costs more than parsing a request.
#pragma once

#include <utility>

namespace gantry::transport {

template <class Work>
struct Continuation {
  Work work;

  template <class... Results>
  void operator()(Results&&... results) {
    work(std::forward<Results>(results)...);
  }
  friend bool asio_handler_is_continuation(Continuation* /*handler*/) { return true; }
};
template <class Work>
Continuation(Work) -> Continuation<Work>;

}  // namespace gantry::transport

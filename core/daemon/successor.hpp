// SPDX-License-Identifier: Apache-2.0
//
// The process that is to take over from this one: the same program, as its file is now, with the same arguments.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

#include "core/daemon/handover_channel.hpp"

namespace gantry::daemon {

// The process is killed with the object, unless it was let go.
class Successor {
 public:
  static Result<Successor> start();
  Successor(Successor&& other) noexcept;
  Successor& operator=(Successor&&) = delete;
  ~Successor();

  pid_t pid() const { return pid_; }
  HandoverChannel& channel() { return channel_; }
  // Kills the process if it still runs, and waits for its end, so that it has closed all it had open. Returns how it
  // ended, if by itself: "ended by SIGSEGV", "ended with exit status 78". Empty: it had to be killed.
  std::string end();
  // Leaves the process to itself.
  void let_go() { pid_ = -1; }

 private:
  Successor(pid_t pid, HandoverChannel channel) : pid_(pid), channel_(std::move(channel)) {}

  pid_t pid_;
  HandoverChannel channel_;
};

}  // namespace gantry::daemon

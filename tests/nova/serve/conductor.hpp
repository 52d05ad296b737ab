// SPDX-License-Identifier: Apache-2.0
//
// A conductor: oslo.messaging's own client in a process of its own, which conductor.py runs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <cstdio>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::nova {

// The answer to a call: {"result"} or {"failure": {"class", "module", "message"}}.
using Heard = json::object;

class Conductor {
 public:
  // `words`: the Python program, conductor.py or one with the same lines, and its arguments.
  explicit Conductor(const std::vector<std::string>& words);
  ~Conductor();
  Conductor(const Conductor&) = delete;
  Conductor& operator=(const Conductor&) = delete;

  // False: the program lacks a library.
  bool is_installed() const { return is_installed_; }
  // Sends a request with the members that conductor.py knows.
  std::future<Heard> call(json::object request);

 private:
  void read_answers();

  bool is_installed_ = false;
  pid_t process_ = -1;
  std::FILE* requests_ = nullptr;
  std::FILE* answers_ = nullptr;
  std::mutex mutex_;
  std::map<std::int64_t, std::promise<Heard>> waiting_;
  std::int64_t last_ = 0;
  std::thread reader_;
};

}  // namespace gantry::nova

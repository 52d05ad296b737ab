// SPDX-License-Identifier: Apache-2.0
//
// The real placement as a process, which serve_placement.py serves. It keeps its port and its database over restarts.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace gantry::nova::testing {

class PlacementProcess {
 public:
  explicit PlacementProcess(std::string database) : database_(std::move(database)) {}
  ~PlacementProcess() { stop(); }
  PlacementProcess(const PlacementProcess&) = delete;
  PlacementProcess& operator=(const PlacementProcess&) = delete;

  // Returns when placement serves. False: python3-placement is not installed. `more`: further words of the command.
  bool start(const std::vector<std::string>& more = {});
  void stop();  // by SIGKILL
  void pause() const;
  void go_on() const;
  // Whether a request has arrived that a paused placement has not read.
  bool has_unread_request() const;
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  std::string database_;
  int port_ = 0;
  pid_t process_ = 0;
};

}  // namespace gantry::nova::testing

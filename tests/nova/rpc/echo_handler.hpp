// SPDX-License-Identifier: Apache-2.0
//
// Answers requests by their arguments, for tests. {"fail": reason} is answered with NoValidHost, {"hold": seconds}
// late, {"wait": true} when the test says so. {"claims": [text...]} are noted first. {"die": n} ends the process, n times in
// all. A request that is taken up is answered with the claims that were noted. All others get their arguments back.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/nova/rpc/rpc_work.hpp"

namespace gantry::nova {

// [any thread]
class EchoHandler : public RpcHandler {
 public:
  EchoHandler() = default;
  // `on_event` gets each event in a line.
  explicit EchoHandler(std::function<void(const std::string& event)> on_event) : on_event_(std::move(on_event)) {}
  ~EchoHandler() override;

  void handle(RpcWork work, Done done) override;
  void give_back(RpcLeftover leftover, std::function<void()> done) override;
  void on_casts_lost() override;

  // Answers the requests that wait.
  void release();
  std::size_t waiting() const;
  // "cast METHOD", "gave back CLAIM", "gave back CLAIM in use, perhaps", "casts lost"
  std::vector<std::string> events() const;

 private:
  void note(const std::string& event);

  mutable std::mutex mutex_;
  const std::function<void(const std::string&)> on_event_;
  std::vector<std::function<void()>> waiting_;
  std::vector<std::string> events_;
  std::vector<std::thread> threads_;
};

}  // namespace gantry::nova

// SPDX-License-Identifier: Apache-2.0
//
// Asks placement now and then what the mirror has answered, and compares. Three differences in an hour, and placement is
// asked from then on.
#pragma once

#include <atomic>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "core/nova/serve/mirror_difference.hpp"
#include "core/nova/serve/placement_desk.hpp"
#include "core/nova/serve/placement_mirror.hpp"

namespace gantry::nova {

class MirrorAudit {
 public:
  // All outlive the audit. One question in `one_in` is compared.
  MirrorAudit(PlacementMirror& mirror, PlacementDesk& placement, std::uint32_t one_in,
              std::shared_ptr<telemetry::Logger> logger, telemetry::Counters& counters);
  ~MirrorAudit() { thread_.join(); }
  MirrorAudit(const MirrorAudit&) = delete;
  MirrorAudit& operator=(const MirrorAudit&) = delete;

  // [any thread] Counts a question that the mirror has answered. Its comparison goes on in the background.
  void look(const std::string& query);

 private:
  using Clock = PlacementMirror::Clock;

  void compare(const std::string& query);
  bool refresh();
  bool has(const MirrorDifference& difference, const std::string& query);
  void note_difference(const std::string& query, const MirrorDifference& difference);

  PlacementMirror& mirror_;
  PlacementDesk& placement_;
  const std::uint32_t one_in_;
  const std::shared_ptr<telemetry::Logger> logger_;
  telemetry::Counters& counters_;
  std::atomic<std::uint64_t> questions_ = 0;
  std::atomic<bool> is_busy_ = false;
  std::deque<Clock::time_point> differences_;  // the thread's own
  boost::asio::thread_pool thread_{1};
};

}  // namespace gantry::nova

// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/daemon.hpp"

#include <utility>

#include "core/daemon/service.hpp"
#include "core/daemon/service_manager_sockets.hpp"
#include "core/daemon/start_check.hpp"

namespace gantry::daemon {

namespace {

// A driver that crashes or hangs as it is created does so in a process of its own, so that the reason can be told. Needs
// a process without threads.
Result<void> try_out_for(Predecessor& predecessor, const config::Loaded& loaded) {
  predecessor.say("tries out its drivers");
  const auto checked = check_start(loaded, DriverCheck::tried_out);
  if (checked.problems.empty()) return {};
  return Error{checked.problems.front().code, checked.problem_lines(), {}};
}

}  // namespace

Result<void> run(const config::Loaded& loaded, MakeAuthority make_authority, Predecessor* predecessor) {
  auto given = take_service_manager_sockets();
  if (predecessor != nullptr)
    if (auto tried = try_out_for(*predecessor, loaded); !tried) return tried;
  Service service(loaded, predecessor, std::move(given));
  if (auto is_loaded = service.load(make_authority); !is_loaded) return is_loaded;
  if (auto has_turn = service.take_turn(); !has_turn) return has_turn;
  service.begin();
  service.end(service.serve());
  return {};
}

}  // namespace gantry::daemon

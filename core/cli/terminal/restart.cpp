// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/restart.hpp"

#include <cmath>
#include <string>

#include "core/cli/terminal/output.hpp"

namespace gantry::cli {

namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds interval{100};
constexpr Milliseconds margin{30'000};         // beyond the time that the new process has: for the requests under way
constexpr Milliseconds unknown_time{600'000};  // where the daemon's configuration says how long it may take

// Returns the restart of that id as `status` tells of it. nullopt: no daemon answers, or it tells of another one.
std::optional<json::object> look(Session& session, std::string_view id) {
  const auto status = session.call_within("status", {}, Milliseconds(5'000));
  if (!status || !status->is_object()) return std::nullopt;
  const auto* const last = json::find_object(status->get_object(), "last_restart");
  if (last == nullptr || json::find_string(*last, "id") != id) return std::nullopt;
  return *last;
}

Result<json::object> follow(Session& session, const std::string& id, Milliseconds patience) {
  for (Milliseconds waited{0}; waited < patience; waited += interval) {
    auto restart = look(session, id);
    const auto outcome = restart ? json::find_string(*restart, "outcome").value_or("") : "";
    if (outcome == "succeeded") return *std::move(restart);
    if (outcome == "failed") {
      return Error{ErrorCode::failed_precondition,
                   "the restart has failed, process " + cell_text(json::find(*restart, "pid")) +
                       " serves as before: " + cell_text(json::find(*restart, "reason")),
                   {}};
    }
    session.pause(interval);
  }
  return Error{ErrorCode::deadline_exceeded, "the end of restart " + id + " is not known; see gantry status", {}};
}

}  // namespace

json::object restart_arguments(RestartTime time) {
  if (!time) return {};
  return {{"timeout_seconds", static_cast<std::int64_t>(std::ceil(std::chrono::duration<double>(*time).count()))}};
}

Result<json::object> restart_and_wait(Session& session, RestartTime time) {
  const auto begun = session.call("restart", restart_arguments(time));
  if (!begun) return begun.error();
  const auto id = begun->is_object() ? json::find_string(begun->get_object(), "id") : std::nullopt;
  if (!id) return Error{ErrorCode::internal, "the daemon's answer names no restart", {}};
  return follow(session, std::string(*id), time ? *time + margin : unknown_time);
}

}  // namespace gantry::cli

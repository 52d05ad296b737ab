// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/documents/document.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

// One answer, not pages: pages of different moments would add up to a fleet that never was.
Outcome export_fleet(State& state, const MethodCall& /*call*/) {
  Outcome outcome;
  outcome.reply = Answer::of_text(fleet::write_document(state.parts.fleet.document(steady_nanoseconds())));
  return outcome;
}

}  // namespace

std::vector<Method> fleet_export_methods() {
  return {{.name = "export_fleet",
           .group = "records",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary = "All that decisions rest on, of one instant, in the format of gantry whatif: gantry-fleet(5).",
           .result = "FleetFile",
           .handle = export_fleet}};
}

}  // namespace gantry::scheduling

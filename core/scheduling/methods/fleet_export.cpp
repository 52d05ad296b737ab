// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/documents/document.hpp"
#include "core/scheduling/methods/methods.hpp"

namespace gantry::scheduling {

// In one answer and not in pages: a file that is torn between two instants would be decided on as no fleet ever was.
Outcome export_fleet(State& state, const MethodCall& /*call*/) {
  Outcome outcome;
  outcome.reply = Answer::of_text(fleet::write_document(state.parts.fleet.document(now_nanoseconds())));
  return outcome;
}

}  // namespace gantry::scheduling

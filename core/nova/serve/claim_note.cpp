// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/claim_note.hpp"

#include <array>
#include <utility>

#include "core/encoding/json.hpp"

namespace gantry::nova {

namespace {

// The members of a note, by their names in JSON.
template <class Note, class Take>
void each_member(Note& note, Take take) {
  take("consumer", note.request.consumer);
  take("allocation_request", note.request.allocation_request);
  take("project_id", note.request.project_id);
  take("user_id", note.request.user_id);
  take("request_id", note.request.request_id);
  take("claimed", note.outcome.claimed);
  take("former", note.outcome.former);
}

}  // namespace

std::string text_of(const ClaimNote& note) {
  json::object text;
  each_member(note, [&text](std::string_view name, const std::string& value) {
    if (!value.empty()) text[name] = value;
  });
  return json::write(text);
}

Result<ClaimNote> read_claim_note(std::string_view text) {
  const auto read = json::parse_object(text);
  if (!read) return Error(read.error()).within("a noted claim");
  ClaimNote note;
  each_member(note, [&read](std::string_view name, std::string& value) {
    value = std::string(json::find_string(*read, name).value_or(""));
  });
  if (note.request.consumer.empty())
    return Error{ErrorCode::invalid_argument, "a noted claim: expected a consumer, found none", {}};
  if (!note.outcome.claimed.empty()) note.outcome.kind = ClaimOutcome::Kind::held;
  return note;
}

}  // namespace gantry::nova

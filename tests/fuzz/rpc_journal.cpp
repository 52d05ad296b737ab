// SPDX-License-Identifier: Apache-2.0
//
// A journal of requests, as an earlier process left it. The requests that are read can be written and read again. The
// outcome is empty, open (there are requests), or damaged, with "-torn" behind it if the last line is cut.
#include <algorithm>

#include "core/nova/rpc/journal_entry.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {

std::string run(std::span<const std::uint8_t> input) {
  const auto contents = nova::read_journal(text_of(input));
  if (!contents) {
    if (contents.error().message.empty()) broken("a refusal without a reason");
    return "damaged";
  }
  std::string again = nova::journal_head();
  for (const auto& [number, story] : contents->open) {
    if (number == 0 || number > contents->last_number) broken("a number that is no request's");
    if (number != story.entry.number) broken("a request under the number of another");
    if (story.entry.attempts < 1) broken("a request that no process has worked on");
    if (story.entry.caller.heartbeat_interval.count() < 0) broken("an interval below 0");
    static_cast<void>(nova::patience_of(story.entry).lasts_at(0));
    again += story.lines;
  }
  const auto second = nova::read_journal(again);
  if (!second) broken("a journal that cannot be read again: " + second.error().message);
  if (second->open.size() != contents->open.size()) broken("a request that is lost in the second journal");
  return (contents->open.empty() ? "empty" : "open") + std::string(contents->is_torn ? "-torn" : "");
}

}  // namespace gantry::fuzz

// SPDX-License-Identifier: Apache-2.0
//
// The archive of decisions: what was decided, and the facts that the decisions saw. Files of their own beside the
// store, in one directory, bounded in number, age and size. Any of the files, or all of them, can be deleted at any time: only answers
// about the past are lost.
//
//   decisions-N.db   decisions from id N on, each found by its names
//   facts-N.db       pieces of the history of the fleet's facts; the first piece of a file needs none before it
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::store {

struct ArchiveSettings {
  std::string directory;
  std::uint64_t most_decisions = 1'000'000;
  std::chrono::hours most_age{30 * 24};
  std::uint64_t most_fact_bytes = std::uint64_t{1} << 30;
  std::shared_ptr<telemetry::Logger> logger;
};

// A decision to be kept.
struct DecisionToKeep {
  std::int64_t time = 0;     // nanoseconds since 1970
  std::uint64_t moment = 0;  // the number of the moment that it saw
  std::int64_t outcome = 0;  // a number by which decisions can be looked for
  std::vector<std::string> names;
  std::string record;
};

// A piece of the history of facts (FactChunk of core/fleet/history).
struct KeptFacts {
  std::uint64_t first_moment = 0;
  std::uint64_t last_moment = 0;
  bool begins_whole = false;
  std::string bytes;
};

struct KeptDecision {
  std::int64_t id = 0;
  std::int64_t time = 0;
  std::int64_t run = 0;  // the process that decided; moments are numbered by process
  std::uint64_t moment = 0;
  std::string record;
};

// All conditions hold.
struct ArchiveQuery {
  std::vector<std::string> names = {};
  std::optional<std::int64_t> since = {};  // nanoseconds since 1970
  std::optional<std::int64_t> until = {};
  std::optional<std::int64_t> outcome = {};
  std::optional<std::int64_t> before = {};  // an id
  std::size_t limit = 100;
};

// Fails with permission_denied if another user may write to the directory, or may replace it: its files would be his. A
// directory that is missing passes.
Result<void> check_archive_place(const std::string& directory);

class DecisionArchive {
 public:
  // Makes the directory, mode 0700, if it is missing; the one above must exist. A file that is damaged is set aside under
  // another name, with a line in the log. `run` is a number that no earlier process had.
  static Result<std::unique_ptr<DecisionArchive>> open(ArchiveSettings settings, std::int64_t run);
  ~DecisionArchive();

  // ---- [one thread at a time]
  // Returns whether the next call of append needs the facts of a whole moment, besides what changed.
  bool wants_whole_facts() const;
  // Keeps decisions and facts. `whole`: the facts of a moment that `changes` and the decisions' moments reach or pass.
  // Nothing is kept if it fails: resource_exhausted if the disk is full.
  Result<void> append(std::span<const DecisionToKeep> decisions, const std::optional<KeptFacts>& whole,
                      const KeptFacts& changes);

  // ---- [any thread]
  // Returns the decisions that the query names, the latest first.
  Result<std::vector<KeptDecision>> list(const ArchiveQuery& query) const;
  Result<std::optional<KeptDecision>> find(std::int64_t id) const;
  // Returns the pieces of history from which the decision's moment can be recalled, in their order. Empty: they are no
  // longer known.
  Result<std::vector<KeptFacts>> facts_of(const KeptDecision& decision) const;
  // Returns the number of decisions that are kept.
  std::uint64_t size() const;

 private:
  struct State;
  explicit DecisionArchive(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gantry::store

// SPDX-License-Identifier: Apache-2.0
//
// The durable state of the service, which a restart reads again: documents by kind and key, changed in atomic batches.
// The store does not know what the documents mean.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "core/store/store_times.hpp"

namespace gantry::store {

// The kind of a document. The comment gives the parts of its key.
enum class Kind : std::uint8_t {
  service,       // topic/host
  compute_node,  // topic/host/node
  capabilities,  // topic/host
  aggregate,     // id
  group,         // uuid of a server group
  instance,      // uuid
  claim,         // consumer/topic/host/node
  cast,          // id
  idempotency,   // the idempotency key that the client chose
  token,         // id of an access token
  heartbeat,     // service/topic/host, compute_node/topic/host/node or capabilities/topic/host
};

// Puts or removes one document.
struct Change {
  Kind kind;
  std::string key;
  std::optional<std::string> document;  // JSON text; nullopt: the document is removed
};

// A stored document.
struct Document {
  std::string key;
  std::string text;
};

// A store that was put back from a backup. Times in nanoseconds since 1970.
struct Restored {
  std::int64_t taken_at = 0;     // when the backup was taken; 0: not known
  std::int64_t restored_at = 0;  // the store may be out of date in all that it says of an earlier time
};

// Changes that are committed all together or not at all.
using Batch = std::vector<Change>;
using Done = std::function<void(Result<void>)>;
using Undo = std::function<void()>;
// An error of the visitor ends the visit.
using Visitor = std::function<Result<void>(std::string_view key, std::string_view document)>;
// The same for changes. nullopt: the document was removed.
using ChangeVisitor = std::function<Result<void>(std::string_view key, std::optional<std::string_view> document)>;

class Store {
 public:
  virtual ~Store() = default;

  // Calls `visit` with each document of a kind in the order of keys. Returns the visitor's error if there is one. May
  // only be called before the first submit.
  virtual Result<void> load(Kind kind, const Visitor& visit) = 0;

  // Takes a batch and returns before the commit. Batches are committed in the order of submit calls. One transaction
  // may commit several waiting batches. The store answers each batch: it calls `done` once, on its own thread and in
  // the order of submit calls, when the commit is on disk or has failed. `done` must not block.
  //
  // `undo` rolls back the caller's change in memory. Later batches build on the change of a failed one, so they fail
  // too: the store runs all undos from the last to the first, then calls each `done` with the error. A batch that is
  // too large, or that comes while too many bytes wait, is refused at once. Its undo has run when submit returns. Its
  // `done` is called when the earlier batches are answered.
  //
  // An empty batch costs no commit. The store answers it in its turn: when the batches before it are answered, and with
  // an error if one of these fails at the same time.
  virtual void submit(Batch batch, Done done, Undo undo = nullptr) = 0;

  // The same as submit, for a batch that no client waits for. The commit may come a little later, together with further
  // batches. A later call of submit ends the wait.
  virtual void submit_behind(Batch batch, Done done, Undo undo = nullptr) {
    submit(std::move(batch), std::move(done), std::move(undo));
  }

  // Names the mutex that guards the changes in memory. A caller of submit with an undo holds the mutex from its change
  // in memory until submit returns. The store holds the mutex while undos run, so no change comes in between. The mutex
  // must live until the store is destroyed or undo_under(nullptr) has returned. undo_under waits until undos that run
  // have ended: the caller must not hold the mutex.
  virtual void undo_under(std::mutex* order) = 0;

  // Returns at most `limit` committed documents of a kind, in the order of keys, from the key `from` on. Includes all
  // changes that were answered before the call. [any thread], also while batches are committed. unsupported: this store
  // cannot be read while it is used.
  virtual Result<std::vector<Document>> read(Kind /*kind*/, std::string_view /*from*/, std::size_t /*limit*/) {
    return Error{ErrorCode::unsupported, describe() + " cannot be read while it is used", {}};
  }

  // Waits until all batches that were submitted before the call are answered. After let_go they are answered with an
  // error.
  virtual void flush() = 0;

  // For another process that will read the store and take it over: from now on notes which documents change. Returns
  // once the batches that were submitted before the call are answered.
  virtual void note_changes() {}
  // Commits and answers what was submitted before the call, then gives the files up to another process. Later batches
  // wait in memory for take_back. Returns what has been noted, for the other process's take_over. After an error the
  // store is still used by this process. [one thread at a time]
  virtual Result<std::string> let_go() {
    return Error{ErrorCode::unsupported, describe() + " cannot be handed to another process", {}};
  }
  // Uses the files again after let_go, and commits what waits. Tries for as long as another process holds them, up to
  // `until`. failed_precondition: another process has committed meanwhile, so that what this one knows is out of date.
  virtual Result<void> take_back(std::chrono::steady_clock::time_point /*until*/) {
    return Error{ErrorCode::unsupported, describe() + " cannot be handed to another process", {}};
  }

  // For a store that another process still uses: load() returns the documents as they were when the store was opened.
  // take_over() uses the files from now on. `noted` is what let_go() has returned in the other process, which began to
  // note before this store was opened. nullopt: that process has ended, and the files are checked as after a crash. Tries
  // for as long as the other process still has the files, up to `until`.
  virtual Result<void> take_over(std::chrono::steady_clock::time_point /*until*/,
                                 const std::optional<std::string>& /*noted*/) {
    return Error{ErrorCode::unsupported, describe() + " was not opened to be taken over", {}};
  }
  // After take_over: calls `visit` with each document of a kind that was removed since load(), then with each that was
  // put. A key may be among both. Returns the visitor's error if there is one. Once for each kind, before the first submit: it
  // frees what load() had read.
  virtual Result<void> load_changes(Kind /*kind*/, const ChangeVisitor& /*visit*/) {
    return Error{ErrorCode::unsupported, describe() + " was not opened to be taken over", {}};
  }

  // Returns whether a restart finds all that was submitted.
  virtual bool keeps_everything() const { return true; }

  // Returns why the last transaction could not be committed. nullopt if the store keeps changes. [any thread]
  virtual std::optional<Error> fault() const { return std::nullopt; }

  // Returns the last restore that the store went through. nullopt: none. [any thread]
  virtual std::optional<Restored> restored() const { return std::nullopt; }

  // Returns the times of the store's work, which live as long as the store. nullptr: it takes none. [any thread]
  virtual StoreTimes* times() { return nullptr; }

  // Returns a line for operators that names the store: "sqlite /var/lib/gantry/gantry.db, schema 3".
  virtual std::string describe() const = 0;
};

}  // namespace gantry::store

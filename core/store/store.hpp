// SPDX-License-Identifier: Apache-2.0
//
// Durable state of the service: documents by kind and key, changed in atomic batches. The store does not know what the
// documents mean. The state that a restart needs is stored here.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace gantry::store {

enum class Kind : std::uint8_t {
  service,       // key topic/host
  compute_node,  // key topic/host/node
  capabilities,  // key topic/host
  aggregate,     // key id
  group,         // key uuid
  instance,      // key uuid
  claim,         // key consumer/topic/host/node
  cast,          // key id
  idempotency,   // key chosen by the client
  token,         // key id
};

struct Change {
  Kind kind;
  std::string key;
  std::optional<std::string> document;  // JSON text; nullopt removes the key
};

// A stored document.
struct Document {
  std::string key;
  std::string text;
};

using Batch = std::vector<Change>;
using Done = std::function<void(Result<void>)>;
using Undo = std::function<void()>;
using Visitor = std::function<Result<void>(std::string_view key, std::string_view document)>;

class Store {
 public:
  virtual ~Store() = default;

  // Visits each document of a kind in the order of keys. May only be called before the first submit.
  virtual Result<void> load(Kind kind, const Visitor& visit) = 0;

  // Takes a batch and returns at once. Batches are committed in the order of submit calls, several waiting ones in one
  // transaction. The store calls `done` once, on its own thread and in the order of submission, when the commit is on
  // disk or has failed. `done` must not block.
  //
  // `undo` rolls back the caller's change in memory. Later batches build on the change of a failed one, so they fail
  // too: the store runs all undos from the last to the first, then calls each `done` with the error. A batch may be
  // refused at once, since it is too large or too many bytes wait. Its undo has run when submit returns.
  virtual void submit(Batch batch, Done done, Undo undo = nullptr) = 0;

  // Submits a batch that no client waits for. The commit may come a little later, together with further batches.
  // A later submit commits the batch along with its own.
  virtual void submit_behind(Batch batch, Done done, Undo undo = nullptr) {
    submit(std::move(batch), std::move(done), std::move(undo));
  }

  // Names the mutex that guards the changes in memory. A caller of submit with an undo holds the mutex from its change
  // until submit returns. The store holds it while undos run, so that no change comes in between. The mutex must
  // outlive the store or a later call with nullptr.
  virtual void undo_under(std::mutex* order) = 0;

  // Returns at most `limit` committed documents of a kind from the key `from` on, in the order of keys. Answered
  // changes are among them. [any thread], also while changes go on. unsupported: the store cannot be read while it is
  // used.
  virtual Result<std::vector<Document>> read(Kind /*kind*/, std::string_view /*from*/, std::size_t /*limit*/) {
    return Error{ErrorCode::unsupported, describe() + " cannot be read while it is used", {}};
  }

  // Returns when all batches submitted before are answered.
  virtual void flush() = 0;

  // Returns one line for operators: "sqlite /var/lib/gantry/gantry.db, schema 3".
  virtual std::string describe() const = 0;
};

}  // namespace gantry::store

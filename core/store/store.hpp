// SPDX-License-Identifier: Apache-2.0
//
// Durable state: documents by kind and key, changed in batches that hold whole or not at all. Knows nothing of what
// the documents mean. Everything that the service must find again after a restart goes through here.
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
  idempotency,   // key given by the caller
  token,         // key id
};

struct Change {
  Kind kind;
  std::string key;
  std::optional<std::string> document;  // JSON text; nullopt: removes the key
};

// As it is kept.
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

  // Every document of a kind, in the order of keys. Before the first submit only.
  virtual Result<void> load(Kind kind, const Visitor& visit) = 0;

  // Takes a batch; returns at once. Batches are committed in the order of submit calls, many in one transaction where
  // they wait together. `done` is called once, on the store's own thread, after the commit is on disk or has failed, in
  // the order of submission; it must not block.
  //
  // `undo` puts back what the caller has changed in memory for the batch. Where a commit fails, all that was submitted
  // after it rests on what is taken back and fails with it: the undos run from the last to the first, then each `done`
  // hears of the error. A batch that is refused at once, being too large or coming when too much waits, has been undone
  // when submit returns.
  virtual void submit(Batch batch, Done done, Undo undo = nullptr) = 0;

  // As submit, for what nobody waits for: may be committed a little later, together with what comes meanwhile. What is
  // submitted after it takes it along.
  virtual void submit_behind(Batch batch, Done done, Undo undo = nullptr) {
    submit(std::move(batch), std::move(done), std::move(undo));
  }

  // Who submits with an undo holds `order` from the change in memory until submit returns; the store holds it while undos
  // run, so that nothing is changed in between. It lives until this is called with nullptr, or as long as the store.
  virtual void undo_under(std::mutex* order) = 0;

  // Committed documents of a kind from the key `from` on, in the order of keys, at most `limit`; what has been answered
  // is among them. [any thread], while changes go on. unsupported: a store that cannot be read while it is used.
  virtual Result<std::vector<Document>> read(Kind /*kind*/, std::string_view /*from*/, std::size_t /*limit*/) {
    return Error{ErrorCode::unsupported, describe() + " cannot be read while it is used", {}};
  }

  // Returns when everything submitted before has been answered.
  virtual void flush() = 0;

  // One line for operators: "sqlite /var/lib/gantry/gantry.db, schema 2".
  virtual std::string describe() const = 0;
};

}  // namespace gantry::store

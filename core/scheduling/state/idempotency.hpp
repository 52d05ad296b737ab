// SPDX-License-Identifier: Apache-2.0
//
// The answers to calls with an idempotency key. A caller that lost the reply sends the call again under the same key:
// it gets the first answer, and the repeat changes nothing.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/scheduling/manager.hpp"
#include "core/store/store.hpp"

namespace gantry::scheduling {

// [any thread]
class IdempotentAnswers {
 public:
  enum class KeyState {
    is_new,    // the caller runs the call, then calls finish()
    answered,  // `done` was called with the first answer
    waits,     // the first call is still under way; `done` will be called with its answer
    misused,   // the key belongs to another call; `done` was called with that error
  };
  // Takes the key for the call. Moves from `done` unless it returns KeyState::is_new.
  KeyState begin(const MethodCall& call, Done& done);

  // The stored form of an answer, to be committed together with the changes of the call.
  store::Change to_store(const MethodCall& call, const Reply& reply, std::int64_t now) const;

  // Ends the call of a key and answers the repeats that wait for it. `bytes`: the size of the answer's stored form. If
  // it is 0 the answer is not kept, and the key may be used again.
  void finish(const MethodCall& call, const Reply& reply, std::size_t bytes, std::int64_t now);

  // Adds a stored answer, at start. Error `internal` if the document is damaged.
  Result<void> load(std::string_view key, std::string_view document);
  // The keys of the kept answers.
  std::vector<std::string> keys();
  // The stored form of a kept answer, without its time. Empty if there is none.
  std::optional<json::object> document(const std::string& key);
  // Evicts answers older than an hour, and the oldest ones beyond 50,000 or beyond 64 MiB in stored form. Returns their
  // keys, for the store to erase.
  std::vector<std::string> expire(std::int64_t now);
  // The store could not erase these keys. The next expire() returns them again, unless they are in use again.
  void still_stored(const std::vector<std::string>& keys);

 private:
  struct Entry {
    std::size_t fingerprint = 0;
    std::optional<Reply> reply;
    std::vector<Done> waiting;
    std::size_t bytes = 0;
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::multimap<std::int64_t, std::string> by_age_;
  std::size_t bytes_ = 0;
  std::vector<std::string> still_stored_;
};

// Whether an answer is kept for its key. False for a failure that a retry may overcome.
bool is_final(const Reply& reply);

}  // namespace gantry::scheduling

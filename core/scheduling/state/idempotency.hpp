// SPDX-License-Identifier: Apache-2.0
//
// The answers to calls with an idempotency key. A caller that lost the reply sends the call again with the same key.
// The repeat gets the first answer and changes nothing.
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
  // The state of a call's key, as begin() found it.
  enum class KeyState {
    is_new,    // no call has used the key: the caller runs the call, then calls finish()
    answered,  // the first call is answered; `done` was called with the same answer
    waits,     // the first call is still under way; `done` will be called with its answer
    misused,   // a call with another method or other arguments has used the key; `done` was called with an error
  };
  // Takes the key for the call. The caller may use `done` again only if the result is KeyState::is_new.
  KeyState begin(const MethodCall& call, Done& done);

  // Returns the change that stores an answer. It is committed together with the changes of the call.
  // `now` is a time of the system clock.
  store::Change to_store(const MethodCall& call, const Reply& reply, std::int64_t now) const;

  // Ends the first call with a key and answers the repeats that wait. `bytes` is the size of the answer's stored form.
  // 0 means that the answer is not kept, and the key may be used again. `now` is in steady
  // time.
  void finish(const MethodCall& call, const Reply& reply, std::size_t bytes, std::int64_t now);

  // Adds a stored answer. Called at the start of the service. Error `internal` if the document is damaged.
  Result<void> load(std::string_view key, std::string_view document);
  // Forgets a stored answer, which the store does not have any more. Called at the start of the service.
  void unload(const std::string& key);
  // Returns the keys of the kept answers.
  std::vector<std::string> keys();
  // Returns the stored form of a kept answer, without its time. nullopt if no answer is kept for the key.
  std::optional<json::object> document(const std::string& key);
  // Evicts answers older than an hour. Then evicts the oldest while there are more than 50,000 answers, or more than 64
  // MiB in stored form. Returns the keys that the caller must erase from the store. `now` is in steady time.
  std::vector<std::string> expire(std::int64_t now);
  // Takes back keys that the store failed to erase. The next expire() returns them again, unless a new call uses them.
  void still_stored(const std::vector<std::string>& keys);

 private:
  struct Entry {
    std::size_t fingerprint = 0;
    std::optional<Reply> reply;
    std::vector<Done> waiting;
    std::size_t bytes = 0;
    std::int64_t kept_at = 0;  // its place in by_age_, if there is a reply
  };
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::multimap<std::int64_t, std::string> by_age_;
  std::size_t bytes_ = 0;
  std::vector<std::string> still_stored_;
};

// Returns whether an answer may be kept for repeats. False for a failure that a retry may overcome, such as
// unavailable.
bool is_final(const Reply& reply);

}  // namespace gantry::scheduling

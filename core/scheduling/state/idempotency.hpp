// SPDX-License-Identifier: Apache-2.0
//
// Answers kept by idempotency key: a retry of a call whose reply was lost gets the first answer and changes nothing.
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
  enum class Standing {
    first,     // go on, and call finish
    answered,  // `done` has been called with the first answer
    waits,     // the first call is still under way; `done` is called with its answer
    misused,   // the key belongs to another call; `done` has been called with that error
  };
  // `done` is taken unless the standing is first.
  Standing begin(const MethodCall& call, Done& done);

  // The stored form of an answer: to be stored with what the call changed.
  store::Change to_store(const MethodCall& call, const Reply& reply, std::int64_t now) const;

  // Answers who waits. `bytes`: of what is stored of the answer; 0: it is not kept, and the key as if it had not been
  // used.
  void finish(const MethodCall& call, const Reply& reply, std::size_t bytes, std::int64_t now);

  Result<void> load(std::string_view key, std::string_view document);
  // Of answers that are kept; and one as it is stored, but without the time.
  std::vector<std::string> keys();
  std::optional<json::object> document(const std::string& key);
  // Keys older than an hour, and the oldest of more than 50,000 or of more than 64 MiB as stored; for the store to erase
  // as well.
  std::vector<std::string> expire(std::int64_t now);
  // The store could not erase them: expire hands them out again, unless they are in use again.
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

// Whether an answer is worth keeping: not a failure that a retry may outlive.
bool is_final(const Reply& reply);

}  // namespace gantry::scheduling

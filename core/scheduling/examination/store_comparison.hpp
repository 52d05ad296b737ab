// SPDX-License-Identifier: Apache-2.0
//
// Compares memory with the store, document by document, while calls change both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// A document that differs between memory and store.
struct Difference {
  store::Kind kind;
  std::string name;  // name of the kind: "service", "compute_node", ...
  std::string key;
  std::optional<std::string> memory;  // the document in memory, as canonical JSON; nullopt: not in memory
  std::optional<std::string> stored;  // the document in the store, as canonical JSON; nullopt: not in the store
};

class StoreComparison {
 public:
  StoreComparison(State& state, IdempotentAnswers& answers) : state_(state), answers_(answers) {}

  // Compares every document in memory with the store. A document that differs is a suspect at first, because its change
  // may still be on the way to the store.
  Result<void> look();
  // Compares the suspects again. A document that is now the same in memory and store is no suspect any more. A document
  // that differs exactly as before moves to found(). The rest stay suspects. Requires: the calls that were under way at
  // the previous look have ended.
  Result<void> look_again();

  // The differences that two looks saw alike.
  const std::vector<Difference>& found() const { return found_; }
  // The number of suspects.
  std::size_t undecided() const { return suspects_.size(); }
  // The number of documents that were compared, by the name of their kind.
  const std::map<std::string, std::size_t>& documents() const { return documents_; }
  // The number of differences beyond the most suspects that are kept. They are counted and not looked at again.
  std::size_t left_out() const { return left_out_; }

 private:
  Result<void> look_at(store::Kind kind, const std::string& name);
  void suspect(Difference difference);
  std::vector<std::string> keys_in_memory(store::Kind kind) const;
  std::optional<json::object> in_memory(store::Kind kind, const std::string& key) const;
  std::optional<json::object> heartbeat_in_memory(const std::vector<std::string>& names) const;
  Result<std::optional<std::string>> in_store(store::Kind kind, const std::string& key) const;

  State& state_;
  IdempotentAnswers& answers_;
  std::vector<Difference> suspects_;
  std::vector<Difference> found_;
  std::map<std::string, std::size_t> documents_;
  std::size_t left_out_ = 0;
};

}  // namespace gantry::scheduling

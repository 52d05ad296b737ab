// SPDX-License-Identifier: Apache-2.0
//
// Compares memory with the store, document by document, while both change.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/scheduling/state/idempotency.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

// A document that differs between memory and store. The texts are canonical JSON. Empty if the document is not there.
struct Difference {
  store::Kind kind;
  std::string name;  // "service", "compute_node", ...
  std::string key;
  std::optional<std::string> memory;
  std::optional<std::string> stored;
};

class StoreComparison {
 public:
  StoreComparison(State& state, IdempotentAnswers& answers) : state_(state), answers_(answers) {}

  // Compares every document in memory with the store. A document that differs is a suspect at first, because its change
  // may still be on the way to the store.
  Result<void> look();
  // Looks at the suspects again. A document that is the same by now is no suspect any more. One that differs exactly as
  // before is found. Requires: the calls that were under way at the look before have ended.
  Result<void> look_again();

  const std::vector<Difference>& found() const { return found_; }
  std::size_t undecided() const { return suspects_.size(); }
  const std::map<std::string, std::size_t>& documents() const {
    return documents_;
  }  // how many were compared, by name of their kind
  // The number of differences that were counted but not listed, because there were too many.
  std::size_t left_out() const { return left_out_; }

 private:
  Result<void> look_at(store::Kind kind, const std::string& name);
  void suspect(Difference difference);
  std::vector<std::string> keys_in_memory(store::Kind kind) const;
  std::optional<json::object> in_memory(store::Kind kind, const std::string& key) const;
  Result<std::optional<std::string>> in_store(store::Kind kind, const std::string& key) const;

  State& state_;
  IdempotentAnswers& answers_;
  std::vector<Difference> suspects_;
  std::vector<Difference> found_;
  std::map<std::string, std::size_t> documents_;
  std::size_t left_out_ = 0;
};

}  // namespace gantry::scheduling

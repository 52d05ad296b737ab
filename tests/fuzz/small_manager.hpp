// SPDX-License-Identifier: Apache-2.0
//
// The real manager with the driver simple, over a store that keeps nothing; all answers come on the calling thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scheduling/service/service_manager.hpp"

namespace gantry::fuzz {

struct Document {
  store::Kind kind;
  std::string key;
  std::string text;
};

class SmallManager {
 public:
  // Recovers from these documents.
  static Result<std::unique_ptr<SmallManager>> start(std::vector<Document> documents);
  ~SmallManager();
  SmallManager(const SmallManager&) = delete;
  SmallManager& operator=(const SmallManager&) = delete;

  scheduling::Reply call(std::string method, json::object args, json::object context = {});
  fleet::Fleet& fleet();

 private:
  struct State;
  explicit SmallManager(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gantry::fuzz

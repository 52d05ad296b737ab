// SPDX-License-Identifier: Apache-2.0
//
// Turns at placement's resource providers: two claims at a time never concern the same provider. Placement judges
// concurrent claims of a provider by what each transaction saw at its beginning, and admits more than there is room for.
#pragma once

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>

#include "core/nova/http/http_outcome.hpp"

namespace gantry::nova {

// [any thread]
class ProviderTurns {
 public:
  // Holds its providers until it is destroyed.
  class Turn {
   public:
    ~Turn();
    Turn(Turn&& other) noexcept;
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    Turn& operator=(Turn&&) = delete;
    // False: the deadline came first.
    explicit operator bool() const { return turns_ != nullptr; }

   private:
    friend class ProviderTurns;
    Turn(ProviderTurns* turns, std::set<std::string> providers);

    ProviderTurns* turns_;
    std::set<std::string> providers_;
  };

  // Blocks until none of the providers is held.
  Turn wait(std::set<std::string> providers, Clock::time_point deadline);

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  std::set<std::string> held_;
};

}  // namespace gantry::nova

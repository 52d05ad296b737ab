// SPDX-License-Identifier: Apache-2.0
//
// The latest answers to the question how many more instances fit, kept until the fleet changes. In memory alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace gantry::scheduling {

// [any thread] The driver and its configuration stay the same as long as the service runs, so they are no part of a key.
class CapacityAnswers {
 public:
  static constexpr std::size_t most = 1024;
  static constexpr std::size_t largest = std::size_t{64} << 10;  // a longer answer is not kept

  // Returns the answer to the question, a JSON text, if it still holds in the fleet of `generation`. `is_current` says
  // whether nothing that answers rest on has changed since an earlier generation. It must not block.
  std::optional<std::string> find(const std::string& question, std::uint64_t generation,
                                  const std::function<bool(std::uint64_t since)>& is_current);
  // Keeps the answer, which was found in the fleet of `generation`.
  void put(const std::string& question, std::uint64_t generation, std::string answer);

 private:
  struct Kept {
    std::string question;
    std::uint64_t generation;
    std::string answer;
  };

  std::mutex mutex_;
  std::list<Kept> kept_;  // the latest asked first
  std::unordered_map<std::string, std::list<Kept>::iterator> by_question_;
};

}  // namespace gantry::scheduling

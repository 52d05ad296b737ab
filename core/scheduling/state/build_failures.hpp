// SPDX-License-Identifier: Apache-2.0
//
// Which hosts have failed builds of which kind: a host that fails a kind of build again and again is avoided for it. A
// kind is a flavor or an image. Memory only, and bounded: a restart forgets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/fleet/records/records.hpp"

namespace gantry::scheduling {

// A host and a kind of build that it has failed within BuildFailures::memory.
struct FailedBuilds {
  std::string host;
  std::string kind;         // "flavor m1.large"
  std::size_t count = 0;    // number of failures; the latest 16 are counted
  std::int64_t since = 0;   // the first of them, nanoseconds since 1970
  bool is_avoided = false;  // the host is avoided for builds of this kind
};

// [any thread]
class BuildFailures {
 public:
  static constexpr std::size_t to_avoid = 3;  // so many failures within `memory` let a host be avoided
  static constexpr std::int64_t memory = 3600LL * 1'000'000'000;
  static constexpr std::size_t most = 10'000;  // pairs of a host and a kind; further ones are not noted

  void failed(const std::string& host, const std::vector<std::string>& kinds, std::int64_t now);
  // Forgets the host's failures of these kinds.
  void succeeded(const std::string& host, const std::vector<std::string>& kinds);
  // Forgets all failures of the host. Returns how many there were.
  std::size_t clear(const std::string& host);
  // Sorted by kind and host.
  std::vector<FailedBuilds> list(std::int64_t now) const;
  // Returns the hosts that are avoided for one of these kinds, each once.
  std::vector<FailedBuilds> avoided(const std::vector<std::string>& kinds, std::int64_t now) const;

 private:
  using Times = std::deque<std::int64_t>;  // the oldest first

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Times> failures_;  // by kind and host
};

// The kinds of an instance's build: its flavor and its image, as far as they have names.
std::vector<std::string> kinds_of_build(const std::string& flavor, const std::string& image);
std::vector<std::string> kinds_of_build(const fleet::Instance& instance);

// "c1 failed 3 builds of flavor m1.large since 10:02 UTC"
std::string sentence_of(const FailedBuilds& failed);

}  // namespace gantry::scheduling

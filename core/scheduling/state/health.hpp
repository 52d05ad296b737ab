// SPDX-License-Identifier: Apache-2.0
//
// The health of the service, in sentences for operators. A reason why the service is not ready keeps it from serving.
// A warning asks for somebody's attention: the service goes on, and a caller who went elsewhere would gain nothing.
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/fleet/fleet.hpp"

namespace gantry::scheduling {

struct State;

// Returns the number of rows of the view whose column `name`, of type bool, is true.
std::uint64_t count_true(const fleet::Moment& moment, const gantry_view& view, std::string_view name);

// [any thread]
class Health {
 public:
  using Warnings = std::function<std::vector<std::string>()>;

  // Adds a source of warnings about something that this folder does not know, such as a certificate.
  void add(Warnings source);

  // Returns why the service cannot serve. Empty: it can.
  std::vector<std::string> unready_reasons(const State& state) const;
  // Returns the warnings: a topic without a host that is up, those of the sources, and services that have not been
  // heard since the start and are believed to be up.
  std::vector<std::string> warnings(const State& state) const;
  // Logs each warning that is new, and each one that is over, since the call before. Leaves out those who are believed,
  // of whom the log told at the start. One thread at a time.
  void log_changes(const State& state);

 private:
  std::vector<std::string> lasting_warnings(const State& state) const;

  mutable std::mutex mutex_;
  std::vector<Warnings> sources_;
  std::set<std::string> logged_;  // the warnings of the last log_changes
};

}  // namespace gantry::scheduling

// SPDX-License-Identifier: Apache-2.0
//
// The result of one call into a driver. The structs say what the driver gave to the host's services.
#pragma once

#include <gantry/driver.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::testing {

// An amount of a named resource. Here and below, NaN stands for a number that the driver did not give.
struct claimed_item {
  std::string resource;
  double amount = 0;
  double limit = std::numeric_limits<double>::quiet_NaN();
};

// A pick or an alternate.
struct picked {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  std::string host;
  std::string node;
  double weight = std::numeric_limits<double>::quiet_NaN();
  double limit_vcpu = std::numeric_limits<double>::quiet_NaN();
  double limit_memory_mb = std::numeric_limits<double>::quiet_NaN();
  double limit_disk_gb = std::numeric_limits<double>::quiet_NaN();
  std::string other_limits;                 // limits.other of the pick
  std::vector<claimed_item> items;          // resources that are claimed beside the instance's own
  std::uint32_t group_limit = 0;            // 0 if the pick has no GANTRY_PICK_APART
  bool together = false;                    // true if the pick has GANTRY_PICK_TOGETHER
  std::vector<std::string> providers = {};  // by group, the candidate that is to be claimed; empty: left open
};

// An instance that gets no row, and why.
struct refused {
  std::uint32_t instance = 0;
  std::string reason;
};

// A step of the decision: see gantry_step.
struct explained {
  std::string name;
  std::uint64_t hosts_in = 0;
  std::uint64_t hosts_out = 0;
  std::string reason;
  std::uint32_t instance = 0;
};

// A filter's verdict on a host.
struct judged {
  std::string name;
  bool passed = false;
  std::string reason;
};

// A weigher's part of a host's weight: normalized * multiplier.
struct weighed {
  std::string name;
  double raw = 0;
  double normalized = 0;
  double multiplier = 0;
};

// The explanation of one host for one instance.
struct explained_host {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  std::string host;
  std::vector<judged> verdicts;
  std::vector<weighed> terms;
  std::optional<double> weight;
  std::optional<std::uint64_t> rank;
};

// One item of a claim that succeeded, made by the service claim.
struct claimed {
  std::uint32_t row = 0;
  std::string host;
  std::string consumer;
  std::string resource;
  double amount = 0;
  double limit = std::numeric_limits<double>::quiet_NaN();
};

// A cast to the service of a row.
struct casted {
  std::uint32_t row = 0;
  std::string host;
  std::string consumer;
  std::string method;
  std::string args;
};

// A line of the log.
struct logged {
  std::int32_t level = 0;
  std::string message;
};

// Everything that one call led to. `misuse` has a sentence for each violation of the ABI's rules, such as a pick of a
// row that does not exist. A call with a violation fails with GANTRY_INTERNAL, as in the real host, even if the driver
// returned GANTRY_OK. A call that fails leaves no picks, alternates, claims, casts or replies behind.
struct outcome {
  gantry_code code = GANTRY_OK;
  std::string sentence;       // the error's text, which the driver gave to fail(); else the first violation
  std::vector<picked> picks;  // picks whose claims succeeded; empty if the call failed
  std::vector<picked> lost;   // picks whose claims failed
  std::vector<picked> alternates;
  std::vector<refused> refusals;
  std::vector<explained> steps;
  std::vector<explained_host> host_explanations;
  std::vector<claimed> claims;
  std::vector<casted> casts;
  std::vector<logged> logs;
  std::vector<std::string> replies;   // the answer of call_method as JSON, at most one
  std::vector<std::string> rows;      // the hosts that hosts_up or group_hosts returned
  std::vector<std::uint64_t> counts;  // by row, as count_capacity returned them; empty if the call failed
  std::vector<std::string> misuse;

  // Returns the first step of that name. nullptr if there is none.
  const explained* step(std::string_view name) const {
    for (const explained& step : steps) {
      if (step.name == name) return &step;
    }
    return nullptr;
  }
  // nullptr if the driver did not explain the host for that instance.
  const explained_host* host_explanation(std::string_view host, std::uint32_t instance = 0) const {
    for (const explained_host& explanation : host_explanations) {
      if (explanation.host == host && explanation.instance == instance) return &explanation;
    }
    return nullptr;
  }
};

}  // namespace gantry::testing

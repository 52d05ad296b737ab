// SPDX-License-Identifier: Apache-2.0
//
// The result of one call into a driver.
#pragma once

#include <gantry/driver.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gantry::testing {

// An amount of a named resource. Here and below, a number that was not present is NaN.
struct claimed_item {
  std::string resource;
  double amount = 0;
  double limit = std::numeric_limits<double>::quiet_NaN();
};

struct picked {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  std::string host;
  std::string node;
  double weight = std::numeric_limits<double>::quiet_NaN();
  double limit_vcpu = std::numeric_limits<double>::quiet_NaN();
  double limit_memory_mb = std::numeric_limits<double>::quiet_NaN();
  double limit_disk_gb = std::numeric_limits<double>::quiet_NaN();
  std::string other_limits;
  std::vector<claimed_item> items;  // further resources, beside the instance's own
  std::uint32_t group_limit = 0;    // limit of GANTRY_PICK_APART; 0 without it
  bool together = false;            // GANTRY_PICK_TOGETHER
};

struct refused {
  std::uint32_t instance = 0;
  std::string reason;
};

struct explained {
  std::string name;
  std::uint64_t hosts_in = 0;
  std::uint64_t hosts_out = 0;
  std::string reason;
  std::uint32_t instance = 0;
};

struct judged {
  std::string name;
  bool passed = false;
  std::string reason;
};

struct weighed {
  std::string name;
  double raw = 0;
  double normalized = 0;
  double multiplier = 0;
};

// The explanation of one host, as the driver gave it.
struct explained_host {
  std::uint32_t instance = 0;
  std::uint32_t row = 0;
  std::string host;
  std::vector<judged> verdicts;
  std::vector<weighed> terms;
  std::optional<double> weight;
  std::optional<std::uint64_t> rank;
};

struct claimed {
  std::uint32_t row = 0;
  std::string host;
  std::string consumer;
  std::string resource;
  double amount = 0;
  double limit = std::numeric_limits<double>::quiet_NaN();
};

struct casted {
  std::uint32_t row = 0;
  std::string host;
  std::string consumer;
  std::string method;
  std::string args;
};

struct logged {
  std::int32_t level = 0;
  std::string message;
};

// Everything that a call led to. `misuse` lists violations of the ABI, e.g. a pick of a row that does not exist.
struct outcome {
  gantry_code code = GANTRY_OK;
  std::string sentence;       // given to fail
  std::vector<picked> picks;  // picks whose claims succeeded; empty if the call failed
  std::vector<picked> lost;   // picks whose claims failed
  std::vector<picked> alternates;
  std::vector<refused> refusals;
  std::vector<explained> steps;
  std::vector<explained_host> host_explanations;
  std::vector<claimed> claims;
  std::vector<casted> casts;
  std::vector<logged> logs;
  std::vector<std::string> replies;
  std::vector<std::string> rows;  // hosts of the rows that hosts_up or group_hosts returned
  std::vector<std::string> misuse;

  const explained* step(std::string_view name) const {
    for (const explained& step : steps) {
      if (step.name == name) return &step;
    }
    return nullptr;
  }
  const explained_host* host_explanation(std::string_view host, std::uint32_t instance = 0) const {
    for (const explained_host& explanation : host_explanations) {
      if (explanation.host == host && explanation.instance == instance) return &explanation;
    }
    return nullptr;
  }
};

}  // namespace gantry::testing

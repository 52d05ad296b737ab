// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/drivers/call/driver_call.hpp"

namespace gantry::bench {

// Takes what is picked; nothing is claimed.
class Taker : public drivers::Sink {
 public:
  explicit Taker(std::vector<std::uint32_t>& rows) : rows_(rows) {}
  gantry_code pick(const drivers::Pick& pick) override { return take(pick); }
  gantry_code alternate(const drivers::Pick& alternate) override { return take(alternate); }
  gantry_code refuse(std::uint32_t /*instance*/, std::string_view /*reason*/) override { return GANTRY_OK; }
  void explain(const gantry_step& /*step*/) override {}
  gantry_code explain_host(const gantry_host_explanation& /*explanation*/) override { return GANTRY_OK; }
  gantry_code claim(const gantry_claim& /*claim*/) override { return GANTRY_UNSUPPORTED; }
  gantry_code reply(std::string_view /*json*/) override { return GANTRY_UNSUPPORTED; }
  gantry_code cast(const gantry_cast& /*cast*/) override { return GANTRY_UNSUPPORTED; }

 private:
  gantry_code take(const gantry_pick& choice) {
    if (choice.instance == 0) rows_.push_back(choice.row);
    return GANTRY_OK;
  }
  std::vector<std::uint32_t>& rows_;
};

}  // namespace gantry::bench

// SPDX-License-Identifier: Apache-2.0
//
// The results and questions of a driver in the runner, on their way to the service.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/drivers/call/distant_fleet.hpp"
#include "core/drivers/call/sink.hpp"
#include "core/drivers/isolated/runner/runner_lane.hpp"

namespace gantry::drivers::isolated {

class RemoteSink final : public Sink {
 public:
  explicit RemoteSink(RunnerLane& lane) : lane_(lane) {}

  gantry_code pick(const gantry_pick& pick) override { return send(Record::pick, pick); }
  gantry_code alternate(const gantry_pick& alternate) override { return send(Record::alternate, alternate); }
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override;
  gantry_code explain_host(const gantry_host_explanation& explanation) override;
  gantry_code claim(const gantry_claim& claim) override;
  gantry_code reply(std::string_view json) override;
  gantry_code cast(const gantry_cast& cast) override;
  void explain(const gantry_step& step) override;

 private:
  gantry_code send(Record record, const gantry_pick& pick);

  RunnerLane& lane_;
};

class RemoteFleet final : public DistantFleet {
 public:
  explicit RemoteFleet(RunnerLane& lane) : lane_(lane) {}

  const gantry_view* view(std::string_view topic) override;
  const gantry_column* column(const gantry_view& view, std::string_view name) override;
  gantry_code locate(std::string_view uuid, gantry_location& location) override;
  gantry_code changes(const gantry_view& view, std::uint64_t since, std::uint32_t flags, std::uint32_t* rows,
                      std::uint64_t capacity, std::uint64_t& count) override;

 private:
  RunnerLane& lane_;
  std::map<std::string, const gantry_view*, std::less<>> views_;
  std::map<std::pair<const gantry_view*, std::string>, const gantry_column*> columns_;
};

}  // namespace gantry::drivers::isolated

// SPDX-License-Identifier: Apache-2.0
//
// The results and questions of a driver in the runner, on their way to the service.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/drivers/call/asker.hpp"
#include "core/drivers/call/distant_fleet.hpp"
#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/call/sink.hpp"
#include "core/drivers/isolated/runner/runner_lane.hpp"
#include "core/telemetry/counters.hpp"

namespace gantry::drivers::isolated {

class RemoteSink final : public Sink {
 public:
  explicit RemoteSink(RunnerLane& lane) : lane_(lane) {}

  gantry_code pick(const Pick& pick) override { return send(Record::pick, pick); }
  gantry_code alternate(const Pick& alternate) override;
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override;
  gantry_code explain_host(const gantry_host_explanation& explanation) override;
  gantry_code claim(const gantry_claim& claim) override;
  gantry_code reply(std::string_view json) override;
  gantry_code cast(const gantry_cast& cast) override;
  void explain(const gantry_step& step) override;

 private:
  gantry_code send(Record record, const Pick& pick);

  RunnerLane& lane_;
  std::map<std::uint32_t, std::size_t> alternates_;  // that were sent, by instance
};

// Writes what Record::done has: how the operation ended, what was added to the driver's counters, and the bitmap or the
// counts of the operation.
void write_end(MessageWriter& to, gantry_code code, const DriverCall& call,
               const std::vector<telemetry::Counters::Entry>& added, std::span<const std::byte> result);

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

class RemoteAsker final : public Asker {
 public:
  explicit RemoteAsker(RunnerLane& lane) : lane_(lane) {}

  ServiceAnswer ask(std::string_view name, std::string_view json) override;

 private:
  RunnerLane& lane_;
};

}  // namespace gantry::drivers::isolated

// SPDX-License-Identifier: Apache-2.0
//
// The hostile side of a lane: messages that an isolated driver may send in a call, one after the other, each behind its
// size in four bytes. A size above that of the input is what the lane's head says, and what lies there is the rest of the
// input. Eight bytes "@view@@@" stand for the address of the view. The results in the service's sink must hold what the
// host services promise. The outcome is over, answered or broken, that of the last message.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/isolated/lane_memory.hpp"
#include "core/drivers/isolated/served_call.hpp"
#include "core/encoding/utf8.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/fleet.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

using drivers::from_abi;
using drivers::isolated::Lane;
using drivers::isolated::LaneMemory;
using drivers::isolated::ServedCall;

constexpr fleet::Nanoseconds now = 1'790'000'000'000'000'000;

class StrictSink : public drivers::Sink {
 public:
  explicit StrictSink(const gantry_view& view) : view_(view) {}

  gantry_code pick(const drivers::Pick& pick) override { return take(pick); }
  gantry_code alternate(const drivers::Pick& alternate) override { return take(alternate); }
  gantry_code refuse(std::uint32_t /*instance*/, std::string_view reason) override {
    check_text(reason);
    return GANTRY_OK;
  }
  void explain(const gantry_step& step) override {
    check_text(from_abi(step.name));
    check_text(from_abi(step.reason));
  }
  gantry_code explain_host(const gantry_host_explanation& host) override {
    check_row(host.row);
    for (std::uint32_t at = 0; at < host.verdict_count; ++at) check_text(from_abi(host.verdicts[at].name));
    for (std::uint32_t at = 0; at < host.term_count; ++at) check_text(from_abi(host.terms[at].name));
    return GANTRY_OK;
  }
  gantry_code claim(const gantry_claim& claim) override {
    check_row(claim.row);
    check_text(from_abi(claim.consumer));
    check_items(claim.items, claim.item_count);
    return GANTRY_OK;
  }
  gantry_code reply(std::string_view json) override {
    check_text(json);
    return GANTRY_OK;
  }
  gantry_code cast(const gantry_cast& cast) override {
    check_row(cast.row);
    check_text(from_abi(cast.method));
    check_text(from_abi(cast.args));
    return GANTRY_OK;
  }

 private:
  static void check_text(std::string_view text) {
    if (!is_utf8(text)) broken("a text that is not UTF-8");
  }
  static void check_items(const gantry_claim_item* items, std::uint32_t count) {
    for (std::uint32_t at = 0; at < count; ++at) {
      check_text(from_abi(items[at].resource));
      if (!std::isfinite(items[at].amount) || items[at].amount < 0) broken("an amount that is no amount");
    }
  }
  void check_row(std::uint32_t row) const {
    if (row >= view_.rows) broken("a row that the view has not");
  }
  gantry_code take(const drivers::Pick& pick) {
    check_row(pick.row);
    check_items(pick.items, pick.item_count);
    std::uint64_t sum = 0;
    for (const auto provider : pick.providers) sum += provider;
    return sum % 3 == 1 ? GANTRY_CLAIM_LOST : GANTRY_OK;
  }

  const gantry_view& view_;
};

// A service with a fleet of three hosts, and the memory of a lane.
class Service {
 public:
  Service()
      : is_shared_(static_cast<bool>(fleet::share_cells())),
        fleet_(fleet::FleetSettings{}),
        host_("fuzzed", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()),
        lanes_(LaneMemory::make(1)) {
    if (!is_shared_ || !lanes_) broken("no shared memory");
    for (const std::string host : {"h1", "h2", "h3"}) {
      fleet::Service service;
      service.topic = "compute";
      service.host = host;
      service.last_seen_up = now;
      fleet_.put_service(service);
    }
    moment_ = fleet_.pin(now);
    context_.struct_size = sizeof(context_);
    if (moment_.view("compute") == nullptr) broken("no view");
  }

  std::string serve(std::span<const std::uint8_t> input) {
    const auto& view = *moment_.view("compute");
    StrictSink sink(view);
    drivers::DriverCallSettings settings;
    settings.moment = moment_;
    settings.context = &context_;
    settings.view = &view;
    settings.sink = &sink;
    settings.now = now;
    drivers::DriverCall call(settings);
    gantry_candidates candidates{};
    candidates.struct_size = sizeof(candidates);
    candidates.group_count = 2;
    call.offer(&candidates);
    std::vector<std::uint64_t> rows(1);
    ServedCall served(*host_.table(), call.handle(), lanes_->lane(1), std::as_writable_bytes(std::span(rows)));
    auto next = ServedCall::Next::answered;
    while (next == ServedCall::Next::answered && !input.empty()) {
      input = write_message(input);
      next = served.serve();
    }
    if (next == ServedCall::Next::broken && served.fault().empty()) broken("a refusal without a reason");
    if (next == ServedCall::Next::broken) return "broken";
    return next == ServedCall::Next::over ? "over" : "answered";
  }

 private:
  // Returns what is left of the input.
  std::span<const std::uint8_t> write_message(std::span<const std::uint8_t> input) {
    const Lane lane = lanes_->lane(1);
    std::uint32_t size = 0;
    const auto head = std::min(input.size(), sizeof(size));
    std::memcpy(&size, input.data(), head);
    input = input.subspan(head);
    const bool is_false = size > input.size();
    const auto bytes = is_false ? input : input.first(size);
    std::vector<std::uint8_t> message(bytes.begin(), bytes.end());
    put_address(message);
    std::ranges::copy(std::as_bytes(std::span(message)), lane.message().begin());
    // Larger ones than 16 MiB are but slow, and those that the lane has no room for are told apart by their size.
    constexpr std::uint64_t slow = std::uint64_t{1} << 24;
    const bool is_huge = size > slow;
    lane.set_bytes_of_message(is_huge ? std::numeric_limits<std::uint64_t>::max() - size : size);
    return input.subspan(bytes.size());
  }
  void put_address(std::vector<std::uint8_t>& message) const {
    constexpr std::string_view mark = "@view@@@";
    const auto address = reinterpret_cast<std::uintptr_t>(moment_.view("compute"));
    for (std::size_t at = 0; at + mark.size() <= message.size(); ++at)
      if (std::memcmp(message.data() + at, mark.data(), mark.size()) == 0)
        std::memcpy(message.data() + at, &address, sizeof(address));
  }

  const bool is_shared_;
  fleet::Fleet fleet_;
  fleet::Moment moment_;
  gantry_context context_{};
  drivers::HostServices host_;
  Result<LaneMemory> lanes_;
};

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  static Service service;
  return service.serve(input);
}

}  // namespace gantry::fuzz

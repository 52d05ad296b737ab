// SPDX-License-Identifier: Apache-2.0
//
// The transcript of a driver: all that the driver hands over, logs and counts, a line each.
#pragma once

#include <array>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/driver_call.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::museum {

// [any thread]
class Transcript {
 public:
  void add(const std::string& line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
  }
  void print() const {
    for (const std::string& line : lines_) std::printf("%s\n", line.c_str());
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

// Adds the lines that drivers log. Lines of the core have no place in a transcript.
class LogOfDrivers : public telemetry::Logger {
 public:
  explicit LogOfDrivers(Transcript& transcript) : transcript_(transcript) {}
  bool enabled(telemetry::Level level) const override { return level != telemetry::Level::debug; }
  telemetry::Level level() const override { return telemetry::Level::info; }
  void write(telemetry::Level level, std::string_view message, std::span<const telemetry::Field> fields) override {
    for (const telemetry::Field& field : fields)
      if (field.key != "driver" && field.key != "request_id") return;
    if (fields.empty() || fields.front().key != "driver") return;
    transcript_.add("  " + std::string(name_of(level)) + ": " + std::string(message));
  }
  Result<void> reopen() override { return {}; }

 private:
  Transcript& transcript_;
};

// The operations, by the results that they take.
enum class Operation { decision, method, capabilities, question };

// Adds the results of a call. A row whose number ends in 3 takes no pick. A result that the operation does not take is a
// misuse by the driver.
class Results : public drivers::Sink {
 public:
  Results(Transcript& transcript, Operation operation, const fleet::Moment& moment, const gantry_view& view)
      : transcript_(transcript), operation_(operation), moment_(moment), view_(view) {}

  gantry_code pick(const drivers::Pick& pick) override {
    return operation_ == Operation::decision ? choose("pick", pick) : Sink::pick(pick);
  }
  gantry_code alternate(const drivers::Pick& alternate) override {
    return operation_ == Operation::decision ? choose("alternate", alternate) : Sink::alternate(alternate);
  }
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override {
    if (operation_ != Operation::decision) return Sink::refuse(instance, reason);
    transcript_.add("  refuse " + std::to_string(instance) + " " + std::string(reason));
    return GANTRY_OK;
  }
  void explain(const gantry_step& step) override {
    transcript_.add("  step " + std::to_string(step.instance) + " " + text(step.name) + " " +
                    std::to_string(step.hosts_in) + " " + std::to_string(step.hosts_out) + " " + text(step.reason));
  }
  gantry_code explain_host(const gantry_host_explanation& host) override {
    std::string line = "  host " + name(host.row) + " present " + std::to_string(host.present) + number(host.weight) +
                       " rank " + std::to_string(host.rank);
    for (std::uint32_t at = 0; at < host.verdict_count; ++at)
      line += " " + text(host.verdicts[at].name) + "=" + std::to_string(host.verdicts[at].passed) + " '" +
              text(host.verdicts[at].reason) + "'";
    for (std::uint32_t at = 0; at < host.term_count; ++at)
      line += " " + text(host.terms[at].name) + number(host.terms[at].raw) + number(host.terms[at].normalized) +
              number(host.terms[at].multiplier);
    transcript_.add(line);
    return GANTRY_OK;
  }
  gantry_code claim(const gantry_claim& claim) override {
    if (operation_ != Operation::method) return Sink::claim(claim);
    if (is_full(claim.row)) return GANTRY_CLAIM_LOST;
    transcript_.add("  claim " + text(claim.consumer) + " on " + name(claim.row) +
                    items(claim.items, claim.item_count));
    return GANTRY_OK;
  }
  gantry_code reply(std::string_view json) override {
    if (operation_ != Operation::method && operation_ != Operation::capabilities) return Sink::reply(json);
    if (std::exchange(has_replied_, true)) return misused("a second reply");
    transcript_.add("  reply " + std::string(json));
    return GANTRY_OK;
  }
  gantry_code cast(const gantry_cast& cast) override {
    if (operation_ != Operation::method) return Sink::cast(cast);
    transcript_.add("  cast " + text(cast.method) + " to " + name(cast.row) + " for '" + text(cast.consumer) + "' " +
                    text(cast.args));
    return GANTRY_OK;
  }

 private:
  static bool is_full(std::uint32_t row) { return row % 10 == 3; }
  static std::string text(gantry_string value) { return std::string(drivers::from_abi(value)); }
  static std::string number(double value) {
    std::array<char, 40> digits{};
    std::snprintf(digits.data(), digits.size(), " %.17g", value);
    return digits.data();
  }
  static std::string items(const gantry_claim_item* items, std::uint32_t count) {
    std::string line;
    for (std::uint32_t at = 0; at < count; ++at) {
      line += " " + text(items[at].resource) + number(items[at].amount);
      if ((items[at].present & GANTRY_CLAIM_LIMIT) != 0) line += " of" + number(items[at].limit);
    }
    return line;
  }
  std::string name(std::uint32_t row) const {
    const fleet::RowName found = moment_.row_name(view_, row);
    return std::string(found.host) + (found.node.empty() ? "" : "/" + std::string(found.node));
  }
  gantry_code choose(const char* what, const drivers::Pick& pick) {
    if (is_full(pick.row)) return GANTRY_CLAIM_LOST;
    std::string line = "  " + std::string(what) + " " + std::to_string(pick.instance) + " " + name(pick.row);
    line += " present " + std::to_string(pick.present) + number(pick.weight) + number(pick.limits.vcpu) +
            number(pick.limits.memory_mb) + number(pick.limits.disk_gb) + " " + text(pick.limits.other);
    line += items(pick.items, pick.item_count) + " group " + std::to_string(pick.group_limit);
    for (const std::uint32_t provider : pick.providers) line += " provider " + std::to_string(provider);
    transcript_.add(line);
    return GANTRY_OK;
  }

  Transcript& transcript_;
  const Operation operation_;
  bool has_replied_ = false;
  const fleet::Moment& moment_;
  const gantry_view& view_;
};

}  // namespace gantry::museum

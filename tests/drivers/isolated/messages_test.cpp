// SPDX-License-Identifier: Apache-2.0
//
// The results of a driver arrive alike whether the driver calls the service itself or its calls travel as
// messages through a lane: the real writer of the runner on one thread, the real reader of the service on the other.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/isolated/runner/remote_sink.hpp"
#include "core/drivers/isolated/runner/runner_logger.hpp"
#include "core/drivers/isolated/served_call.hpp"
#include "tests/drivers/example_view.hpp"

namespace gantry::drivers::isolated {
namespace {

std::string exact(double number) {
  std::array<char, 64> digits{};
  return {digits.data(), static_cast<std::size_t>(std::snprintf(digits.data(), digits.size(), "%a", number))};
}

// Writes down all that reaches it, bit for bit. Every third pick and every fourth claim is lost.
class Transcript : public Sink {
 public:
  gantry_code pick(const Pick& pick) override {
    note("pick", pick);
    return ++picks_ % 3 == 0 ? GANTRY_CLAIM_LOST : GANTRY_OK;
  }
  gantry_code alternate(const Pick& alternate) override {
    note("alternate", alternate);
    return GANTRY_OK;
  }
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override {
    add("refuse", instance, reason);
    return GANTRY_OK;
  }
  gantry_code claim(const gantry_claim& claim) override {
    add("claim", claim.row, from_abi(claim.consumer));
    note_items(claim.items, claim.item_count);
    return ++claims_ % 4 == 0 ? GANTRY_CLAIM_LOST : GANTRY_OK;
  }
  gantry_code reply(std::string_view json) override {
    add("reply", json);
    return GANTRY_OK;
  }
  gantry_code cast(const gantry_cast& cast) override {
    add("cast", cast.row, from_abi(cast.consumer), from_abi(cast.method), from_abi(cast.args));
    return GANTRY_OK;
  }
  void explain(const gantry_step& step) override {
    add("explain", step.instance, from_abi(step.name), step.hosts_in, step.hosts_out, from_abi(step.reason));
  }
  gantry_code explain_host(const gantry_host_explanation& host) override {
    add("host", host.instance, host.row, host.present, host.weight, host.rank);
    for (std::uint32_t at = 0; at < host.verdict_count; ++at) {
      const auto& verdict = host.verdicts[at];
      add("verdict", from_abi(verdict.name), from_abi(verdict.reason), verdict.passed);
    }
    for (std::uint32_t at = 0; at < host.term_count; ++at) {
      const auto& term = host.terms[at];
      add("term", from_abi(term.name), term.raw, term.normalized, term.multiplier);
    }
    return GANTRY_OK;
  }

  template <class... Values>
  void add(Values... values) {
    (text.append(word(values)).append(" "), ...);
    text += "\n";
  }

  std::string text;

 private:
  template <class Value>
  static std::string word(const Value& value) {
    if constexpr (std::is_convertible_v<Value, std::string_view>) {
      return std::string(value);
    } else if constexpr (std::is_floating_point_v<Value>) {
      return exact(value);
    } else {
      return std::to_string(value);
    }
  }
  void note_items(const gantry_claim_item* items, std::uint32_t count) {
    for (std::uint32_t at = 0; at < count; ++at)
      add("item", from_abi(items[at].resource), items[at].amount, items[at].limit, items[at].present);
  }
  void note(const char* what, const Pick& choice) {
    const auto& limits = choice.limits;
    add(what, choice.instance, choice.row, choice.present, choice.weight, limits.vcpu, limits.memory_mb, limits.disk_gb,
        from_abi(limits.other), choice.group_limit);
    for (const auto provider : choice.providers) add("provider", provider);
    note_items(choice.items, choice.item_count);
  }

  int picks_ = 0;
  int claims_ = 0;
};

// Any result that a driver may give, within the bounds of driver.h and at them.
class AnyResults {
 public:
  static constexpr std::uint32_t groups = 64;

  explicit AnyResults(std::uint64_t seed) : random_(seed) {}

  // Calls one service. Returns its code.
  gantry_code give(const gantry_host& host, gantry_call* call) {
    switch (below(10)) {
      case 0:
      case 1: return give_pick(host, call, host.pick);
      case 2: return give_pick(host, call, host.alternate);
      case 3: return give_claim(host, call);
      case 4: return host.reply(call, to_abi(json()));
      case 5: return give_cast(host, call);
      case 6: host.refuse(call, number(), to_abi(words(below(3) == 0 ? 4096 : 40))); return GANTRY_OK;
      case 7: give_step(host, call); return GANTRY_OK;
      case 8: give_explanation(call); return GANTRY_OK;
      default: return give_words(host, call);
    }
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::uint32_t number() { return static_cast<std::uint32_t>(random_()); }
  // Mostly as short as it may be.
  std::uint64_t few(std::uint64_t least, std::uint64_t most) {
    switch (below(8)) {
      case 0: return most;
      case 1: return least + below(most - least + 1);
      default: return std::min(most, least + below(4));
    }
  }
  double amount() { return below(4) == 0 ? 0 : static_cast<double>(below(1 << 20)) / 8; }
  std::string words(std::uint64_t size) {
    std::string text;
    while (text.size() < size) text += static_cast<char>('a' + below(26));
    return text;
  }
  std::string json() { return R"({"a":")" + words(few(0, 5000)) + R"("})"; }

  std::vector<gantry_claim_item> items(std::uint64_t least) {
    std::vector<gantry_claim_item> items(few(least, 400));
    for (auto& item : items) {
      item.resource = keep(words(few(1, GANTRY_MOST_NAME_BYTES)));
      item.amount = amount();
      item.present = static_cast<std::uint32_t>(below(2)) * GANTRY_CLAIM_LIMIT;
      item.limit = amount();
    }
    return items;
  }
  gantry_string keep(std::string text) {
    kept_.push_back(std::make_unique<std::string>(std::move(text)));
    return to_abi(*kept_.back());
  }

  gantry_code give_pick(const gantry_host& host, gantry_call* call,
                        gantry_code (*service)(gantry_call*, const gantry_pick*)) {
    static_cast<void>(host);
    gantry_pick pick{};
    pick.struct_size = sizeof(pick);
    pick.instance = number();
    pick.row = static_cast<std::uint32_t>(below(ExampleView::rows));
    pick.present = number() & (GANTRY_LIMIT_VCPU | GANTRY_LIMIT_MEMORY_MB | GANTRY_LIMIT_DISK_GB | GANTRY_PICK_WEIGHT);
    pick.weight = -amount();
    pick.limits = {amount(), amount(), amount(), below(2) == 0 ? gantry_string{} : keep(json())};
    if (below(2) == 0) {
      std::array<std::uint32_t, groups> providers{};
      for (auto& provider : providers) provider = number();
      candidates_table()->choose(call, pick.instance, pick.row, providers.data(), groups);
    }
    const auto held = items(0);
    pick.items = held.data();
    pick.item_count = static_cast<std::uint32_t>(held.size());
    pick.item_stride = sizeof(gantry_claim_item);
    return service(call, &pick);
  }
  gantry_code give_claim(const gantry_host& host, gantry_call* call) {
    const auto held = items(1);
    gantry_claim claim{};
    claim.struct_size = sizeof(claim);
    claim.row = static_cast<std::uint32_t>(below(ExampleView::rows));
    claim.consumer = keep(words(few(1, GANTRY_MOST_NAME_BYTES)));
    claim.items = held.data();
    claim.item_count = static_cast<std::uint32_t>(held.size());
    claim.item_stride = sizeof(gantry_claim_item);
    return host.claim(call, &claim);
  }
  gantry_code give_cast(const gantry_host& host, gantry_call* call) {
    gantry_cast cast{};
    cast.struct_size = sizeof(cast);
    cast.row = static_cast<std::uint32_t>(below(ExampleView::rows));
    cast.consumer = keep(words(few(0, GANTRY_MOST_NAME_BYTES)));
    cast.method = keep(words(few(1, GANTRY_MOST_NAME_BYTES)));
    cast.args = keep(json());
    return host.cast(call, &cast);
  }
  void give_step(const gantry_host& host, gantry_call* call) {
    gantry_step step{};
    step.struct_size = sizeof(step);
    step.instance = number();
    step.name = keep(words(few(0, 300)));
    step.hosts_in = random_();
    step.hosts_out = random_();
    step.reason = keep(words(few(0, 4096)));
    host.explain(call, &step);
  }
  void give_explanation(gantry_call* call) {
    std::vector<gantry_verdict> verdicts(few(0, 1024));
    for (auto& verdict : verdicts) verdict = {keep(words(few(1, 20))), keep(words(few(0, 60))), number() % 2, 0};
    std::vector<gantry_term> terms(few(0, 1024));
    for (auto& term : terms) term = {keep(words(few(1, 20))), amount(), amount(), amount()};
    gantry_host_explanation host_explanation{};
    host_explanation.struct_size = sizeof(host_explanation);
    host_explanation.instance = number();
    host_explanation.row = static_cast<std::uint32_t>(below(ExampleView::rows));
    host_explanation.present = number() % 4;
    host_explanation.weight = amount();
    host_explanation.rank = random_();
    host_explanation.verdicts = verdicts.data();
    host_explanation.verdict_count = static_cast<std::uint32_t>(verdicts.size());
    host_explanation.verdict_stride = sizeof(gantry_verdict);
    host_explanation.terms = terms.data();
    host_explanation.term_count = static_cast<std::uint32_t>(terms.size());
    host_explanation.term_stride = sizeof(gantry_term);
    explain_table()->explain_host(call, &host_explanation);
  }
  gantry_code give_words(const gantry_host& host, gantry_call* call) {
    host.log(&host, call, static_cast<std::int32_t>(below(4)), to_abi(words(few(0, 4096))));
    host.count(&host, to_abi(words(few(1, 60))), 1 + below(100));
    return host.fail(call, GANTRY_INTERNAL, to_abi(words(few(0, 4096))));
  }

  std::mt19937_64 random_;
  std::vector<std::unique_ptr<std::string>> kept_;
};

class Messages : public ::testing::Test {
 protected:
  static constexpr int results_of_a_call = 60;

  Messages()
      : memory_(
            ::mmap(nullptr, Lane::size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
        lane_(reinterpret_cast<std::uintptr_t>(memory_)) {
    candidates_.struct_size = sizeof(candidates_);
    candidates_.group_count = AnyResults::groups;
  }
  ~Messages() override { ::munmap(memory_, Lane::size); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  // Adds the sentence and the counters of a call to the results that the service saw.
  static void note_end(Transcript& seen, const DriverCall& call, const telemetry::Counters& counters) {
    seen.add("failure", call.failure_code(), call.failure_sentence());
    seen.add("misuse", call.misuse());
    for (const auto& entry : counters.list()) seen.add(entry.name, entry.label, entry.value);
  }

  std::string told_directly(std::uint64_t seed) {
    const auto counters = std::make_shared<telemetry::Counters>();
    const HostServices host("zoo", telemetry::Logger::none(), counters);
    Transcript seen;
    DriverCall call(view_.call_settings(&seen));
    call.offer(&candidates_);
    codes_ = run(seed, *host.table(), call.handle());
    note_end(seen, call, *counters);
    return seen.text;
  }

  std::string told_in_messages(std::uint64_t seed) {
    const auto counters = std::make_shared<telemetry::Counters>();
    const HostServices host("zoo", telemetry::Logger::none(), counters);
    Transcript seen;
    DriverCall call(view_.call_settings(&seen));
    call.offer(&candidates_);
    lane_.pass_to(LaneTurn::runner);
    std::thread runner([this, seed] { run_apart(seed); });
    ServedCall served(*host.table(), call.handle(), lane_, {});
    auto next = ServedCall::Next::answered;
    while (next == ServedCall::Next::answered) {
      while (!lane_.wait_for(LaneTurn::service, Lane::TimePoint::max())) {
      }
      next = served.serve();
      lane_.pass_to(LaneTurn::runner);
    }
    EXPECT_EQ(next, ServedCall::Next::over) << served.fault();
    // A runner whose message is refused waits for an answer.
    while (next == ServedCall::Next::broken && !has_ended_) lane_.pass_to(LaneTurn::runner);
    runner.join();
    note_end(seen, call, *counters);
    return seen.text;
  }

  std::vector<gantry_code> codes_;
  std::vector<gantry_code> codes_apart_;

 private:
  static std::vector<gantry_code> run(std::uint64_t seed, const gantry_host& host, gantry_call* call) {
    AnyResults results(seed);
    std::vector<gantry_code> codes;
    for (int at = 0; at < results_of_a_call; ++at) codes.push_back(results.give(host, call));
    return codes;
  }

  // The runner's part of HostedDriver::run.
  void run_apart(std::uint64_t seed) {
    const auto logger = std::make_shared<RunnerLogger>();
    const auto counters = std::make_shared<telemetry::Counters>();
    const HostServices host("zoo", logger, counters);
    RunnerLane lane(lane_);
    const RunnerLogger::CallOfThread lines_of_this_thread(lane);
    RemoteSink sink(lane);
    DriverCall call(view_.call_settings(&sink));
    call.offer(&candidates_);
    codes_apart_ = run(seed, *host.table(), call.handle());
    lane.end(Record::done, [&](MessageWriter& to) { write_end(to, GANTRY_OK, call, counters->list(), {}); });
    has_ended_ = true;
  }

  ExampleView view_;
  gantry_candidates candidates_{};
  void* memory_;
  Lane lane_;
  std::atomic<bool> has_ended_{false};
};

TEST_F(Messages, CarryEveryResultThatADriverMayGive) {
  std::random_device device;
  for (int round = 0; round < 15; ++round) {
    const std::uint64_t seed = (std::uint64_t{device()} << 32) | device();
    const auto directly = told_directly(seed);
    const auto in_messages = told_in_messages(seed);
    ASSERT_EQ(directly, in_messages) << "seed " << seed;
    ASSERT_EQ(codes_, codes_apart_) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gantry::drivers::isolated

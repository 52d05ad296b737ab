// SPDX-License-Identifier: Apache-2.0
//
// A host for testing a driver without a daemon. Example:
//
//   gantry::testing::fake_host host({{"host-1"}, {"host-2"}});
//   host.needs = {"up", "disabled", "host"};  // the manifest's columns.needs
//   auto driver = host.create(*gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));
//   const auto outcome = driver->select_destinations({});
//   EXPECT_EQ(outcome.picks.at(0).host, "host-1");
//
// For one thread. As in the real host, claims last from call to call and a failed call releases its claims. A request
// of select_destinations without instance_uuids claims nothing.
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/capacity.h>
#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/testing/fake_call.hpp>
#include <gantry/testing/fake_request.hpp>
#include <gantry/testing/fake_services.hpp>
#include <gantry/testing/fake_state.hpp>
#include <gantry/testing/fake_view.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing {

class fake_driver;

class fake_host : public fake_state {
 public:
  explicit fake_host(std::vector<host_row> rows, const std::string& topic = "compute")
      : fake_state(topic, std::move(rows)), api_(services::table(*this)) {}

  // Creates a driver as `gantry reload` does: a second one while the first one works, which is destroyed then. A driver
  // that keeps its state in static variables does not survive that. The lines and counts of the first one are left out.
  // Returns nullptr if a create failed. `refusal` is the outcome of that create.
  std::unique_ptr<fake_driver> create(const gantry_driver_info& info);
  outcome refusal;

  const gantry_host& raw() const { return api_; }

 private:
  std::unique_ptr<fake_driver> create_one(const gantry_driver_info& info);

  services::host_table api_;
};

// A driver that a fake_host has created. The host outlives the driver.
class fake_driver {
 public:
  fake_driver(fake_host& host, const gantry_driver_ops& operations, gantry_driver* driver)
      : host_(host), operations_(operations), driver_(driver) {}
  ~fake_driver() { operations_.destroy(driver_); }
  fake_driver(const fake_driver&) = delete;
  fake_driver& operator=(const fake_driver&) = delete;

  outcome select_destinations(const fake_request& request) {
    return decide(operations_.select_destinations, request, true);
  }
  outcome schedule_run_instance(const fake_request& request) {
    return decide(operations_.schedule_run_instance, request, false);
  }

  outcome call_method(const std::string& method, const std::string& args) {
    const auto call = start();
    call->is_method = true;
    const std::vector<std::uint64_t> complete = call->view->complete(host_.needs);
    const gantry_method_call raw_call = {sizeof(gantry_method_call),
                                         0,
                                         gantry::raw(host_.topic()),
                                         gantry::raw(method),
                                         gantry::raw(args),
                                         &call->view->raw(),
                                         complete.data()};
    call->result.code = operations_.call_method(driver_, call->raw(), &raw_call);
    settle(call->result, false);
    services::keep_claims(host_, call->result, fake_request(), false);
    return std::move(call->result);
  }

  // The functions below return std::nullopt if the driver does not implement the operation, so that the host's default
  // would run.
  std::optional<outcome> hosts_up() {
    if (operations_.hosts_up == nullptr) return std::nullopt;
    const auto call = start();
    std::vector<std::uint64_t> rows(call->view->raw().rows / 64 + 1, 0);
    call->result.code = operations_.hosts_up(driver_, call->raw(), &call->view->raw(), rows.data());
    settle(call->result, false);
    name_rows(*call, rows);
    return std::move(call->result);
  }

  std::optional<outcome> group_hosts(const fake_group& group) {
    if (operations_.group_hosts == nullptr) return std::nullopt;
    const auto call = start();
    fake_request request;
    request.group = group;
    const gantry_request raw_request = request.raw(call->memory, call->view->raw(), nullptr);
    std::vector<std::uint64_t> rows(call->view->raw().rows / 64 + 1, 0);
    call->result.code =
        operations_.group_hosts(driver_, call->raw(), raw_request.group, &call->view->raw(), rows.data());
    settle(call->result, false);
    name_rows(*call, rows);
    return std::move(call->result);
  }

  // Asks for the extension gantry.capacity/1, with a request for one instance. std::nullopt if the driver does not offer
  // the extension.
  std::optional<outcome> count_capacity(const fake_request& request) {
    if (operations_.extension == nullptr) return std::nullopt;
    const auto* const table =
        static_cast<const gantry_capacity*>(operations_.extension(driver_, gantry::raw(GANTRY_CAPACITY_EXTENSION)));
    if (table == nullptr) return std::nullopt;
    const auto call = start();
    const std::vector<std::uint64_t> complete = call->view->complete(host_.needs);
    const gantry_request raw_request = request.raw(call->memory, call->view->raw(), complete.data());
    call->result.counts.resize(call->view->raw().rows);
    call->result.code = table->count(driver_, call->raw(), &raw_request, call->result.counts.data());
    settle(call->result, false);
    if (call->result.code != GANTRY_OK) call->result.counts.clear();
    return std::move(call->result);
  }

  std::optional<outcome> update_service_capabilities(const std::string& service, const std::string& host,
                                                     const std::string& capabilities) {
    if (operations_.update_service_capabilities == nullptr) return std::nullopt;
    const auto call = start();
    call->takes_capabilities = true;
    call->result.code = operations_.update_service_capabilities(driver_, call->raw(), gantry::raw(service),
                                                                gantry::raw(host), gantry::raw(capabilities));
    settle(call->result, false);
    return std::move(call->result);
  }

 private:
  using decision = gantry_code (*)(gantry_driver*, gantry_call*, const gantry_request*);

  std::unique_ptr<fake_call> start() {
    auto call = std::make_unique<fake_call>(host_.seed++);
    call->host = &host_;
    call->view = host_.view(host_.topic());
    call->context = host_.context.raw(call->memory);
    return call;
  }

  outcome decide(decision operation, const fake_request& request, bool all_or_nothing) {
    const auto call = start();
    const std::vector<std::uint64_t> complete = call->view->complete(host_.needs);
    const gantry_request raw_request = request.raw(call->memory, call->view->raw(), complete.data());
    call->request = &request;
    outcome& result = call->result;
    result.code = operation(driver_, call->raw(), &raw_request);
    check_answers(result, request, all_or_nothing);
    settle(result, !all_or_nothing);
    services::keep_claims(host_, result, request, !all_or_nothing);
    return std::move(result);
  }

  // Fails a call with a misuse, and takes back what a failed call did. `keeps_picks`: the answer "no valid host" keeps
  // the picks, as in schedule_run_instance.
  static void settle(outcome& result, bool keeps_picks) {
    if (!result.misuse.empty()) {
      result.code = GANTRY_INTERNAL;
      if (result.sentence.empty()) result.sentence = result.misuse.front();
    }
    const bool is_result = result.code == GANTRY_NO_VALID_HOST || result.code == GANTRY_CLAIM_LOST;
    if (result.code == GANTRY_OK || (keeps_picks && is_result)) return;
    result.picks.clear();
    result.alternates.clear();
    result.claims.clear();
    result.casts.clear();
    result.replies.clear();
  }

  // Notes a misuse if the driver returned GANTRY_OK without exactly one answer for each instance. A pick is an answer.
  // A refusal is an answer only if `all_or_nothing` is false.
  static void check_answers(outcome& result, const fake_request& request, bool all_or_nothing) {
    if (result.code != GANTRY_OK) return;
    std::vector<int> answers(request.instances, 0);
    for (const picked& pick : result.picks) ++answers[pick.instance];
    for (const refused& refusal : result.refusals) answers[refusal.instance] += all_or_nothing ? 100 : 1;
    for (std::size_t instance = 0; instance < answers.size(); ++instance) {
      if (answers[instance] == 1) continue;
      result.misuse.push_back("instance " + std::to_string(instance) + ": expected one " +
                              (all_or_nothing ? "pick" : "pick or refusal") + ", found " +
                              std::to_string(answers[instance] % 100) + " and " +
                              std::to_string(answers[instance] / 100) + " refusals");
    }
  }

  // Adds the hosts of the bitmap `rows` to the result.
  void name_rows(fake_call& call, const std::vector<std::uint64_t>& rows) {
    bits(rows.data(), call.view->raw().rows).for_each([&](std::uint32_t row) {
      call.result.rows.push_back(host_.row(row).host);
    });
  }

  fake_host& host_;
  const gantry_driver_ops& operations_;
  gantry_driver* driver_;
};

inline std::unique_ptr<fake_driver> fake_host::create(const gantry_driver_info& info) {
  const auto seed_of_create = seed;
  auto first_counters = counters;
  auto first_logs = logs;
  auto first = create_one(info);
  if (first == nullptr) return nullptr;
  seed = seed_of_create;
  counters.swap(first_counters);
  logs.swap(first_logs);
  auto driver = create_one(info);
  first_counters = counters;
  first_logs = logs;
  first.reset();
  counters.swap(first_counters);
  logs.swap(first_logs);
  return driver;
}

inline std::unique_ptr<fake_driver> fake_host::create_one(const gantry_driver_info& info) {
  fake_call call(seed++);
  call.host = this;
  call.context = context.raw(call.memory);
  const gantry_options raw_options = options.raw();
  gantry_driver* driver = nullptr;
  call.result.code = info.ops->create(&api_, call.raw(), &raw_options, &driver);
  refusal = std::move(call.result);
  if (refusal.code != GANTRY_OK) return nullptr;
  return std::make_unique<fake_driver>(*this, *info.ops, driver);
}

}  // namespace gantry::testing

// SPDX-License-Identifier: Apache-2.0
//
// Tests an offer, which is a filter or weigher of a library, without a daemon and without a driver. Example:
//
//   gantry::testing::fake_host host({{"host-1"}, {"host-2"}});
//   gantry::testing::fake_offer filter(host, *gantry_offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR), "RackFilter");
//   EXPECT_EQ(filter.keep({}).hosts, std::vector<std::string>{"host-1"});
//
// The host must outlive the offer. Rows without a value in one of the columns `needs` are removed first, as a driver
// removes them.
#pragma once

#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>
#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/testing/fake_host.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gantry::testing {

// The result of one run of a filter or weigher.
struct offer_outcome {
  gantry_code code = GANTRY_OK;
  std::string sentence;                         // the error's text, which the offer gave to fail()
  std::vector<std::string> hosts;               // filter: the hosts that passed, in the order of the rows
  std::map<std::string, gantry_limits> limits;  // filter: the limits that it set, by host
  std::string reason;                           // filter: its text that says why the other hosts did not pass
  std::map<std::string, double> scores;         // weigher: the raw score by host; hosts without a score are absent
};

// The offer `name` of a library.
class fake_offer {
 public:
  // Throws std::runtime_error if the offer does not exist or its create fails.
  fake_offer(fake_host& host, const gantry_offers_info& info, const std::string& name, fake_options options = {})
      : host_(host), offer_(find(info, name)), options_(std::move(options)), raw_options_(options_.raw()) {
    const auto call = start();
    const gantry_code code = common().create(&host_.raw(), call->raw(), &raw_options_, &instance_);
    if (code != GANTRY_OK) throw std::runtime_error(name + ", create: " + call->result.sentence);
  }
  ~fake_offer() { common().destroy(instance_); }
  fake_offer(const fake_offer&) = delete;
  fake_offer& operator=(const fake_offer&) = delete;

  std::vector<std::string> needs;  // columns.needs of the offer in the library's manifest

  // Runs the filter once for the whole request, not for a single instance.
  offer_outcome keep(const fake_request& request) {
    const auto& table = *static_cast<const gantry_filter_ops*>(offer_.table);
    const auto call = start();
    std::vector<std::uint64_t> rows = call->view->complete(needs);
    const std::vector<std::uint64_t> all = rows;
    const gantry_request raw_request = request.raw(call->memory, call->view->raw(), all.data());
    const gantry_filter_run run = {sizeof(gantry_filter_run), UINT32_MAX, 0, 0, &raw_request,
                                   &call->view->raw(),        rows.data()};
    offer_outcome outcome;
    outcome.code = table.keep(instance_, call->raw(), &run);
    if (outcome.code == GANTRY_OK) {
      bits(rows.data(), run.view->rows).for_each([&](std::uint32_t row) { add(outcome, table, *call, run, row); });
      outcome.reason = reason(table, *call, run, all);
    }
    outcome.sentence = call->result.sentence;
    return outcome;
  }

  // Runs the weigher once for the whole request, not for a single instance.
  offer_outcome weigh(const fake_request& request) {
    const auto& table = *static_cast<const gantry_weigher_ops*>(offer_.table);
    const auto call = start();
    const std::vector<std::uint64_t> rows = call->view->complete(needs);
    std::vector<std::uint64_t> present = rows;
    const gantry_request raw_request = request.raw(call->memory, call->view->raw(), rows.data());
    gantry_weigher_run run = {};
    run.struct_size = sizeof(run);
    run.instance = UINT32_MAX;
    run.request = &raw_request;
    run.view = &call->view->raw();
    run.rows = rows.data();
    run.raw = call->memory.array<double>(run.view->rows);
    run.present = present.data();
    offer_outcome outcome;
    outcome.code = table.weigh(instance_, call->raw(), &run);
    bits(present.data(), run.view->rows).for_each([&](std::uint32_t row) {
      outcome.scores[host_.row(row).host] = run.raw[row];
    });
    outcome.sentence = call->result.sentence;
    return outcome;
  }

 private:
  static gantry_offer find(const gantry_offers_info& info, const std::string& name) {
    const char* at = reinterpret_cast<const char*>(info.offers);
    for (std::uint32_t index = 0; index < info.offer_count; ++index, at += info.offer_stride) {
      const gantry_offer& offer = *reinterpret_cast<const gantry_offer*>(at);
      if (text(offer.name) == name) return offer;
    }
    throw std::runtime_error("expected an offer '" + name + "', found none of that name");
  }

  const gantry_offer_ops& common() const { return *static_cast<const gantry_offer_ops*>(offer_.table); }

  std::unique_ptr<fake_call> start() {
    auto call = std::make_unique<fake_call>(host_.seed++);
    call->host = &host_;
    call->view = host_.view(host_.topic());
    call->context = host_.context.raw(call->memory);
    return call;
  }

  void add(offer_outcome& outcome, const gantry_filter_ops& table, fake_call& call, const gantry_filter_run& run,
           std::uint32_t row) const {
    const std::string& host = host_.row(row).host;
    outcome.hosts.push_back(host);
    gantry_filter_limits limits = {};
    limits.struct_size = sizeof(limits);
    if (table.limits != nullptr && table.limits(instance_, call.raw(), &run, row, &limits) == GANTRY_OK &&
        limits.present != 0) {
      outcome.limits[host] = limits.limits;
      outcome.limits[host].other = {};  // its text is released when the call ends
    }
  }

  std::string reason(const gantry_filter_ops& table, fake_call& call, const gantry_filter_run& run,
                     std::vector<std::uint64_t> removed) const {
    for (std::size_t word = 0; word < removed.size(); ++word) removed[word] &= ~run.rows[word];
    gantry_filter_reason reason = {};
    reason.struct_size = sizeof(reason);
    if (table.reason == nullptr || table.reason(instance_, call.raw(), &run, removed.data(), &reason) != GANTRY_OK)
      return {};
    return std::string(text(reason.text));
  }

  fake_host& host_;
  gantry_offer offer_;
  fake_options options_;
  gantry_options raw_options_;
  gantry_offered* instance_ = nullptr;
};

}  // namespace gantry::testing

// SPDX-License-Identifier: Apache-2.0
//
// A call of the SDK's fake host on rows of a record, for code that is the driver's and not its entry.
#pragma once

#include <gantry/driver.hpp>
#include <gantry/testing/fake_host.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace filter_driver::parity {

class recorded_call {
 public:
  explicit recorded_call(std::vector<gantry::testing::host_row> rows) : host_(std::move(rows)), raw_(1) {
    raw_.host = &host_;
    raw_.view = host_.view(host_.topic());
    raw_.context = host_.context.raw(raw_.memory);
  }

  gantry::testing::fake_host& host() { return host_; }
  gantry::call& call() { return call_; }
  gantry::view view() const { return call_.view_of(raw_.view->raw()); }
  // `description` outlives the call.
  gantry::request request(const gantry::testing::fake_request& description) {
    complete_ = raw_.view->complete(host_.needs);
    raw_.request = &description;
    raw_request_ = description.raw(raw_.memory, raw_.view->raw(), complete_.data());
    return gantry::request(call_, raw_request_);
  }
  const gantry::testing::outcome& result() const { return raw_.result; }

 private:
  gantry::testing::fake_host host_;
  gantry::testing::fake_call raw_;
  gantry::call call_{host_.raw(), raw_.raw()};
  std::vector<std::uint64_t> complete_;
  gantry_request raw_request_ = {};
};

}  // namespace filter_driver::parity

// SPDX-License-Identifier: Apache-2.0
#include "rules/refusal.hpp"

#include <gantry/driver/failure.hpp>
#include <string>
#include <utility>

namespace filter_driver {

namespace {

class refusing_run final : public filter_run {
 public:
  refusing_run(std::string_view filter, const host_table& hosts, raised error)
      : filter_(filter), hosts_(hosts), error_(std::move(error)) {}

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) -> bool { refuse(filter_, hosts_, row, error_); });
  }

 private:
  std::string_view filter_;
  const host_table& hosts_;
  raised error_;
};

class refusing_weights final : public weigher_run {
 public:
  refusing_weights(std::string_view weigher, const host_table& hosts, raised error)
      : weigher_(weigher), hosts_(hosts), error_(std::move(error)) {}

  void weigh(const block& candidates, double* /*raw*/) override {
    candidates.for_each([&](std::uint32_t i) { refuse(weigher_, hosts_, candidates.first + i, error_); });
  }

 private:
  std::string_view weigher_;
  const host_table& hosts_;
  raised error_;
};

}  // namespace

void refuse(std::string_view filter, const host_table& hosts, std::uint32_t row, const raised& error) {
  throw gantry::failure(gantry::code::invalid_argument, std::string(filter) + ": host " + hosts.name_of(row) + ": " +
                                                            error.kind + ": " + error.sentence);
}

std::unique_ptr<filter_run> refuses_any(std::string_view filter, const host_table& hosts, raised error) {
  return std::make_unique<refusing_run>(filter, hosts, std::move(error));
}

std::unique_ptr<weigher_run> refuses_any_weight(std::string_view weigher, const host_table& hosts, raised error) {
  return std::make_unique<refusing_weights>(weigher, hosts, std::move(error));
}

}  // namespace filter_driver

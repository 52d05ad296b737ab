// SPDX-License-Identifier: Apache-2.0
//
// RetryFilter (Icehouse to Ussuri): a host that an earlier attempt of this request has tried fails. Attempts are
// pairs of a host and a node name.
#include <algorithm>
#include <utility>
#include <vector>

#include "filters/filters.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

class retry_run final : public filter_run {
 public:
  explicit retry_run(const question& asked) : hosts_(asked.hosts), tried_(*asked.request.retry_hosts) {
    std::vector<std::string> names;
    names.reserve(tried_.size());
    for (const auto& [host, node] : tried_) names.push_back(host);
    is_tried_ = hosts_.host.is_one_of(names);
  }

  std::string reason() override {
    std::vector<std::string> names;
    for (const auto& [host, node] : tried_) names.push_back(quoted(host));
    return "tried before for this request, as its retry says: " + listed(names);
  }

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) { return !is_tried_[hosts_.host.code(row)] || !is_pair(row); });
  }

 private:
  bool is_pair(std::uint32_t row) const {
    const auto host = hosts_.host[row];
    const auto node = hosts_.nodename[row];
    return std::any_of(tried_.begin(), tried_.end(),
                       [&](const auto& pair) { return host == pair.first && node == pair.second; });
  }

  const host_table& hosts_;
  const std::vector<std::pair<std::string, std::string>>& tried_;
  std::vector<bool> is_tried_;  // by code of a host name: whether a tried pair has this host
};

class retry final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& tried = asked.request.retry_hosts;
    if (!tried || tried->empty()) return nullptr;
    return std::make_unique<retry_run>(asked);
  }
};

}  // namespace

const filter_rule retry_filter{"RetryFilter", false, false, make_filter<retry>, "tried before for this request"};

}  // namespace filter_driver

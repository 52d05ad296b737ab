// SPDX-License-Identifier: Apache-2.0
//
// PciPassthroughFilter (from Icehouse on): the host's PCI pools must be able to serve the requests one
// after another, wherever their devices lie. A host without pci_stats fails them. From Antelope on, the pools must be able
// to serve them with the devices of one of the host's allocation candidates.
#include <gantry/driver/failure.hpp>

#include "filters/filters.hpp"
#include "pci/supply.hpp"
#include "python/python_text.hpp"
#include "rules/values_by_row.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

[[noreturn]] void refuse_pci(const std::string& whose, const raised& error) {
  throw gantry::failure(gantry::code::invalid_argument, whose + ": " + error.sentence);
}

using pools_read = outcome<std::optional<pci_pools>>;
using pools_by_row = values_by_row<std::shared_ptr<const pools_read>>;

// "vendor_id 8086, product_id 154d": the keys that tell devices apart.
std::string in_words(const std::vector<pci_value>& values) {
  std::string words;
  for (const auto& [key, value, lowered] : values) {
    if (key != "vendor_id" && key != "product_id" && key != "physical_network" && key != "dev_type") continue;
    words += (words.empty() ? "" : ", ") + key + " " + shortened(str_of(value));
  }
  return words;
}

class pci_passthrough_run final : public filter_run, private left_candidates::judge {
 public:
  pci_passthrough_run(const question& asked, pools_by_row& known, pci_requests requests)
      : hosts_(asked.hosts),
        known_(known),
        candidates_(asked.candidates),
        requests_(std::move(requests)),
        rules_(asked.options.compatibility) {}

  void keep(const block& candidates) override {
    row_keys documents;
    read_keys(hosts_.pci_stats, candidates, documents);
    const auto near =
        known_.hold({documents.data()}, candidates, [this](std::uint32_t row) { return read_pools(row); });
    candidates.keep_if([&](std::uint32_t row) {
      const auto& pools = near.values[row - candidates.first];
      if (!*pools) refuse_pci("host " + hosts_.name_of(row), pools->error());
      under_judgement_ = {row, pools.get()};
      const auto served = verdict_on_host();
      if (!served) refuse_pci("host " + hosts_.name_of(row), served.error());
      return *served;
    });
    under_judgement_ = {};
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    std::vector<std::string> wanted;
    for (const auto& request : requests_) {
      const auto& any_of = request.specifications;
      wanted.push_back(std::to_string(request.count) + " of {" + (any_of.empty() ? "" : in_words(any_of.front())) +
                       "}");
    }
    const auto read = read_pools(row);
    if (!*read) return std::nullopt;
    const auto& pools = **read;
    std::vector<std::string> free;
    for (std::size_t at = 0; pools && at < pools->size(); ++at)
      free.push_back(std::to_string((*pools)[at].count) + " of {" + in_words((*pools)[at].values) + "}");
    return mismatch{"PCI devices " + listed(wanted), free.empty() ? "none" : listed(free)};
  }

  claims_effect effect_of_claims() const override { return claims_effect::by_documents; }

  bool passes_with(std::uint32_t row, const host_documents& documents,
                   std::optional<numa_limits>& /*limits*/) override {
    const auto served = passes_pci_passthrough(documents.pools, requests_, rules_);
    if (!served) refuse_pci("host " + hosts_.name_of(row), served.error());
    return *served;
  }

 private:
  // Judges the host's candidates if they may make a difference.
  outcome<bool> verdict_on_host() {
    const auto& [row, pools] = under_judgement_;
    if (candidates_ == nullptr) return passes_pci_passthrough(**pools, requests_, rules_);
    if (!**pools || !candidates_->has_any(row)) return false;
    return candidates_->differ() ? candidates_->keep(row, *this) : passes_pci_passthrough(**pools, requests_, rules_);
  }

  outcome<bool> accepts(std::uint32_t row, const request_providers& providers) override {
    if (under_judgement_.pools != nullptr && under_judgement_.row == row)
      return passes_pci_passthrough(**under_judgement_.pools, requests_, rules_, &providers);
    const auto pools = read_pools(row);
    if (!*pools) return pools->error();
    return passes_pci_passthrough(**pools, requests_, rules_, &providers);
  }

  const pci_pools* pools_of(std::uint32_t /*row*/) override {
    const auto& pools = **under_judgement_.pools;
    return pools ? &*pools : nullptr;
  }

  std::shared_ptr<const pools_read> read_pools(std::uint32_t row) const {
    if (hosts_.pci_stats == nullptr) return std::make_shared<const pools_read>(std::optional<pci_pools>());
    return std::make_shared<const pools_read>(read_pci_pools(hosts_.pci_stats->at(row)));
  }

  // The host that keep() asks about. nullptr: it asks about none.
  struct judged_host {
    std::uint32_t row = 0;
    const pools_read* pools = nullptr;
  };

  const host_table& hosts_;
  pools_by_row& known_;
  left_candidates* const candidates_;
  judged_host under_judgement_;
  pci_requests requests_;
  release rules_;
};

class pci_passthrough final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    auto requests = read_pci_requests(asked.request.pci_requests);
    if (!requests) refuse_pci("the request", requests.error());
    if (requests->empty()) return nullptr;
    return std::make_unique<pci_passthrough_run>(asked, known_, std::move(*requests));
  }

 private:
  mutable pools_by_row known_;
};

}  // namespace

const filter_rule pci_passthrough_filter{"PciPassthroughFilter", false, false, make_filter<pci_passthrough>,
                                         "without the PCI devices that are asked for"};

}  // namespace filter_driver

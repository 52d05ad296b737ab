// SPDX-License-Identifier: Apache-2.0
//
// PciPassthroughFilter (Icehouse to Zed): the host's PCI pools must be able to serve the requests one
// after another, wherever their devices lie. A host without pci_stats fails them.
#include <gantry/driver/failure.hpp>

#include "filters/filters.hpp"
#include "pci/supply.hpp"
#include "rules/read_cache.hpp"

namespace filter_driver {

namespace {

[[noreturn]] void refuse_pci(const std::string& whose, const raised& error) {
  throw gantry::failure(gantry::code::invalid_argument, whose + ": " + error.sentence);
}

class pci_passthrough_run final : public filter_run {
 public:
  pci_passthrough_run(const question& asked, read_cache<pci_pools>& documents, pci_requests requests)
      : hosts_(asked.hosts),
        documents_(documents),
        requests_(std::move(requests)),
        rules_(asked.options.compatibility) {}

  void keep(const block& candidates) override {
    candidates.keep_if([&](std::uint32_t row) {
      const auto pools = documents_.find(hosts_.pci_stats, row);
      if (!*pools) refuse_pci("host " + hosts_.name_of(row), pools->error());
      const auto served = passes_pci_passthrough(**pools, requests_, rules_);
      if (!served) refuse_pci("host " + hosts_.name_of(row), served.error());
      return *served;
    });
  }

 private:
  const host_table& hosts_;
  read_cache<pci_pools>& documents_;
  pci_requests requests_;
  release rules_;
};

class pci_passthrough final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    auto requests = read_pci_requests(asked.request.pci_requests);
    if (!requests) refuse_pci("the request", requests.error());
    if (requests->empty()) return nullptr;
    return std::make_unique<pci_passthrough_run>(asked, documents_, std::move(*requests));
  }

 private:
  mutable read_cache<pci_pools> documents_{read_pci_pools};
};

}  // namespace

const filter_rule pci_passthrough_filter{"PciPassthroughFilter", false, false, make_filter<pci_passthrough>,
                                         "without the PCI devices that are asked for"};

}  // namespace filter_driver

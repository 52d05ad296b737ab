// SPDX-License-Identifier: Apache-2.0
//
// Hosts' NUMA topologies and PCI pools as they will be when all claims are fulfilled. A row without claims has the
// document that its host reported. A row with claims has a copy of this document with the claims added.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <gantry/driver.hpp>
#include <memory>
#include <optional>
#include <unordered_map>

#include "hosts/claimed_resources.hpp"
#include "hosts/host_table.hpp"

namespace filter_driver {

class claimed_documents final : public document_column {
 public:
  // Returns a copy of the document that the row's host reported, with the row's claims added.
  using change = boost::json::value (*)(const boost::json::value& reported, const claimed_resources& claims,
                                        std::uint32_t row);

  // `count` is the view's column of claims that decides whether a row has claims: claims.numa or claims.pci, 0 for a
  // row without claims. `reported` must outlive this object.
  claimed_documents(const document_column& reported, const gantry::view& view, const gantry::column<double>& count,
                    change with_claims)
      : reported_(reported), view_(view), count_(count), with_claims_(with_claims) {}

  const boost::json::value& at(std::uint32_t row) const override;
  std::uint64_t identity(std::uint32_t row) const override { return count_[row] > 0 ? 0 : reported_.identity(row); }
  void identities(std::uint32_t first, std::uint32_t count, std::uint64_t* into) const override {
    reported_.identities(first, count, into);
    for (std::uint32_t i = 0; i < count; ++i) into[i] = count_[first + i] > 0 ? 0 : into[i];
  }

 private:
  const document_column& reported_;
  const gantry::view view_;
  const gantry::column<double> count_;
  const change with_claims_;
  mutable std::optional<claimed_resources> claims_;
  mutable std::unordered_map<std::uint32_t, boost::json::value> made_;
};

// The changes for NUMA topologies and for PCI pools. A document that is null or cannot be read is copied without
// claims.
boost::json::value topology_with_claims(const boost::json::value& reported, const claimed_resources& claims,
                                        std::uint32_t row);
boost::json::value pools_with_claims(const boost::json::value& reported, const claimed_resources& claims,
                                     std::uint32_t row);

}  // namespace filter_driver

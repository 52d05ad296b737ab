// SPDX-License-Identifier: Apache-2.0
//
// One filter or weigher of a library, created for one driver. The driver calls it through a table of the host, so that
// failures and crashes name the offer instead of the driver. Internal to this folder.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/drivers/call/host_services.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/load/create_call.hpp"
#include "core/drivers/load/options.hpp"
#include "core/result.hpp"
#include "gantry/ext/filter.h"
#include "gantry/ext/weigher.h"

namespace gantry::drivers {

using OfferTable = std::variant<gantry_filter_ops, gantry_weigher_ops>;

// Refers to the library's manifest. Cannot move: driver and library hold addresses of its parts.
class LoadedOffer {
 public:
  // `table` has passed check_offer_table.
  LoadedOffer(const std::string& driver, const DriverFile& library, const OfferDeclaration& declared, const void* table,
              std::unique_ptr<HostServices> host, std::unique_ptr<Options> options);
  ~LoadedOffer();
  LoadedOffer(const LoadedOffer&) = delete;
  LoadedOffer& operator=(const LoadedOffer&) = delete;

  // [control] Creates the offer. Once.
  Result<void> create(CreateCall& call);

  const OfferDeclaration& declared() const { return declared_; }
  // Returns the description that the driver gets.
  gantry_offer_loaded entry();

  // The members below serve the functions of the table that the driver calls.
  static LoadedOffer& of(gantry_offered* offered) { return *reinterpret_cast<LoadedOffer*>(offered); }
  const std::string& driver() const { return driver_; }
  gantry_offered* instance() const { return instance_; }
  template <class Ops>
  const Ops& own() const {
    return std::get<Ops>(own_);
  }
  // The text for crash reports, e.g. "RackFilter of site_filters, keep". The operations are in the order of the table.
  enum Operation { keep_or_weigh, limits, reason };
  const std::string& name_of(Operation operation) const { return operations_[operation]; }
  const std::string& name() const { return name_; }

 private:
  std::string operation(std::string_view name) const;

  const std::string& driver_;
  const DriverFile& library_;
  const OfferDeclaration& declared_;
  const std::string name_;  // "RackFilter of site_filters"
  std::array<std::string, 3> operations_;
  const OfferTable own_;    // the table of the library
  const OfferTable shown_;  // the table that the driver gets
  std::unique_ptr<HostServices> host_;
  std::unique_ptr<Options> options_;
  std::vector<gantry_string> needs_;
  gantry_offered* instance_ = nullptr;
  bool is_created_ = false;
};

// Returns a table whose functions call those of `own` and name the offer in failures. A function that is NULL in `own`
// is NULL, and so are create and destroy.
OfferTable guard(const OfferTable& own);

}  // namespace gantry::drivers

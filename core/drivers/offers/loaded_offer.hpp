// SPDX-License-Identifier: Apache-2.0
//
// One filter or weigher of a library, created for one driver, and the table through which the driver calls it: a fault
// of the offer's is then told as the offer's, not as the driver's. Internal to this folder.
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

// Refers to the library's manifest. Stays where it is: driver and library hold addresses of its parts.
class LoadedOffer {
 public:
  // `table`: as check_offer_table passed it.
  LoadedOffer(const std::string& driver, const DriverFile& library, const OfferDeclaration& declared, const void* table,
              std::unique_ptr<HostServices> host, std::unique_ptr<Options> options);
  ~LoadedOffer();
  LoadedOffer(const LoadedOffer&) = delete;
  LoadedOffer& operator=(const LoadedOffer&) = delete;

  // [control] Once.
  Result<void> create(CreateCall& call);

  const OfferDeclaration& declared() const { return declared_; }
  // As the driver finds it.
  gantry_offer_loaded entry();

  // For the functions of the table.
  static LoadedOffer& of(gantry_offered* offered) { return *reinterpret_cast<LoadedOffer*>(offered); }
  const std::string& driver() const { return driver_; }
  gantry_offered* instance() const { return instance_; }
  template <class Ops>
  const Ops& own() const {
    return std::get<Ops>(own_);
  }
  // "RackFilter of site_filters, keep": what a crash report says. The operation is one of the table's, in its order.
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
  const OfferTable own_;    // the library's
  const OfferTable shown_;  // what the driver calls
  std::unique_ptr<HostServices> host_;
  std::unique_ptr<Options> options_;
  std::vector<gantry_string> needs_;
  gantry_offered* instance_ = nullptr;
  bool is_created_ = false;
};

// The table that calls an offer's own; what the library leaves NULL is NULL, and so are create and destroy.
OfferTable guard(const OfferTable& own);

}  // namespace gantry::drivers

// SPDX-License-Identifier: Apache-2.0
//
// An offer: one filter or weigher of a library, created for one driver. The driver calls the offer through a table of
// functions of the host, so that failures and crash reports name the offer. Internal to this folder.
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

// The functions of a filter or of a weigher.
using OfferTable = std::variant<gantry_filter_ops, gantry_weigher_ops>;

// The library's DriverFile must outlive the object. The object cannot move, because driver and library hold addresses
// of its parts.
class LoadedOffer {
 public:
  // `table`: the library's table of functions, which must have passed check_offer_table.
  LoadedOffer(const std::string& driver, const DriverFile& library, const OfferDeclaration& declared, const void* table,
              std::unique_ptr<HostServices> host, std::unique_ptr<Options> options);
  ~LoadedOffer();
  LoadedOffer(const LoadedOffer&) = delete;
  LoadedOffer& operator=(const LoadedOffer&) = delete;

  // [control] Calls the offer's create. Must be called once.
  Result<void> create(CreateCall& call);

  const OfferDeclaration& declared() const { return declared_; }
  // Returns the description of the offer that the driver gets. The description refers to the object.
  gantry_offer_loaded entry();

  // The members below are for the functions of the host that the driver calls.
  static LoadedOffer& of(gantry_offered* offered) { return *reinterpret_cast<LoadedOffer*>(offered); }
  const std::string& driver() const { return driver_; }
  // The library's own object, made by create.
  gantry_offered* instance() const { return instance_; }
  // Returns the library's table of functions. `Ops` must be its type.
  template <class Ops>
  const Ops& own() const {
    return std::get<Ops>(own_);
  }
  // The functions of a filter or weigher, in the order of its table.
  enum Operation { keep_or_weigh, limits, reason };
  // Returns the text for crash reports, e.g. "RackFilter of site_filters, keep".
  const std::string& name_of(Operation operation) const { return operations_[operation]; }
  const std::string& name() const { return name_; }
  const std::string& path() const { return library_.path; }  // the library's file

 private:
  std::string operation(std::string_view name) const;

  const std::string& driver_;
  const DriverFile& library_;
  const OfferDeclaration& declared_;
  const std::string name_;                 // "RackFilter of site_filters"
  std::array<std::string, 3> operations_;  // the texts of name_of
  const OfferTable own_;                   // the table of the library
  const OfferTable shown_;                 // the table that the driver gets
  std::unique_ptr<HostServices> host_;
  std::unique_ptr<Options> options_;
  std::vector<gantry_string> needs_;
  gantry_offered* instance_ = nullptr;
  bool is_created_ = false;
};

// Returns the table that a driver gets. Its functions call the functions of `own` and name the offer in failures. A
// function that is NULL in `own` is NULL in the result. create and destroy are NULL, because only the host calls them.
OfferTable guard(const OfferTable& own);

}  // namespace gantry::drivers

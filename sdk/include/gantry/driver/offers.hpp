// SPDX-License-Identifier: Apache-2.0
//
// The filters and weighers that a driver finds in libraries, and functions to call the filters and weighers. The
// driver's section of the configuration names the libraries.
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>
#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/call.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/driver/view.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gantry {

// The list of the offers of all libraries. Valid from the driver's create to its destroy: a driver may keep the list.
class offers {
 public:
  explicit offers(const host& host) noexcept
      : raw_(static_cast<const gantry_offers*>(host.extension(GANTRY_OFFERS_EXTENSION))) {}

  std::size_t size() const noexcept { return raw_ == nullptr ? 0 : raw_->offer_count; }
  const gantry_offer_loaded& operator[](std::size_t index) const noexcept {
    return *reinterpret_cast<const gantry_offer_loaded*>(reinterpret_cast<const char*>(raw_->offers) +
                                                         index * raw_->offer_stride);
  }

 private:
  const gantry_offers* raw_;
};

// The common part of offered_filter and offered_weigher. Ops is the kind's table.
template <class Ops>
class offered {
 public:
  explicit offered(const gantry_offer_loaded& raw) noexcept : raw_(&raw) {}

  std::string_view name() const noexcept { return text(raw_->name); }
  std::string_view library() const noexcept { return text(raw_->library); }
  const gantry_offer_loaded& raw() const noexcept { return *raw_; }
  const Ops& table() const noexcept { return *static_cast<const Ops*>(raw_->table); }

  // Removes the rows without a value in one of the columns that the offer needs.
  void keep_complete(const call& call, const view& view, bitmap& rows) const noexcept {
    const gantry_host& host = call.host().raw();
    for (const gantry_string need : each(raw_->needs)) {
      const gantry_column* column = host.column(call.raw(), &view.raw(), need);
      for (std::size_t word = 0; word < rows.word_count(); ++word) {
        if (column == nullptr) rows.words()[word] = 0;
        if (column != nullptr && column->validity != nullptr) rows.words()[word] &= column->validity[word];
      }
    }
  }

 protected:
  // Throws host_failure unless the code is ok. The offer has already told the host a sentence. A code with which no
  // operation may end is the offer's own fault: a failure with code::internal that names the offer.
  void expect_ok(gantry_code code) const {
    switch (code) {
      case GANTRY_OK: return;
      case GANTRY_NO_VALID_HOST:
      case GANTRY_INVALID_ARGUMENT:
      case GANTRY_UNSUPPORTED:
      case GANTRY_DEADLINE_EXCEEDED:
      case GANTRY_RESOURCE_EXHAUSTED:
      case GANTRY_INTERNAL: throw host_failure(static_cast<gantry::code>(code), std::string(name()));
      default:
        throw failure(gantry::code::internal, std::string(name()) + " of " + std::string(library()) +
                                                  ": expected a code with which an operation may end, found " +
                                                  std::to_string(code));
    }
  }

 private:
  const gantry_offer_loaded* raw_;
};

// An offer of kind GANTRY_FILTER_KIND, a filter. A failure of the filter is thrown as host_failure, which ends the
// driver's operation.
class offered_filter : public offered<gantry_filter_ops> {
 public:
  using offered::offered;

  bool once_per_request() const noexcept { return (table().flags & GANTRY_FILTER_ONCE_PER_REQUEST) != 0; }
  bool on_rebuild() const noexcept { return (table().flags & GANTRY_FILTER_ON_REBUILD) != 0; }

  // Removes the rows that do not pass from run.rows. Call keep_complete first.
  void keep(const call& call, const gantry_filter_run& run) const {
    expect_ok(table().keep(raw().instance, call.raw(), &run));
  }
  // Returns the limits that the filter sets for a row. `present` of the result is 0 if the filter sets none.
  gantry_filter_limits limits(const call& call, const gantry_filter_run& run, std::uint32_t row) const {
    gantry_filter_limits found = {};
    found.struct_size = sizeof(found);
    if (table().limits != nullptr) expect_ok(table().limits(raw().instance, call.raw(), &run, row, &found));
    return found;
  }
  // Returns why rows did not pass. All fields are empty if the filter gives no reason. `removed` is the bitmap of the
  // rows that keep has removed.
  gantry_filter_reason reason(const call& call, const gantry_filter_run& run, const std::uint64_t* removed) const {
    gantry_filter_reason found = {};
    found.struct_size = sizeof(found);
    if (table().reason != nullptr) expect_ok(table().reason(raw().instance, call.raw(), &run, removed, &found));
    return found;
  }
};

// An offer of kind GANTRY_WEIGHER_KIND, a weigher. A failure of the weigher is thrown as host_failure, which ends the
// driver's operation.
class offered_weigher : public offered<gantry_weigher_ops> {
 public:
  using offered::offered;

  std::string_view multiplier_name() const noexcept { return text(table().multiplier_name); }
  // Returns the value of the weigher's option for the multiplier, or the weigher's own multiplier if there is no such
  // option. A multiplier in the metadata of aggregates is not taken into account: the driver looks it up itself.
  double multiplier() const noexcept {
    const char* at = reinterpret_cast<const char*>(raw().options->options);
    for (std::uint64_t index = 0; index < raw().options->option_count; ++index, at += raw().options->option_stride) {
      const gantry_option& option = *reinterpret_cast<const gantry_option*>(at);
      if (!multiplier_name().empty() && text(option.name) == multiplier_name()) return option.real;
    }
    return table().multiplier;
  }

  // Writes the scores of run.rows to run.raw. Call keep_complete first.
  void weigh(const call& call, gantry_weigher_run& run) const {
    expect_ok(table().weigh(raw().instance, call.raw(), &run));
  }
};

}  // namespace gantry

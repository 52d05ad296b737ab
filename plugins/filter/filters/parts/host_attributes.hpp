// SPDX-License-Identifier: Apache-2.0
//
// The attributes of Nova's HostState by name, for the filters whose requests name them: the rows of a host table, one at
// a time.
//
// What Python shows of an object and no JSON value has is not offered: pci_stats is the list of its pools, metrics the
// dict of its values, aggregates a list of dicts, instances a dict of dicts, service a dict with `disabled` and `host`,
// `updated` always None. Methods, which getattr() finds too, are missing here: a query that names one is a mistake.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hosts/host_table.hpp"
#include "nova/attributes.hpp"
#include "nova/release.hpp"

namespace filter_driver {

class host_attributes final : public attributes {
 public:
  // Only `names` can be asked for. The table outlives this.
  host_attributes(const host_table& hosts, release release, std::span<const std::string> names);

  // find() is of this row from now on; what it returned before is no longer valid.
  void go_to(std::uint32_t row);

  const boost::json::value* find(std::string_view name) const override;

  std::size_t count() const { return slots_.size(); }
  // Whether find() was asked for it since go_to(). `at`: which of the names, here and below.
  bool was_asked(std::size_t at) const { return slots_[at].is_asked; }

  // A number of the row's value: rows with equal numbers hold equal values. False: of this one no number is known.
  bool identity(std::size_t at, std::uint64_t& number) const;

 private:
  enum class made_up { limits, updated, service, aggregates, instances };
  // Icehouse counts instances under keys of stats that begin so.
  struct counts {
    std::string_view prefix;
  };
  struct real {
    number_column host_table::*column;
  };
  using source = std::variant<std::monostate, text_codes host_table::*, number_column host_table::*, real,
                              const document_column * host_table::*, made_up, counts>;
  struct named {
    std::string name;
    source from;
    bool is_asked = false;
    bool is_made = false;  // `value` is the row's
    boost::json::value value;
  };
  struct offered;

  static source source_of(std::string_view name, release release);
  void make(named& slot) const;
  void make_text(named& slot, const text_codes& column) const;
  boost::json::value number(const number_column& column, bool is_real) const;
  boost::json::value service() const;
  boost::json::value aggregates() const;
  boost::json::value instances() const;
  boost::json::value counted(std::string_view prefix) const;

  const host_table& hosts_;
  std::uint32_t row_ = 0;
  mutable std::vector<named> slots_;  // find() makes values where they are asked for
};

}  // namespace filter_driver

// SPDX-License-Identifier: Apache-2.0
//
// The attributes of Nova's HostState by name, for filters whose requests name them. Reads one row of a host table at
// a time.
//
// Python objects without a JSON form are simplified: pci_stats is the list of its pools, metrics the dict of its
// values, aggregates a list of dicts, instances a dict of dicts, service a dict with `disabled` and `host`, `updated`
// always None. Methods, which getattr() also finds, are missing, because a query that names a method is a mistake.
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
#include "rules/filter.hpp"

namespace filter_driver {

class host_attributes final : public attributes {
 public:
  // find() finds only the attributes in `names`. The table must outlive this object.
  host_attributes(const host_table& hosts, release release, std::span<const std::string> names);

  // Makes find() read this row from now on. Values that find() returned before become invalid.
  void go_to(std::uint32_t row);

  const boost::json::value* find(std::string_view name) const override;

  std::size_t count() const { return slots_.size(); }
  // Returns what a claim changes in the values of the attributes.
  claims_effect effect_of_claims() const;
  // Returns whether find() was called for the attribute since the last go_to(). Here and in identity(), `at` is the
  // attribute's index in the constructor's `names`.
  bool was_asked(std::size_t at) const { return slots_[at].is_asked; }

  // Sets `number` to an id of the attribute's value on the row. Rows with equal ids have equal values of this
  // attribute. Returns false if the value has no id.
  bool identity(std::size_t at, std::uint64_t& number) const;

 private:
  // Attributes without a column of their own.
  enum class made_up { limits, updated, service, aggregates, instances };
  // Icehouse counts instances under keys of `stats` with this prefix.
  struct counts {
    std::string_view prefix;
  };
  // A number that is a float in Python, even if it is whole.
  struct real {
    number_column host_table::*column;
  };
  using source = std::variant<std::monostate, text_codes host_table::*, number_column host_table::*, real,
                              const document_column * host_table::*, made_up, counts>;
  struct named {
    std::string name;
    source from;
    bool is_asked = false;
    bool is_made = false;  // `value` belongs to the current row
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
  mutable std::vector<named> slots_;  // find() builds values on demand
};

}  // namespace filter_driver

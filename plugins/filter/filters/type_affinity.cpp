// SPDX-License-Identifier: Apache-2.0
//
// TypeAffinityFilter (Icehouse to Rocky): a host passes if all of its instances have the request's flavor. Flavors
// compare by id, or by name if only names are known. An instance whose flavor is unknown counts as one of another
// flavor. In Icehouse, where the database compares, it does not count.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

class type_affinity_run final : public filter_run {
 public:
  explicit type_affinity_run(const question& asked)
      : instances_(*asked.hosts.instances),
        wanted_(*asked.request.flavor),
        unknown_counts_(asked.options.compatibility->unknown_flavors_differ) {}

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) {
      bool has_other = false;
      instances_.for_each(
          row, [&](std::string_view /*uuid*/, const instance_type& type) { has_other = has_other || is_other(type); });
      return !has_other;
    });
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    std::vector<std::string> others;
    instances_.for_each(row, [&](std::string_view /*uuid*/, const instance_type& type) {
      if (!is_other(type)) return;
      auto name = type.name.empty() ? std::string("an unknown one") : quoted(type.name);
      if (std::find(others.begin(), others.end(), name) == others.end()) others.push_back(std::move(name));
    });
    return mismatch{"only instances of flavor " + quoted(wanted_.name), listed(others)};
  }

 private:
  bool is_other(const instance_type& type) const {
    if (type.is_the_requests) return false;
    if (!type.id && !type.name.empty()) return type.name != wanted_.name;
    return (type.id || unknown_counts_) && type.id != wanted_.id;
  }

  const instance_column& instances_;
  const flavor_facts& wanted_;
  bool unknown_counts_;
};

class type_affinity final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    flavor_for("TypeAffinityFilter", asked);
    if (asked.hosts.instances == nullptr) return nullptr;
    return std::make_unique<type_affinity_run>(asked);
  }
};

}  // namespace

const filter_rule type_affinity_filter{
    "TypeAffinityFilter", false, false, make_filter<type_affinity>, "runs instances of another flavor", true};

}  // namespace filter_driver

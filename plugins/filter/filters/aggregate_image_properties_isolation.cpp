// SPDX-License-Identifier: Apache-2.0
//
// AggregateImagePropertiesIsolation (from Icehouse on): an aggregate's metadata whose key is the name of a property
// that the image has must list the image's value. With aggregate_image_properties_isolation_namespace only keys that
// begin with it and the separator count (and are the property's whole name). From Ocata on the value counts as str()
// writes it and the metadata are split at commas; Icehouse compares texts as they are, so that other values never
// match.
#include <algorithm>

#include "filters/filters.hpp"
#include "nova/comma_list.hpp"
#include "python/python_text.hpp"
#include "python/python_value.hpp"
#include "rules/refusal.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view aggregate_image_properties_isolation_name = "AggregateImagePropertiesIsolation";

struct wanted_property {
  std::string key;
  std::optional<std::string> value;  // nullopt: differs from every text
  std::optional<raised> error;       // the error that reading the value raises
};

class image_properties_run final : public aggregate_run {
 public:
  image_properties_run(const question& asked, std::vector<wanted_property> wanted)
      : aggregate_run(asked),
        hosts_(asked.hosts),
        wanted_(std::move(wanted)),
        splits_(asked.options.compatibility->splits_aggregate_values) {}

 protected:
  bool passes(const members& aggregates) override {
    return std::all_of(wanted_.begin(), wanted_.end(),
                       [&](const wanted_property& each) { return allows(aggregates, each); });
  }

  mismatch lack_of(const members& aggregates) override {
    for (const auto& each : wanted_)
      if (!allows(aggregates, each))
        return {
            "a host for images with " + shortened(each.key) + " " + (each.value ? quoted(*each.value) : "of its kind"),
            values_of(aggregates, each.key)};
    return {};
  }

 private:
  bool allows(const members& aggregates, const wanted_property& wanted) const {
    bool is_restricted = false;
    for (const auto* const each : aggregates) {
      const auto options = each->find(wanted.key);
      if (!options) continue;
      if (wanted.error) refuse(aggregate_image_properties_isolation_name, hosts_, row(), *wanted.error);
      is_restricted = true;
      if (wanted.value && (splits_ ? has_item(*options, *wanted.value) : *options == *wanted.value)) return true;
    }
    return !is_restricted;
  }

  const host_table& hosts_;
  std::vector<wanted_property> wanted_;
  bool splits_;
};

class aggregate_image_properties_isolation final : public filter {
 public:
  explicit aggregate_image_properties_isolation(const settings& options)
      : prefix_(prefix_of(options)), compares_texts_(options.compatibility->image_properties_are_objects) {}

  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (!asked.request.image) return nullptr;
    std::vector<wanted_property> wanted;
    for (const auto& [key, value] : asked.request.image->properties) {
      if (std::string_view(key).starts_with(prefix_) && is_true(value)) wanted.push_back(wanted_of(key, value));
    }
    if (wanted.empty()) return nullptr;
    return std::make_unique<image_properties_run>(asked, std::move(wanted));
  }

 private:
  static std::string prefix_of(const settings& options) {
    const auto& space = options.aggregate_image_properties_isolation_namespace;
    if (space.empty()) return {};
    return space + options.aggregate_image_properties_isolation_separator;
  }

  wanted_property wanted_of(std::string_view key, const boost::json::value& value) const {
    wanted_property wanted{std::string(key), std::nullopt, std::nullopt};
    if (compares_texts_ || value.is_string())
      wanted.value = str_of(value);
    else if (value.is_array() || value.is_object())
      wanted.error = raised{
          "TypeError", "image property " + wanted.key + ": unhashable type: '" + std::string(type_name(value)) + "'"};
    return wanted;
  }

  std::string prefix_;
  bool compares_texts_;
};

}  // namespace

const filter_rule aggregate_image_properties_isolation_filter{
    aggregate_image_properties_isolation_name, true, true, make_filter<aggregate_image_properties_isolation>,
    "the host's aggregates keep it for images with other properties"};

}  // namespace filter_driver

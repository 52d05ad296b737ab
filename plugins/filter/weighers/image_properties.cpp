// SPDX-License-Identifier: Apache-2.0
//
// ImagePropertiesWeigher (from Epoxy on): how many instances of the host have the image properties of the request, each
// with the factor of image_props_weight_setting, or 1 if the setting is empty. Its multiplier is 0 by default, and an
// aggregate's own counts only if the configured one is not 0. A positive one packs like images, a negative one spreads
// them.
#include <map>
#include <string>
#include <vector>

#include "nova/image_values.hpp"
#include "rules/values_by_row.hpp"
#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

// A property of the request, and its factor.
struct wanted_value {
  std::string name;
  std::string value;
  double factor = 1.0;
};

using counts_by_row = values_by_row<image_counts>;

class image_properties_run final : public weigher_run {
 public:
  image_properties_run(const document_column& hosts, std::vector<wanted_value> wanted, counts_by_row& known)
      : hosts_(hosts), wanted_(std::move(wanted)), known_(known) {}

  void weigh(const block& candidates, double* raw) override {
    row_keys cells;
    read_keys(&hosts_, candidates, cells);
    const auto held = known_.hold({cells.data()}, candidates,
                                  [this](std::uint32_t row) { return read_image_counts(hosts_.at(row)); });
    candidates.for_each([&](std::uint32_t i) { raw[i] = weight_of(held.values[i]); });
  }

 private:
  double weight_of(const image_counts& counts) const {
    double sum = 0;
    for (const auto& wanted : wanted_) {
      const auto values = counts.find(wanted.name);
      if (values == counts.end()) continue;
      const auto found = values->second.find(wanted.value);
      if (found != values->second.end()) sum += wanted.factor * static_cast<double>(found->second);
    }
    return sum;
  }

  const document_column& hosts_;
  const std::vector<wanted_value> wanted_;  // in the order of names
  counts_by_row& known_;
};

class image_properties_weighing final : public weigher {
 public:
  explicit image_properties_weighing(const settings& options)
      : is_off_(options.image_props_weight_multiplier == 0), has_factors_(!options.image_props_weight_setting.empty()) {
    // The last of a name counts.
    for (const auto& each : options.image_props_weight_setting) factors_[each.name] = each.ratio;
  }

  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    if (is_off_ || asked.hosts.image_properties == nullptr || !asked.request.image) return nullptr;
    std::vector<wanted_value> wanted;
    for (auto& [name, value] : read_image_values(asked.request.image->properties)) {
      const auto factor = factors_.find(name);
      if (!has_factors_ || factor != factors_.end())
        wanted.push_back({name, value, has_factors_ ? factor->second : 1.0});
    }
    if (wanted.empty()) return nullptr;
    return std::make_unique<image_properties_run>(*asked.hosts.image_properties, std::move(wanted), known_);
  }

 private:
  bool is_off_;
  bool has_factors_;
  std::map<std::string, double, std::less<>> factors_;  // by property
  mutable counts_by_row known_;
};

}  // namespace

const weigher_rule image_properties_weigher{"ImagePropertiesWeigher",
                                            std::nullopt,
                                            std::nullopt,
                                            &settings::image_props_weight_multiplier,
                                            "image_props_weight_multiplier",
                                            false,
                                            make_weigher<image_properties_weighing>};

}  // namespace filter_driver

// SPDX-License-Identifier: Apache-2.0
//
// ImagePropertiesFilter (from Icehouse on): one of the host's supported_instances must have the image's architecture,
// hypervisor type and virtual machine mode together, and the image must accept the hypervisor's version (the rule:
// nova/image_properties.hpp). image_properties_default_architecture replaces a missing architecture, except in
// Icehouse.
#include <algorithm>
#include <array>
#include <bit>

#include "filters/filters.hpp"
#include "nova/image_properties.hpp"
#include "nova/version_predicate.hpp"
#include "python/python_number.hpp"
#include "python/python_text.hpp"
#include "rules/refusal.hpp"
#include "rules/verdict_cache.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view image_properties_name = "ImagePropertiesFilter";

class image_run final : public filter_run {
 public:
  image_run(const host_table& hosts, image_requirements wanted)
      : hosts_(hosts), wanted_(std::move(wanted)), verdicts_(2) {}

  void keep(const block& candidates) override {
    if (const auto* const whole = hosts_.hypervisor_version.whole(candidates.first, candidates.count))
      keep_by_version(candidates, whole);
    else
      keep_by_version(candidates,
                      hosts_.hypervisor_version.read(candidates.first, candidates.count, candidates.room(0)));
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    std::vector<std::string> runs;
    const auto* const all =
        hosts_.supported_instances == nullptr ? nullptr : hosts_.supported_instances->at(row).if_array();
    for (std::size_t at = 0; all != nullptr && at < all->size(); ++at) {
      std::string names;
      if (const auto* const list = (*all)[at].if_array())
        for (const auto& name : *list) names += (names.empty() ? "" : " ") + str_of(name);
      runs.push_back(quoted(names));
    }
    auto there = runs.empty() ? std::string("no supported_instances") : listed(runs);
    const double version = hosts_.hypervisor_version[row];
    const auto dotted = version == version ? dotted_version(int_or_double(version)) : outcome<std::string>(raised{});
    if (dotted.ok()) there += " in version " + dotted.value();
    return mismatch{"an image of " + quoted(wanted_.in_words()), std::move(there)};
  }

 private:
  template <class Version>
  void keep_by_version(const block& candidates, const Version* versions) {
    const auto passes_here = [&](std::uint32_t row) {
      return passes(row, static_cast<double>(versions[row - candidates.first]));
    };
    if (hosts_.supported_instances == nullptr || wanted_.asks_for_width()) return candidates.keep_if(passes_here);
    std::array<std::uint64_t, block_rows> identities;
    hosts_.supported_instances->identities(candidates.first, candidates.count, identities.data());
    if (has_zero(identities.data(), candidates.count)) return candidates.keep_if(passes_here);
    candidates.keep_equals_if(
        [&](std::uint32_t row) {
          const auto version = static_cast<double>(versions[row - candidates.first]);
          const std::array key{identities[row - candidates.first], std::bit_cast<std::uint64_t>(version)};
          return verdicts_.at(key, [&] { return passes_here(row) ? 1 : 0; }) == 1;
        },
        identities.data(), versions);
  }

  bool passes(std::uint32_t row, double version) const {
    static const boost::json::value nothing;
    const auto& supported = hosts_.supported_instances == nullptr ? nothing : hosts_.supported_instances->at(row);
    const auto& cpu_info = hosts_.cpu_info == nullptr ? nothing : hosts_.cpu_info->at(row);
    const auto met = wanted_.met_by(supported, int_or_double(version), cpu_info);
    if (!met.ok()) refuse(image_properties_name, hosts_, row, met.error());
    return met.value();
  }

  const host_table& hosts_;
  image_requirements wanted_;
  verdict_cache verdicts_;
};

class image_properties final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    static const boost::json::object nothing;
    const auto& image = asked.request.image;
    image_requirements wanted(image ? image->properties : nothing, asked.options.image_properties_default_architecture,
                              asked.options.compatibility, asked.options.strict_parity);
    if (wanted.empty()) return nullptr;
    return std::make_unique<image_run>(asked.hosts, std::move(wanted));
  }
};

}  // namespace

const filter_rule image_properties_filter{
    image_properties_name, true, true, make_filter<image_properties>,
    "does not run what the image's architecture, hypervisor type, VM mode or hypervisor version asks for"};

}  // namespace filter_driver

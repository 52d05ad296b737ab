// SPDX-License-Identifier: Apache-2.0
//
// The names in nova_classes.txt and in the filter driver's manifest, against the rules of the code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filter_manifest.hpp>

#include <nova_classes.hpp>
#include <set>
#include <string>
#include <string_view>

#include "plugins/filter/policy/registry.hpp"

namespace filter_driver {
namespace {

using Names = std::set<std::string>;

// The texts of a list in one table of the manifest.
Names listed(const std::string& table, const std::string& key) {
  const std::string_view manifest = FILTER_DRIVER_OPTIONS;
  const auto section = manifest.find("[options." + table + "]\n");
  const auto begin = manifest.find("\n" + key + " = [", section);
  const auto end = manifest.find(']', begin);
  Names names;
  for (auto quote = manifest.find('\'', begin); quote < end; quote = manifest.find('\'', quote)) {
    const auto closing = manifest.find('\'', quote + 1);
    names.emplace(manifest.substr(quote + 1, closing - quote - 1));
    quote = closing + 1;
  }
  return names;
}

TEST(FilterNames, GivesEachRuleItsNameInTheListOfClasses) {
  ASSERT_EQ(filter_rules().size(), nova_classes::filters.size());
  for (std::size_t i = 0; i < filter_rules().size(); ++i)
    EXPECT_EQ(filter_rules()[i]->name, nova_classes::filters[i].name);
  ASSERT_EQ(weigher_rules().size(), nova_classes::weighers.size());
  for (std::size_t i = 0; i < weigher_rules().size(); ++i)
    EXPECT_EQ(weigher_rules()[i]->name, nova_classes::weighers[i].name);
}

TEST(FilterNames, ListsEachFilterInTheManifest) {
  Names filters;
  for (const auto* const rule : filter_rules()) filters.emplace(rule->name);
  EXPECT_EQ(listed("enabled_filters", "choices"), filters);
}

TEST(FilterNames, HasAReasonForEachFilterThatRejects) {
  for (const auto* const rule : filter_rules())
    EXPECT_EQ(rule->complaint.empty(), rule->name == "AllHostsFilter") << rule->name;
}

TEST(FilterNames, ListsEachWeigherInTheManifestWithItsNovaModule) {
  Names weighers{"nova.scheduler.weights.all_weighers"};
  for (const auto* const rule : weigher_rules()) weighers.emplace(rule->name);
  Names plain;
  std::size_t dotted = 0;
  for (const auto& name : listed("weight_classes", "choices")) {
    const auto dot = name.rfind('.');
    const bool is_of_nova = name.starts_with("nova.scheduler.weights.") && !name.ends_with(".all_weighers");
    if (!is_of_nova) {
      plain.insert(name);
      continue;
    }
    ++dotted;
    EXPECT_TRUE(weighers.contains(name.substr(dot + 1))) << name;
  }
  EXPECT_EQ(plain, weighers);
  EXPECT_EQ(dotted, weigher_rules().size());
}

TEST(FilterNames, HasAFilterForEachGuardAndOneOfEachInTheDefault) {
  const auto defaults = listed("enabled_filters", "default");
  for (const auto* const guarded : {"disk", "memory", "up", "vcpus"}) {
    const auto guards = listed(std::string("enabled_filters.guards.") + guarded, "choices");
    EXPECT_FALSE(guards.empty()) << guarded;
    bool in_default = false;
    for (const auto& guard : guards) {
      EXPECT_NE(find_filter(guard), nullptr) << guard;
      in_default = in_default || defaults.contains(guard);
    }
    EXPECT_TRUE(in_default) << guarded;
  }
}

}  // namespace
}  // namespace filter_driver

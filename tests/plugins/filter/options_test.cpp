// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filter_manifest.hpp>

#include <boost/json.hpp>

#include "core/drivers/driver.hpp"
#include "core/drivers/judge/option_check.hpp"
#include "core/drivers/load/options.hpp"
#include "plugins/filter/nova/options.hpp"

namespace filter_driver {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Given = std::map<std::string, gantry::config::OptionValue>;
using Texts = std::vector<std::string>;

constexpr std::array<std::string_view, 10> filters = {"ComputeFilter",
                                                      "ComputeCapabilitiesFilter",
                                                      "ImagePropertiesFilter",
                                                      "ServerGroupAntiAffinityFilter",
                                                      "ServerGroupAffinityFilter",
                                                      "AvailabilityZoneFilter",
                                                      "CoreFilter",
                                                      "RamFilter",
                                                      "DiskFilter",
                                                      "RackFilter"};

const gantry::drivers::Manifest& manifest() {
  static const auto parsed = gantry::drivers::parse_manifest(
      "manifest = 1\nabi = '0.2'\nid = 'filter'\nversion = '1'\ndescription = 'd'\ntopics = ['compute']\n"
      "threads = 'reentrant'\n" FILTER_DRIVER_OPTIONS);
  EXPECT_TRUE(parsed) << parsed.error().message;
  return *parsed;
}

// As the core reads a section [driver.filter] and hands it over.
settings read(const Given& given) {
  gantry::config::DriverSettings section;
  for (const auto& [name, value] : given) section.options[name] = {value, "gantry.toml:1:1"};
  const auto checked = gantry::drivers::check_options(manifest(), section);
  EXPECT_TRUE(checked) << checked.error().message;
  const gantry::drivers::Options options(manifest(), section);
  return settings::read(gantry::options(*options.table()), filters, all_weighers(release::hibiscus));
}

std::string refusal(const Given& given) {
  try {
    read(given);
  } catch (const gantry::failure& failure) {
    EXPECT_EQ(failure.code(), gantry::code::invalid_argument);
    return failure.what();
  }
  return "none";
}

settings with(std::string_view name, std::string_view json) {
  settings changed;
  EXPECT_TRUE(changed.set(name, boost::json::parse(std::string(json)))) << name;
  return changed;
}

// Every member as text, so that one that is forgotten shows.
std::string text_of(const settings& s) {
  std::ostringstream text;
  text.precision(12);
  text << s.compatibility->name << s.strict_parity << s.ignore_placement_requirements << '\n';
  for (const Texts* list : {&s.enabled_filters, &s.weight_classes, &s.isolated_images, &s.isolated_hosts})
    text << testing::PrintToString(*list) << '\n';
  for (const double number :
       {s.ram_weight_multiplier, s.cpu_weight_multiplier, s.disk_weight_multiplier, s.io_ops_weight_multiplier,
        s.pci_weight_multiplier, s.soft_affinity_weight_multiplier, s.soft_anti_affinity_weight_multiplier,
        s.build_failure_weight_multiplier, s.cross_cell_move_weight_multiplier, s.hypervisor_version_weight_multiplier,
        s.num_instances_weight_multiplier, s.image_props_weight_multiplier, s.metrics_weight_multiplier,
        s.metrics_weight_of_unavailable, s.cpu_allocation_ratio, s.ram_allocation_ratio, s.disk_allocation_ratio})
    text << number << ' ';
  for (const std::int64_t number : {s.host_subset_size, s.max_io_ops_per_host, s.max_instances_per_host})
    text << number << ' ';
  text << s.shuffle_best_same_weighed_hosts << s.metrics_required << s.restrict_isolated_hosts_to_isolated_images
       << s.packing_host_numa_cells_allocation_strategy << '\n';
  for (const std::string* one :
       {&s.aggregate_image_properties_isolation_namespace, &s.aggregate_image_properties_isolation_separator,
        &s.image_properties_default_architecture, &s.default_availability_zone})
    text << '[' << *one << "]\n";
  for (const named_ratio& ratio : s.metrics_weight_setting) text << ratio.name << '=' << ratio.ratio << '\n';
  for (const named_ratio& ratio : s.image_props_weight_setting) text << ratio.name << '=' << ratio.ratio << '\n';
  return text.str();
}

TEST(FilterOptions, HasTheManifestsDefaultsWithoutASection) {
  EXPECT_EQ(text_of(read({})), text_of(settings()));
}

TEST(FilterOptions, ReadsEachOptionUnderItsNovaName) {
  // Every option but the lists of names, with a value that is not its default.
  Given given;
  for (const auto& option : manifest().options) {
    const auto& value = *option.default_value;
    const bool is_text = std::holds_alternative<std::string>(value);
    if (is_text && option.choices.size() > 1) given[option.name] = option.choices.back();
    if (is_text && option.choices.empty()) given[option.name] = "x" + option.name;
    if (const auto* truth = std::get_if<bool>(&value)) given[option.name] = !*truth;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) given[option.name] = *integer + 1;
    if (const auto* real = std::get_if<double>(&value)) given[option.name] = *real + 0.5;
  }
  given["isolated_images"] = Texts{"i"};
  given["isolated_hosts"] = Texts{"h"};
  given["metrics_weight_setting"] = Texts{"m=2"};
  given["image_props_weight_setting"] = Texts{"p=3"};
  const std::string text = text_of(read(given));
  EXPECT_EQ(text,
            "icehouse11\n" + testing::PrintToString(settings().enabled_filters) + "\n" +
                testing::PrintToString(Texts{"MetricsWeigher", "RAMWeigher"}) +
                "\n{ \"i\" }\n{ \"h\" }\n"
                "1.5 1.5 1.5 -0.5 1.5 1.5 1.5 1000000.5 1000000.5 1.5 0.5 0.5 1.5 -9999.5 16.5 2 1.5 2 9 51 1001\n"
                "[xaggregate_image_properties_isolation_namespace]\n[xaggregate_image_properties_isolation_separator]\n"
                "[xtensaeb]\n[]\nm=2\np=3\n");
}

TEST(FilterOptions, KeepsFiltersInTheOrderGiven) {
  EXPECT_THAT(read({{"enabled_filters", Texts{"RamFilter", "ComputeFilter"}}}).enabled_filters,
              ElementsAre("RamFilter", "ComputeFilter"));
  EXPECT_THAT(read({{"enabled_filters", Texts{}}}).enabled_filters, IsEmpty());
}

TEST(FilterOptions, KnowsTheFiltersOfOtherLibraries) {
  EXPECT_THAT(read({{"enabled_filters", Texts{"RackFilter"}}}).enabled_filters, ElementsAre("RackFilter"));
}

TEST(FilterOptions, RefusesAnUnknownFilterAndSuggestsTheNearest) {
  EXPECT_EQ(refusal({{"enabled_filters", Texts{"ComputeFilter", "CoreFliter"}}}),
            "option 'enabled_filters': expected names of filters, found 'CoreFliter'; did you mean 'CoreFilter'?");
  EXPECT_THAT(refusal({{"enabled_filters", Texts{"nova.scheduler.filters.ram_filter.RamFilter"}}}),
              HasSubstr("did you mean 'RamFilter'?"));
  EXPECT_THAT(refusal({{"enabled_filters", Texts{""}}}), HasSubstr("there are ComputeFilter, "));
  EXPECT_THAT(refusal({{"enabled_filters", Texts{std::string(100000, 'x')}}}), HasSubstr("there are ComputeFilter, "));
}

TEST(FilterOptions, AcceptsWeighersByClassOrByModule) {
  EXPECT_THAT(read({{"weight_classes", Texts{"nova.scheduler.weights.ram.RAMWeigher", "PCIWeigher"}}}).weight_classes,
              ElementsAre("RAMWeigher", "PCIWeigher"));
  EXPECT_THAT(read({{"weight_classes", Texts{}}}).weight_classes, IsEmpty());
  EXPECT_THAT(refusal({{"weight_classes", Texts{"site.weighers.RAMWeiger"}}}),
              AllOf(HasSubstr("option 'weight_classes'"), HasSubstr("'RAMWeiger'; did you mean 'RAMWeigher'?")));
}

TEST(FilterOptions, ExpandsAllWeighersToThoseOfTheRelease) {
  EXPECT_EQ(read({{"compatibility", "zed"}}).weight_classes.size(), 10U);
  EXPECT_EQ(read({}).weight_classes, read({{"compatibility", "hibiscus"}}).weight_classes);
  EXPECT_THAT(read({{"compatibility", "ocata"}}).weight_classes,
              ElementsAre("ServerGroupSoftAffinityWeigher", "ServerGroupSoftAntiAffinityWeigher", "DiskWeigher",
                          "IoOpsWeigher", "MetricsWeigher", "RAMWeigher"));
  EXPECT_THAT(read({{"compatibility", "icehouse"},
                    {"weight_classes", Texts{"CPUWeigher", "nova.scheduler.weights.all_weighers"}}})
                  .weight_classes,
              ElementsAre("CPUWeigher", "MetricsWeigher", "RAMWeigher"));
}

TEST(FilterOptions, AddsTheWeigherOfEpoxyFromThenOn) {
  for (const char* release : {"epoxy", "flamingo", "gazpacho", "hibiscus"}) {
    auto classes = read({{"compatibility", release}}).weight_classes;
    EXPECT_THAT(classes, Contains("ImagePropertiesWeigher")) << release;
    std::erase(classes, "ImagePropertiesWeigher");
    EXPECT_EQ(classes, read({{"compatibility", "dalmatian"}}).weight_classes) << release;
  }
}

TEST(FilterOptions, AddsTheWeighersOfBobcatFromThenOn) {
  EXPECT_EQ(read({{"compatibility", "antelope"}}).weight_classes, read({{"compatibility", "zed"}}).weight_classes);
  for (const char* release : {"bobcat", "caracal", "dalmatian"}) {
    EXPECT_THAT(
        read({{"compatibility", release}}).weight_classes,
        ElementsAre("ServerGroupSoftAffinityWeigher", "ServerGroupSoftAntiAffinityWeigher", "BuildFailureWeigher",
                    "CPUWeigher", "CrossCellWeigher", "DiskWeigher", "HypervisorVersionWeigher", "IoOpsWeigher",
                    "MetricsWeigher", "NumInstancesWeigher", "PCIWeigher", "RAMWeigher"))
        << release;
  }
}

TEST(FilterOptions, RefusesAMetricWithoutANumber) {
  EXPECT_THAT(refusal({{"metrics_weight_setting", Texts{"a=1", "b"}}}),
              AllOf(HasSubstr("option 'metrics_weight_setting'"), HasSubstr("'cpu.frequency=1.5'"), HasSubstr("'b'")));
  for (const char* item : {"b=", "=1", "b=x", "b=1x", "b=nan", "b=inf", "b=1e999"})
    EXPECT_THAT(refusal({{"metrics_weight_setting", Texts{item}}}), HasSubstr(item)) << item;
}

TEST(FilterOptions, RefusesAnImagePropertyWithoutANumber) {
  EXPECT_THAT(refusal({{"image_props_weight_setting", Texts{"a=1", "b"}}}),
              AllOf(HasSubstr("option 'image_props_weight_setting'"), HasSubstr("'os_distro=1.5'"), HasSubstr("'b'")));
}

TEST(FilterOptions, RefusesANegativeMultiplierWhereZedDoes) {
  for (const char* name :
       {"pci_weight_multiplier", "soft_affinity_weight_multiplier", "soft_anti_affinity_weight_multiplier"}) {
    EXPECT_EQ(refusal({{name, -0.5}}), "option '" + std::string(name) + "': expected at least 0, found -0.5");
    EXPECT_EQ(refusal({{name, -0.5}, {"compatibility", "ocata"}}), "none");
  }
}

TEST(FilterOptions, SetsOptionsByTheirNovaGroups) {
  EXPECT_EQ(with("filter_scheduler.max_io_ops_per_host", "3").max_io_ops_per_host, 3);
  EXPECT_EQ(with("filter_scheduler.cpu_weight_multiplier", "2").cpu_weight_multiplier, 2.0);
  EXPECT_EQ(with("metrics.required", "false").metrics_required, false);
  EXPECT_EQ(with("metrics.weight_multiplier", "0.5").metrics_weight_multiplier, 0.5);
  EXPECT_EQ(with("DEFAULT.ram_weight_multiplier", "-1.0").ram_weight_multiplier, -1.0);
  EXPECT_EQ(with("DEFAULT.ram_allocation_ratio", "0.0").ram_allocation_ratio, 0.0);
  EXPECT_EQ(with("DEFAULT.default_availability_zone", "\"az1\"").default_availability_zone, "az1");
  EXPECT_TRUE(
      with("compute.packing_host_numa_cells_allocation_strategy", "true").packing_host_numa_cells_allocation_strategy);
  EXPECT_THAT(with("filter_scheduler.isolated_hosts", R"(["b","a"])").isolated_hosts, ElementsAre("b", "a"));
  EXPECT_THAT(with("filter_scheduler.enabled_filters", R"(["FakeFilterClass1"])").enabled_filters,
              ElementsAre("FakeFilterClass1"));
  EXPECT_THAT(with("filter_scheduler.weight_classes", R"(["nova.tests.fixtures.HostNameWeigher"])").weight_classes,
              ElementsAre("HostNameWeigher"));
  EXPECT_EQ(text_of(with("filter_scheduler.image_properties_default_architecture", "null")), text_of(settings()));
}

TEST(FilterOptions, DropsTheItemsOfARecordedMetricSettingThatNovaDrops) {
  const settings set = with("metrics.weight_setting", R"(["bad", "cpu.idle.time=x", "cpu.frequency= 2 "])");
  ASSERT_EQ(set.metrics_weight_setting.size(), 1U);
  EXPECT_EQ(set.metrics_weight_setting.front().name, "cpu.frequency");
  EXPECT_EQ(set.metrics_weight_setting.front().ratio, 2.0);
}

TEST(FilterOptions, IgnoresOptionsThatAreNotTheDrivers) {
  settings set;
  for (const char* name : {"scheduler.max_placement_results", "pci.alias", "DEFAULT.required", "max_attempts",
                           "filter_scheduler.available_filters", "metrics.max_attempts", ""})
    EXPECT_FALSE(set.set(name, 1)) << name;
  EXPECT_EQ(text_of(set), text_of(settings()));
}

TEST(FilterOptions, KeepsEachValueWhereARecordedOneIsNull) {
  settings set;
  for (const char* name :
       {"filter_scheduler.enabled_filters", "filter_scheduler.weight_classes", "metrics.weight_setting",
        "DEFAULT.default_availability_zone", "filter_scheduler.isolated_hosts", "metrics.required"})
    EXPECT_TRUE(set.set(name, nullptr)) << name;
  EXPECT_EQ(text_of(set), text_of(settings()));
}

TEST(FilterOptions, NamesARecordedValueOfAnotherType) {
  settings set;
  try {
    set.set("filter_scheduler.max_io_ops_per_host", "many");
    FAIL();
  } catch (const gantry::failure& failure) {
    EXPECT_STREQ(failure.what(), "option 'filter_scheduler.max_io_ops_per_host': expected an integer, found \"many\"");
  }
}

}  // namespace
}  // namespace filter_driver

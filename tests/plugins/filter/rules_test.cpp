// SPDX-License-Identifier: Apache-2.0
//
// The filter driver's filters of aggregates, capabilities, JSON queries, images, isolated hosts and hints, where the
// recorded decisions of Nova do not reach: other releases, many hosts at once, hosts that share what they say, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <gantry/driver/failure.hpp>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugins/filter/policy/registry.hpp"
#include "plugins/filter/rules/filter.hpp"
#include "tests/parity/recorded_hosts.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Rows that say the same have the same identity, or no row has any.
class documents final : public document_column {
 public:
  documents(const std::vector<json::object>& hosts, std::string_view name, bool share) : share_(share) {
    std::map<std::string, std::uint64_t> known;
    values_.reserve(hosts.size());
    for (const auto& host : hosts) {
      const auto* const value = host.if_contains(name);
      values_.push_back(value == nullptr ? json::value(nullptr) : *value);
      identities_.push_back(known.emplace(json::serialize(values_.back()), known.size() + 1).first->second);
    }
  }
  const json::value& at(std::uint32_t row) const override { return values_[row]; }
  std::uint64_t identity(std::uint32_t row) const override { return share_ ? identities_[row] : 0; }

 private:
  bool share_;
  std::vector<json::value> values_;
  std::vector<std::uint64_t> identities_;
};

// Hosts with the attributes of HostState that each object names; they are called "0", "1", ... in their order.
class fleet {
 public:
  explicit fleet(std::vector<json::object> hosts, bool share = true)
      : hosts_(named(std::move(hosts))),
        recorded_(pointers(), {}),
        table_(recorded_.table()),
        cpu_info_(hosts_, "cpu_info", share),
        stats_(hosts_, "stats", share),
        supported_(hosts_, "supported_instances", share) {
    table_.cpu_info = &cpu_info_;
    table_.stats = &stats_;
    table_.supported_instances = &supported_;
  }

  // The hosts that pass, or what refused the request.
  std::vector<std::string> passing(std::string_view filter, const request_facts& request,
                                   const settings& options = {}) const {
    const auto made = find_filter(filter)->make(options);
    const auto run = made->begin({table_, request, options});
    std::vector<double> rooms(block::room_count * block_rows);
    std::vector<std::string> names;
    for (std::uint32_t first = 0; first < table_.rows; first += block_rows) {
      const auto count = std::min(block_rows, table_.rows - first);
      std::vector<std::uint64_t> rows((count + 63) / 64, 0);
      for (std::uint32_t i = 0; i < count; ++i) rows[i / 64] |= std::uint64_t{1} << (i % 64);
      try {
        if (run) run->keep({first, count, rows.data(), rooms.data()});
      } catch (const gantry::failure& failed) {
        return {failed.what()};
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        if (((rows[i / 64] >> (i % 64)) & 1) != 0) names.push_back(std::to_string(first + i));
      }
    }
    return names;
  }

 private:
  static std::vector<json::object> named(std::vector<json::object> hosts) {
    for (std::size_t at = 0; at < hosts.size(); ++at) {
      hosts[at]["host"] = std::to_string(at);
      hosts[at]["nodename"] = "node";
    }
    return hosts;
  }
  std::vector<const json::object*> pointers() const {
    std::vector<const json::object*> all;
    all.reserve(hosts_.size());
    for (const auto& host : hosts_) all.push_back(&host);
    return all;
  }

  std::vector<json::object> hosts_;
  parity::recorded_hosts recorded_;
  host_table table_;
  documents cpu_info_;
  documents stats_;
  documents supported_;
};

json::object host(std::string_view text) {
  return json::parse(text).as_object();
}

json::object in_aggregate(std::string_view key, std::string_view value) {
  return {{"aggregates", {{{"id", 1}, {"metadata", {{key, value}}}}}}};
}

settings following(release compatibility) {
  settings options;
  options.compatibility = compatibility;
  return options;
}

request_facts with_extra_specs(std::vector<std::pair<std::string, std::string>> specs) {
  request_facts request;
  request.flavor.emplace().name = "small";
  request.flavor->extra_specs = std::move(specs);
  return request;
}

request_facts with_image(json::object properties) {
  request_facts request;
  request.image.emplace().properties = std::move(properties);
  return request;
}

request_facts with_hint(std::string_view name, json::value value) {
  request_facts request;
  request.hints = json::object{{name, std::move(value)}};
  return request;
}

TEST(AggregateFilters, SplitsMetadataAtCommasFromOcataOn) {
  request_facts of_project;
  of_project.project_id = "p";
  const fleet tenants({in_aggregate("filter_tenant_id", "o, p"), in_aggregate("filter_tenant_id", "p"), {}});
  const fleet types({in_aggregate("instance_type", "large, small"), in_aggregate("instance_type", "small"), {}});
  const fleet disks({in_aggregate("disk", "hdd, ssd"), in_aggregate("disk", "ssd"), {}});
  const fleet systems({in_aggregate("os_type", "windows, linux"), in_aggregate("os_type", "linux"), {}});
  for (const auto later : {release::ocata, release::zed}) {
    const auto options = following(later);
    EXPECT_THAT(tenants.passing("AggregateMultiTenancyIsolation", of_project, options), ElementsAre("0", "1", "2"));
    EXPECT_THAT(types.passing("AggregateTypeAffinityFilter", with_extra_specs({}), options),
                ElementsAre("0", "1", "2"));
    EXPECT_THAT(disks.passing("AggregateInstanceExtraSpecsFilter", with_extra_specs({{"disk", "ssd"}}), options),
                ElementsAre("0", "1"));
    EXPECT_THAT(systems.passing("AggregateImagePropertiesIsolation", with_image({{"os_type", "linux"}}), options),
                ElementsAre("0", "1", "2"));
  }
  const auto icehouse = following(release::icehouse);
  EXPECT_THAT(tenants.passing("AggregateMultiTenancyIsolation", of_project, icehouse), ElementsAre("1", "2"));
  EXPECT_THAT(types.passing("AggregateTypeAffinityFilter", with_extra_specs({}), icehouse), ElementsAre("1", "2"));
  EXPECT_THAT(disks.passing("AggregateInstanceExtraSpecsFilter", with_extra_specs({{"disk", "ssd"}}), icehouse),
              ElementsAre("1"));
  EXPECT_THAT(systems.passing("AggregateImagePropertiesIsolation", with_image({{"os_type", "linux"}}), icehouse),
              ElementsAre("1", "2"));
}

TEST(AggregateImagePropertiesIsolation, ComparesPropertiesThatAreNoTextsAsTheyAreWrittenButNeverInIcehouse) {
  const fleet hosts({in_aggregate("hw_boot_menu", "True"), in_aggregate("hw_boot_menu", "true"), {}});
  const auto boots = with_image({{"hw_boot_menu", true}});
  EXPECT_THAT(hosts.passing("AggregateImagePropertiesIsolation", boots), ElementsAre("0", "2"));
  EXPECT_THAT(hosts.passing("AggregateImagePropertiesIsolation", boots, following(release::icehouse)),
              ElementsAre("2"));
  EXPECT_THAT(hosts.passing("AggregateImagePropertiesIsolation", with_image({{"hw_boot_menu", json::array{1}}}),
                            following(release::icehouse)),
              ElementsAre(AllOf(HasSubstr("AggregateImagePropertiesIsolation: host 0.node: TypeError"),
                                HasSubstr("hw_boot_menu"))));
}

TEST(AggregateInstanceExtraSpecs, PassesWhereOneValueMeetsTheRequirementThoughAnotherRaises) {
  const fleet hosts({in_aggregate("size", "big, 4"), in_aggregate("size", "4, big"), in_aggregate("size", "3")});
  EXPECT_THAT(hosts.passing("AggregateInstanceExtraSpecsFilter", with_extra_specs({{"size", ">= 4"}})),
              ElementsAre("0", "1"));
}

TEST(AggregateInstanceExtraSpecs, RefusesTheRequestWhereNoValueMeetsTheRequirementAndOneRaises) {
  const fleet hosts({in_aggregate("size", "8"), in_aggregate("size", "big, 2")});
  EXPECT_THAT(
      hosts.passing("AggregateInstanceExtraSpecsFilter", with_extra_specs({{"size", ">= 4"}})),
      ElementsAre("AggregateInstanceExtraSpecsFilter: host 1.node: ValueError: metadata size: could not convert "
                  "string to float: 'big'"));
}

TEST(AggregateInstanceExtraSpecs, DoesNotAskForWhatAnEarlierExtraSpecDecides) {
  const fleet hosts({in_aggregate("size", "big")});
  EXPECT_THAT(hosts.passing("AggregateInstanceExtraSpecsFilter", with_extra_specs({{"disk", "ssd"}, {"size", ">= 4"}})),
              IsEmpty());
}

TEST(ComputeCapabilities, ReadsTheCapabilitiesOfEachHostThoughHostsShareTheirModel) {
  const std::string model = R"("cpu_info": "{\"vendor\": \"Intel\"}")";
  const fleet hosts({host("{" + model + R"(, "stats": {"gpu": "yes"}})"), host("{" + model + R"(, "stats": {}})"),
                     host(R"({"cpu_info": "{\"vendor\": \"AMD\"}", "stats": {"gpu": "yes"}})"),
                     host("{" + model + R"(, "stats": {"gpu": "yes"}})"), host(R"({"stats": {"gpu": "yes"}})")});
  EXPECT_THAT(hosts.passing("ComputeCapabilitiesFilter", with_extra_specs({{"capabilities:cpu_info:vendor", "Intel"}})),
              ElementsAre("0", "1", "3"));
  EXPECT_THAT(hosts.passing("ComputeCapabilitiesFilter", with_extra_specs({{"capabilities:gpu", "yes"}})),
              ElementsAre("0", "2", "3", "4"));
  EXPECT_THAT(hosts.passing("ComputeCapabilitiesFilter",
                            with_extra_specs({{"capabilities:cpu_info:vendor", "Intel"}, {"capabilities:gpu", "yes"}})),
              ElementsAre("0", "3"));
}

TEST(ComputeCapabilities, OffersTheAttributesThatTheReleaseHas) {
  const fleet hosts({host(R"({"failed_builds": 0, "cpu_allocation_ratio": 4.0, "stats": {}})")});
  const auto passes = [&hosts](const char* key, const char* wanted, release compatibility) {
    return !hosts.passing("ComputeCapabilitiesFilter", with_extra_specs({{key, wanted}}), following(compatibility))
                .empty();
  };
  EXPECT_TRUE(passes("capabilities:failed_builds", "0", release::zed));
  EXPECT_FALSE(passes("capabilities:failed_builds", "0", release::ocata));
  EXPECT_TRUE(passes("capabilities:cpu_allocation_ratio", "4.0", release::ocata));
  EXPECT_FALSE(passes("capabilities:cpu_allocation_ratio", "4.0", release::icehouse));
  EXPECT_TRUE(passes("capabilities:limits", "{}", release::icehouse));
  EXPECT_TRUE(passes("update", "now", release::zed)) << "a method of HostState is no attribute here";
  EXPECT_TRUE(passes("no_such_thing", "now", release::zed));
  EXPECT_FALSE(passes("no_such_thing", "now", release::icehouse));
}

TEST(ComputeCapabilities, CountsInstancesOfIcehouseByTheirStates) {
  const fleet hosts({host(R"({"stats": {"num_vm_building": "2", "num_proj_p": 3}})")});
  const auto icehouse = following(release::icehouse);
  EXPECT_THAT(hosts.passing("ComputeCapabilitiesFilter",
                            with_extra_specs({{"capabilities:vm_states:building", "2"},
                                              {"capabilities:num_instances_by_project:p", "<= 3"}}),
                            icehouse),
              ElementsAre("0"));
}

TEST(ImageProperties, DistinguishesVersionsThoughHostsSupportTheSame) {
  const std::string supported = R"("supported_instances": [["x86_64", "kvm", "hvm"]])";
  const fleet hosts({host("{" + supported + R"(, "hypervisor_version": 6000000})"),
                     host("{" + supported + R"(, "hypervisor_version": 7002000})"), host("{" + supported + "}"),
                     host("{" + supported + R"(, "hypervisor_version": 6000000})"),
                     host(R"({"hypervisor_version": 7002000})")});
  EXPECT_THAT(hosts.passing("ImagePropertiesFilter",
                            with_image({{"hw_architecture", "amd64"}, {"img_hv_requested_version", ">=7.0"}})),
              ElementsAre("1", "2"));
}

// The releases from `first` on, and those before it down to Zed.
struct parted_releases {
  explicit parted_releases(std::string_view first) {
    bool is_since = true;
    for (const auto each : release::all) {
      (is_since ? since : before).push_back(each);
      is_since = is_since && each->name != first;
      if (each->name == "zed") break;
    }
  }
  std::vector<release> since;
  std::vector<release> before;
};

TEST(AggregateFilters, ListsProjectsUnderEachKeyWithThePrefixFromDalmatianOn) {
  request_facts of_project;
  of_project.project_id = "p";
  json::object two = in_aggregate("filter_tenant_id", "q");
  two["aggregates"].as_array().push_back({{"id", 2}, {"metadata", {{"filter_tenant_id:1", "p"}}}});
  const fleet hosts({in_aggregate("filter_tenant_id", "p"), in_aggregate("filter_tenant_id2", "p"),
                     in_aggregate("filter_tenant_id2", "q"), two, in_aggregate("filter_tenant_idX", "a, p"),
                     in_aggregate("Filter_tenant_id", "q"), in_aggregate("filter_tenant_id5", " , ")});
  const parted_releases releases("dalmatian");
  for (const auto each : releases.since) {
    EXPECT_THAT(hosts.passing("AggregateMultiTenancyIsolation", of_project, following(each)),
                ElementsAre("0", "1", "3", "4", "5"))
        << each->name;
  }
  for (const auto each : releases.before) {
    EXPECT_THAT(hosts.passing("AggregateMultiTenancyIsolation", of_project, following(each)),
                ElementsAre("0", "1", "2", "4", "5", "6"))
        << each->name;
  }
}

TEST(AvailabilityZone, TakesTheWholeTextForTheZoneFromBobcatOn) {
  const fleet hosts({in_aggregate("availability_zone", "az1"),
                     in_aggregate("availability_zone", "az1, az2"),
                     in_aggregate("availability_zone", "AZ1"),
                     {}});
  const auto passing = [&hosts](std::string_view zone, release by) {
    request_facts request;
    request.availability_zone = zone;
    return hosts.passing("AvailabilityZoneFilter", request, following(by));
  };
  const parted_releases releases("bobcat");
  for (const auto each : releases.since) {
    EXPECT_THAT(passing("az1", each), ElementsAre("0")) << each->name;
    EXPECT_THAT(passing("az1, az2", each), ElementsAre("1")) << each->name;
    EXPECT_EQ(passing("", each).size(), 4U) << each->name;
  }
  for (const auto each : releases.before) EXPECT_THAT(passing("az1", each), ElementsAre("0", "1")) << each->name;
}

TEST(AvailabilityZone, TakesEachHostForAZoneOfNoAggregateFromBobcatOnIfParityIsStrict) {
  const fleet hosts({in_aggregate("availability_zone", "az1"), in_aggregate("availability_zone", "az2"), {}});
  const auto passing = [&hosts](std::string_view zone, release by, bool is_strict) {
    request_facts request;
    request.availability_zone = zone;
    auto options = following(by);
    options.strict_parity = is_strict;
    return hosts.passing("AvailabilityZoneFilter", request, options);
  };
  const parted_releases releases("bobcat");
  for (const auto each : releases.since) {
    EXPECT_EQ(passing("unknown", each, true).size(), 3U) << each->name;
    EXPECT_THAT(passing("unknown", each, false), IsEmpty()) << each->name;
    EXPECT_THAT(passing("az2", each, true), ElementsAre("1")) << each->name;
  }
  for (const auto each : releases.before) EXPECT_THAT(passing("unknown", each, true), IsEmpty()) << each->name;
}

TEST(ComputeCapabilities, JudgesTheWidthOfPhysicalAddressesFromCaracalOn) {
  const fleet hosts({host(R"({"cpu_info": "{\"maxphysaddr\": {\"mode\": \"emulate\", \"bits\": 42}}"})")});
  const auto passing = [&hosts](const char* bits, release by) {
    return hosts.passing("ComputeCapabilitiesFilter", with_extra_specs({{"hw:maxphysaddr_bits", bits}}), following(by));
  };
  const parted_releases releases("caracal");
  for (const auto each : releases.since) {
    EXPECT_THAT(passing("42", each), ElementsAre("0")) << each->name;
    EXPECT_THAT(passing("43", each), ElementsAre()) << each->name;
    EXPECT_THAT(passing("", each), ElementsAre()) << each->name;
    EXPECT_THAT(passing("x", each), ElementsAre(HasSubstr("ValueError"))) << each->name;
  }
  for (const auto each : releases.before) EXPECT_THAT(passing("43", each), ElementsAre("0")) << each->name;
  const fleet untold({host(R"({"cpu_info": "{}"})")});
  EXPECT_THAT(untold.passing("ComputeCapabilitiesFilter", with_extra_specs({{"hw:maxphysaddr_bits", "36"}}),
                             following(release::hibiscus)),
              ElementsAre());
}

TEST(ImageProperties, JudgesTheWidthOfPhysicalAddressesFromCaracalOn) {
  const fleet hosts({host(R"({"supported_instances": [["x86_64", "kvm", "hvm"]],
                              "cpu_info": "{\"maxphysaddr\": {\"bits\": 42}}"})"),
                     host(R"({"supported_instances": [["x86_64", "kvm", "hvm"]], "cpu_info": "{}"})")});
  const auto image = [](int bits) {
    return with_image({{"hw_architecture", "x86_64"}, {"hw_maxphysaddr_bits", bits}});
  };
  const parted_releases releases("caracal");
  for (const auto each : releases.since) {
    EXPECT_THAT(hosts.passing("ImagePropertiesFilter", image(42), following(each)), ElementsAre("0", "1"));
    EXPECT_THAT(hosts.passing("ImagePropertiesFilter", image(43), following(each)), ElementsAre("1"));
    EXPECT_THAT(hosts.passing("ImagePropertiesFilter", image(0), following(each)), ElementsAre("0", "1"));
    auto strict = following(each);
    strict.strict_parity = true;
    EXPECT_THAT(hosts.passing("ImagePropertiesFilter", image(42), strict), ElementsAre(HasSubstr("AttributeError")));
    EXPECT_THAT(hosts.passing("ImagePropertiesFilter", with_image({{"hw_maxphysaddr_bits", 43}}), strict),
                ElementsAre("0", "1"));
  }
  for (const auto each : releases.before)
    EXPECT_THAT(hosts.passing("ImagePropertiesFilter", image(43), following(each)), ElementsAre("0", "1"));
}

TEST(ImageProperties, ComparesVersionsAsPep440HasItFromEpoxyOn) {
  const fleet hosts({host(R"({"supported_instances": [["x86_64", "kvm", "hvm"]], "hypervisor_version": 5})"),
                     host(R"({"supported_instances": [["x86_64", "kvm", "hvm"]], "hypervisor_version": 1002003004})")});
  const auto passing = [&hosts](const char* version, release by) {
    return hosts.passing("ImagePropertiesFilter",
                         with_image({{"hw_architecture", "x86_64"}, {"img_hv_requested_version", version}}),
                         following(by));
  };
  const parted_releases releases("epoxy");
  for (const auto each : releases.since) {
    EXPECT_THAT(passing(">=4", each), ElementsAre("0")) << each->name;
    EXPECT_THAT(passing("== 1.2.3.4.0", each), ElementsAre("1")) << each->name;
    EXPECT_THAT(passing(">= 7.2,", each), ElementsAre(HasSubstr("ValueError"))) << each->name;
  }
  for (const auto each : releases.before)
    EXPECT_THAT(passing(">=4.0", each), ElementsAre(HasSubstr("ValueError"))) << each->name;
}

TEST(ImageProperties, RefusesARequestWithNamesThatNovaDoesNotKnow) {
  const fleet hosts({host(R"({"supported_instances": [["x86_64", "kvm", "hvm"]]})")});
  EXPECT_THAT(hosts.passing("ImagePropertiesFilter", with_image({{"hw_architecture", "abacus"}})),
              ElementsAre(AllOf(HasSubstr("ImagePropertiesFilter: host 0.node"), HasSubstr("abacus"))));
}

TEST(IsolatedHosts, TakesTheImageFromTheInstanceInIcehouse) {
  const fleet hosts(std::vector<json::object>(2));
  settings options;
  options.isolated_images = {"image"};
  options.isolated_hosts = {"1"};
  request_facts by_image;
  by_image.image.emplace().id = "image";
  request_facts by_instance;
  by_instance.image_ref = "image";
  EXPECT_THAT(hosts.passing("IsolatedHostsFilter", by_image, options), ElementsAre("1"));
  EXPECT_THAT(hosts.passing("IsolatedHostsFilter", by_instance, options), ElementsAre("0"));
  options.restrict_isolated_hosts_to_isolated_images = false;
  EXPECT_THAT(hosts.passing("IsolatedHostsFilter", by_instance, options), ElementsAre("0", "1"));
  options.compatibility = release::icehouse;
  EXPECT_THAT(hosts.passing("IsolatedHostsFilter", by_image, options), ElementsAre("0", "1"));
  EXPECT_THAT(hosts.passing("IsolatedHostsFilter", by_instance, options), ElementsAre("1"));
}

TEST(HintedInstances, FindsInstancesAtEachPlaceAmongManyHosts) {
  std::vector<json::object> many(2100);
  for (const auto row : {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{1024}, std::size_t{2099}})
    many[row] = host(R"({"instances": [{"uuid": "u)" + std::to_string(row) + R"("}, {"uuid": "w"}]})");
  const fleet hosts(std::move(many));
  const json::array hint{"u63", "u64", "u1024", "u2099", "nowhere"};
  EXPECT_THAT(hosts.passing("SameHostFilter", with_hint("same_host", hint)), ElementsAre("63", "64", "1024", "2099"));
  EXPECT_EQ(hosts.passing("DifferentHostFilter", with_hint("different_host", hint)).size(), 2100 - 4);
  EXPECT_EQ(hosts.passing("DifferentHostFilter", with_hint("different_host", "w")).size(), 2100 - 5);
  EXPECT_EQ(hosts.passing("SameHostFilter", with_hint("same_host", json::array())).size(), 2100);
}

TEST(HintedInstances, RefusesHintsThatAreNotTexts) {
  const fleet hosts(std::vector<json::object>(2));
  EXPECT_THAT(hosts.passing("SameHostFilter", with_hint("same_host", 7)),
              ElementsAre("SameHostFilter: host 0.node: TypeError: hint same_host: 'int' object is not iterable"));
}

TEST(SimpleCidrAffinity, RefusesTheRequestForAHostWithoutAnAddress) {
  const fleet hosts({host(R"({"host_ip": "10.0.0.9"})"), host(R"({"host_ip": null})")});
  EXPECT_THAT(hosts.passing("SimpleCIDRAffinityFilter", with_hint("build_near_host_ip", json::array{"10.0.0.1"})),
              ElementsAre(HasSubstr("SimpleCIDRAffinityFilter: host 1.node: AddrFormatError")));
}

// Hosts of few models, with what tells each apart.
std::vector<json::object> random_hosts(std::mt19937_64& random, std::size_t count) {
  std::vector<json::object> hosts;
  hosts.reserve(count);
  for (std::size_t at = 0; at < count; ++at) {
    auto& one = hosts.emplace_back();
    one["free_ram_mb"] = random() % 4096;
    if (random() % 4 != 0) one["cpu_info"] = R"({"cores": )" + std::to_string(random() % 4) + "}";
    if (random() % 4 != 0) one["hypervisor_version"] = (random() % 3 + 5) * 1000000;
    one["stats"] = {{"gpus", std::to_string(random() % 3)}};
    const char* const type = random() % 2 == 0 ? "kvm" : "xen";
    one["supported_instances"] = json::array{json::array{"x86_64", type, "hvm"}};
    if (random() % 2 == 0) one["hypervisor_type"] = "QEMU";
  }
  return hosts;
}

TEST(Verdicts, GivesTheSameVerdictsWhetherOrNotHostsAreKnownToBeEqual) {
  const auto* const given = std::getenv("GANTRY_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::stoull(given) : std::random_device()();
  SCOPED_TRACE("GANTRY_TEST_SEED=" + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto hosts = random_hosts(random, 3000);
  const fleet sharing(hosts, true);
  const fleet alone(hosts, false);
  const std::vector<std::pair<const char*, request_facts>> questions{
      {"ComputeCapabilitiesFilter",
       with_extra_specs({{"capabilities:cpu_info:cores", ">= 2"}, {"capabilities:gpus", "!= 0"}})},
      {"ComputeCapabilitiesFilter",
       with_extra_specs(
           {{"free_ram_mb", ">= 1000"}, {"hypervisor_type", "QEMU"}, {"hypervisor_version", "<= 6000000"}})},
      {"ImagePropertiesFilter", with_image({{"img_hv_type", "kvm"}, {"img_hv_requested_version", ">=6.0"}})},
      {"JsonFilter",
       with_hint("query", R"(["and", [">=", "$free_ram_mb", 1000], ["=", "$stats.gpus", "1"], ["=", "$cpu_info.x"]])")},
      {"JsonFilter", with_hint("query", R"(["or", ["<", "$free_ram_mb", 1000], ["=", "$hypervisor_type", "QEMU"]])")}};
  for (const auto& [filter, request] : questions) {
    const auto expected = alone.passing(filter, request);
    EXPECT_EQ(sharing.passing(filter, request), expected) << filter;
    EXPECT_NE(expected.size(), hosts.size()) << filter;
  }
}

}  // namespace
}  // namespace filter_driver

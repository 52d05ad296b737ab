// SPDX-License-Identifier: Apache-2.0
#include "tests/cli/commands/nova_import.hpp"

namespace gantry::cli::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* icehouse_conf = R"([DEFAULT]
scheduler_driver=nova.scheduler.filter_scheduler.FilterScheduler
scheduler_default_filters=RetryFilter,AvailabilityZoneFilter,RamFilter,ComputeFilter,CoreFilter
scheduler_available_filters=nova.scheduler.filters.all_filters
scheduler_weight_classes=nova.scheduler.weights.ram.RAMWeigher
scheduler_max_attempts=5
scheduler_host_subset_size=2
ram_weight_multiplier=-2.5
cpu_allocation_ratio=16.0
ram_allocation_ratio=0
max_io_ops_per_host=4
isolated_images=8940aefa-c537-4b99-ba0c-eda76fed809f
rpc_backend=nova.openstack.common.rpc.impl_kombu
)";

TEST(ImportNova, CarriesTheOptionsOfZedOver) {
  const config::Settings settings = Import().load({zed_conf}, {"--compatibility", "zed"});
  EXPECT_THAT(settings.scheduler_driver, ElementsAre("filter"));
  EXPECT_EQ(settings.scheduling.service_down_time, std::chrono::seconds(120));
  EXPECT_EQ(settings.scheduling.default_availability_zone, "az-north");
  EXPECT_EQ(option<std::string>(settings, "compatibility"), "zed");
  EXPECT_EQ(settings.scheduling.max_attempts, 10U);
  EXPECT_EQ(option<std::int64_t>(settings, "host_subset_size"), 3);
  EXPECT_EQ(option<double>(settings, "cpu_weight_multiplier"), -1.0);
  EXPECT_THAT(option<Texts>(settings, "isolated_hosts"), ElementsAre("gpu1", "gpu2"));
  EXPECT_EQ(option<std::string>(settings, "aggregate_image_properties_isolation_namespace"), "os");
  EXPECT_EQ(option<bool>(settings, "restrict_isolated_hosts_to_isolated_images"), false);
  EXPECT_THAT(option<Texts>(settings, "metrics_weight_setting"),
              ElementsAre("cpu.frequency=1.5", "cpu.user.percent = -2"));
  EXPECT_EQ(option<bool>(settings, "metrics_required"), false);
  EXPECT_FALSE(has_option(settings, "ram_weight_multiplier"));
}

TEST(ImportNova, AddsFiltersForWhatZedLeavesToPlacement) {
  EXPECT_THAT(option<Texts>(Import().load({zed_conf}, {"--compatibility", "zed"}), "enabled_filters"),
              ElementsAre("ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter",
                          "ServerGroupAntiAffinityFilter", "NUMATopologyFilter", "AggregateInstanceExtraSpecsFilter",
                          "PciPassthroughFilter", "AvailabilityZoneFilter", "CoreFilter", "RamFilter", "DiskFilter"));
  EXPECT_THAT(option<Texts>(Import().load({"[filter_scheduler]\nenabled_filters = AggregateCoreFilter,RamFilter\n"
                                           "[scheduler]\nquery_placement_for_availability_zone = 0\n"},
                                          {"--compatibility", "zed"}),
                            "enabled_filters"),
              ElementsAre("AggregateCoreFilter", "RamFilter", "DiskFilter"));
}

TEST(ImportNova, SaysWhichFiltersItAddedAndByWhichNumbersTheyJudge) {
  const Ran zed = Import().run({"[scheduler]\n"});
  for (const std::string& said : {zed.out, zed.err})
    EXPECT_THAT(said, HasSubstr("AvailabilityZoneFilter, CoreFilter, RamFilter, DiskFilter: added, for Nova had its "
                                "placement service see to that; room is judged as there, by total, use (reserved "
                                "amounts included) and allocation ratio; disk_available_least does not count"));
  const Ran ocata =
      Import().run({"[filter_scheduler]\nenabled_filters = RamFilter,CoreFilter\n"}, {"--compatibility", "ocata"});
  EXPECT_THAT(ocata.err, HasSubstr("DiskFilter: added, for Nova had its placement service see to that; "
                                   "disk_available_least counts\n"));
  EXPECT_THAT(Import().run({"[filter_scheduler]\n"}, {"--compatibility", "icehouse"}).err, Not(HasSubstr("added")));
}

TEST(ImportNova, SaysThatThePlacementServiceKeptVcpusFree) {
  EXPECT_THAT(Import().run({"[DEFAULT]\nreserved_host_cpus = 2\nreserved_host_disk_mb = 1024\n"}).err,
              AllOf(HasSubstr("no counterpart: [DEFAULT] reserved_host_cpus = 2"), HasSubstr("1 not needed")));
}

TEST(ImportNova, TakesTheRatioThatNovaWould) {
  const config::Settings settings = Import().load({zed_conf});
  EXPECT_EQ(settings.scheduling.cpu_allocation_ratio, 4.0);
  EXPECT_EQ(settings.scheduling.ram_allocation_ratio, 1.2);
  EXPECT_EQ(settings.scheduling.disk_allocation_ratio, 1.0);
  EXPECT_FALSE(has_option(settings, "cpu_allocation_ratio"));
}

TEST(ImportNova, NamesOptionsWithoutACounterpart) {
  const Ran ran = Import().run({zed_conf});
  for (const std::string& said : {ran.out, ran.err})
    EXPECT_THAT(said,
                AllOf(HasSubstr("[scheduler] limit_tenants_to_placement_aggregate = True"),
                      HasSubstr("AggregateMultiTenancyIsolation"), HasSubstr("RackAwareFilter\" is none of Nova's"),
                      HasSubstr("site.filters.rack_filter.RackFilter: Python classes"), HasSubstr("0.conf:16)")));
}

TEST(ImportNova, CarriesTheOptionsOfIcehouseOverUnderTheirOlderNames) {
  const config::Settings settings = Import().load({icehouse_conf}, {"--compatibility", "icehouse"});
  EXPECT_EQ(option<std::string>(settings, "compatibility"), "icehouse");
  EXPECT_THAT(option<Texts>(settings, "enabled_filters"),
              ElementsAre("RetryFilter", "AvailabilityZoneFilter", "RamFilter", "ComputeFilter", "CoreFilter"));
  EXPECT_THAT(option<Texts>(settings, "weight_classes"), ElementsAre("nova.scheduler.weights.ram.RAMWeigher"));
  EXPECT_EQ(settings.scheduling.max_attempts, 5U);
  EXPECT_EQ(option<std::int64_t>(settings, "host_subset_size"), 2);
  EXPECT_EQ(option<double>(settings, "ram_weight_multiplier"), -2.5);
  EXPECT_EQ(option<double>(settings, "cpu_allocation_ratio"), 16.0);
  EXPECT_EQ(option<double>(settings, "ram_allocation_ratio"), 0.0);
  EXPECT_EQ(option<std::int64_t>(settings, "max_io_ops_per_host"), 4);
  EXPECT_EQ(settings.scheduling.ram_allocation_ratio, 1.5);
}

TEST(ImportNova, CountsNothingUnderNamesThatTheReleaseDoesNotRead) {
  const Texts files{
      "[filter_scheduler]\nhost_subset_size = 2\n",
      "[DEFAULT]\nscheduler_host_subset_size = 100\nram_weight_multiplier = 1,5\nmax_io_ops_per_host = $x\n"};
  const auto zed = Import().load(files, {"--compatibility", "zed"});
  EXPECT_EQ(option<std::int64_t>(zed, "host_subset_size"), 2);
  EXPECT_FALSE(has_option(zed, "ram_weight_multiplier"));
  const Texts sound{files[0], "[DEFAULT]\nscheduler_host_subset_size = 100\n"};
  EXPECT_EQ(option<std::int64_t>(Import().load(sound, {"--compatibility", "ocata"}), "host_subset_size"), 100);
  const Texts turned{sound[1], sound[0]};
  EXPECT_EQ(option<std::int64_t>(Import().load(turned, {"--compatibility", "ocata"}), "host_subset_size"), 2);
  const Ran icehouse = Import().run(turned, {"--compatibility", "icehouse"});
  EXPECT_THAT(icehouse.out, AllOf(HasSubstr("host_subset_size = 100"),
                                  HasSubstr("[filter_scheduler] host_subset_size ("), HasSubstr("does not read it")));
}

TEST(ImportNova, CarriesNoOptionThatTheReleaseDoesNotHaveYet) {
  const Texts files{"[filter_scheduler]\nhypervisor_version_weight_multiplier = x\ncpu_weight_multiplier = y\n"};
  EXPECT_EQ(Import().run(files, {"--compatibility", "ocata"}).code, 0);
  EXPECT_THAT(fault_of(files[0], {"--compatibility", "zed"}), Not(HasSubstr("hypervisor_version")));
}

TEST(ImportNova, TakesAnEmptyNumberForNone) {
  const auto settings = Import().load({"[DEFAULT]\ncpu_allocation_ratio =\ninitial_cpu_allocation_ratio = 2.0\n"
                                       "[filter_scheduler]\nhost_subset_size = ''\n"},
                                      {"--compatibility", "zed"});
  EXPECT_EQ(settings.scheduling.cpu_allocation_ratio, 2.0);
  EXPECT_FALSE(has_option(settings, "host_subset_size"));
  EXPECT_THAT(Import().run({"[scheduler]\nmax_attempts =\n"}).err,
              AllOf(HasSubstr("[scheduler] max_attempts"), HasSubstr("it is empty"), HasSubstr("the default holds")));
}

TEST(ImportNova, TakesAsManyAttemptsAsThereCanBe) {
  EXPECT_EQ(Import().load({"[scheduler]\nmax_attempts = 1000\n"}).scheduling.max_attempts, 101U);
  EXPECT_THAT(Import().run({"[scheduler]\nmax_attempts = 1000\n"}).out,
              HasSubstr("Nova's 1000: Gantry names a hundred"));
}

TEST(ImportNova, NamesOptionsAboutSchedulingInOtherSections) {
  const Ran ran =
      Import().run({"[DEFAULT]\nhost_subset_size = 30\n[default]\nmax_io_ops_per_host = 4\n"
                    "[ filter_scheduler ]\nram_weight_multiplier = -1.0\n[scheduler_filter]\n"
                    "max_instances_per_host = 9\n[libvirt]\nservice_down_time = 3\nvirt_type = kvm\n"
                    "[DEFAULT]\nservce_down_time = 90\n[conductor]\nworkers = 2\n"});
  for (const std::string& said : {ran.out, ran.err})
    EXPECT_THAT(said, AllOf(HasSubstr("[DEFAULT] host_subset_size ("), HasSubstr("Nova reads it in [filter_scheduler]"),
                            HasSubstr("[default] max_io_ops_per_host"), HasSubstr("did you mean [DEFAULT]?"),
                            HasSubstr("[ filter_scheduler ] ram_weight_multiplier"),
                            HasSubstr("[scheduler_filter] max_instances_per_host"),
                            HasSubstr("did you mean [filter_scheduler]?"), HasSubstr("[libvirt] service_down_time"),
                            HasSubstr("did you mean service_down_time?")));
  EXPECT_THAT(ran.err, HasSubstr("2 that are not about scheduling"));
}

TEST(ImportNova, TakesReleasesByTheirYear) {
  EXPECT_THAT(Import().run({""}, {"--compatibility", "2024.2"}).out, HasSubstr("\ncompatibility = \"dalmatian\"\n"));
  const Ran ran = Import().run({""}, {"--compatibility", "train"});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr("train has no level of its own: take zed"));
}

TEST(ImportNova, WarnsOfNamesThatTheReleaseDoesNotRead) {
  EXPECT_THAT(Import().run({icehouse_conf}).err,
              AllOf(HasSubstr("[DEFAULT] scheduler_default_filters"), HasSubstr("--compatibility ocata or icehouse")));
  EXPECT_THAT(Import().run({icehouse_conf}, {"--compatibility", "icehouse"}).err, Not(HasSubstr("warning")));
}

TEST(ImportNova, TakesTheReleasesDefaultWhereNoFileSaysOtherwise) {
  EXPECT_THAT(option<Texts>(Import().load({""}), "enabled_filters"),
              ElementsAre("ComputeFilter", "ComputeCapabilitiesFilter", "ImagePropertiesFilter",
                          "ServerGroupAntiAffinityFilter", "ServerGroupAffinityFilter", "AvailabilityZoneFilter",
                          "CoreFilter", "RamFilter", "DiskFilter"));
  EXPECT_THAT(option<Texts>(Import().load({""}, {"--compatibility", "ocata"}), "enabled_filters"),
              ElementsAre("RetryFilter", "AvailabilityZoneFilter", "RamFilter", "DiskFilter", "ComputeFilter",
                          "ComputeCapabilitiesFilter", "ImagePropertiesFilter", "ServerGroupAntiAffinityFilter",
                          "ServerGroupAffinityFilter", "CoreFilter"));
  EXPECT_THAT(
      option<Texts>(Import().load({""}, {"--compatibility", "icehouse"}), "enabled_filters"),
      ElementsAre("RetryFilter", "AvailabilityZoneFilter", "RamFilter", "ComputeFilter", "ComputeCapabilitiesFilter",
                  "ImagePropertiesFilter", "ServerGroupAntiAffinityFilter", "ServerGroupAffinityFilter"));
}

TEST(ImportNova, TakesTheReleasesInitialRatiosWhereNoFileSaysOtherwise) {
  const auto ratios = [](const std::string& conf, const std::string& release) {
    const auto scheduling = Import().load({conf}, {"--compatibility", release}).scheduling;
    return std::pair(scheduling.cpu_allocation_ratio, scheduling.ram_allocation_ratio);
  };
  EXPECT_EQ(ratios("", "zed"), std::pair(16.0, 1.5));
  EXPECT_EQ(ratios("", "antelope"), std::pair(4.0, 1.0));
  EXPECT_EQ(ratios("", "hibiscus"), std::pair(4.0, 1.0));
  EXPECT_EQ(ratios("[DEFAULT]\ninitial_cpu_allocation_ratio=8\n", "epoxy"), std::pair(8.0, 1.0));
}

TEST(ImportNova, TakesTheMultipliersThatCameWithBobcat) {
  const config::Settings settings = Import().load(
      {"[filter_scheduler]\nhypervisor_version_weight_multiplier=-1\nnum_instances_weight_multiplier=0.5\n"},
      {"--compatibility", "bobcat"});
  EXPECT_EQ(option<std::string>(settings, "compatibility"), "bobcat");
  EXPECT_EQ(option<double>(settings, "hypervisor_version_weight_multiplier"), -1.0);
  EXPECT_EQ(option<double>(settings, "num_instances_weight_multiplier"), 0.5);
}

TEST(ImportNova, TakesTheOptionsOfImagePropertiesWeigher) {
  const std::string conf =
      "[filter_scheduler]\nimage_props_weight_multiplier=-2\nimage_props_weight_setting=os_distro=1, "
      "hw_machine_type=0.5\n"
      "weight_classes=nova.scheduler.weights.image_props.ImagePropertiesWeigher\n";
  const config::Settings settings = Import().load({conf}, {"--compatibility", "epoxy"});
  EXPECT_EQ(option<double>(settings, "image_props_weight_multiplier"), -2.0);
  EXPECT_THAT(option<Texts>(settings, "image_props_weight_setting"), ElementsAre("os_distro=1", "hw_machine_type=0.5"));
  EXPECT_THAT(option<Texts>(settings, "weight_classes"), ElementsAre(HasSubstr("ImagePropertiesWeigher")));
}

TEST(ImportNova, LetsTheZoneDecideFromBobcatOnWhateverTheFileSays) {
  const std::string conf = "[scheduler]\nquery_placement_for_availability_zone=false\n";
  EXPECT_THAT(option<Texts>(Import().load({conf}, {"--compatibility", "antelope"}), "enabled_filters"),
              Not(testing::Contains("AvailabilityZoneFilter")));
  EXPECT_THAT(option<Texts>(Import().load({conf}, {"--compatibility", "bobcat"}), "enabled_filters"),
              testing::Contains("AvailabilityZoneFilter"));
}

TEST(ImportNova, LetsLaterFilesAndLaterLinesWin) {
  const config::Settings settings =
      Import().load({"[filter_scheduler]\nhost_subset_size=1\nhost_subset_size=2\nmax_io_ops_per_host=7\n",
                     "[DEFAULT]\nmax_io_ops_per_host=9\n[FILTER_SCHEDULER]\nhost_subset_size=5\nhost_subset_size=6\n"},
                    {"--compatibility", "ocata"});
  EXPECT_EQ(option<std::int64_t>(settings, "host_subset_size"), 6);
  EXPECT_EQ(option<std::int64_t>(settings, "max_io_ops_per_host"), 9);
}

TEST(ImportNova, ReadsTheFilesOfADirectoryByName) {
  const support::ScratchDirectory directory;
  directory.write("20.conf", "[scheduler]\nmax_attempts=20\n");
  directory.write("10.conf", "[scheduler]\nmax_attempts=10\n");
  directory.write("30.conf.bak", "[scheduler]\nmax_attempts=30\n");
  EXPECT_THAT(run({"config", "import-nova", directory.path()}).out,
              AllOf(HasSubstr("max_attempts = 20"), HasSubstr("10.conf"), HasSubstr("[scheduler] max_attempts, ")));
  EXPECT_EQ(run({"config", "import-nova", support::ScratchDirectory().path()}).code, exit_code::failure);
}

TEST(ImportNova, ReadsStandardInput) {
  FakeDaemon daemon;
  const Ran ran = run(daemon, {"config", "import-nova", "-"}, "[scheduler]\nmax_attempts=4\n");
  EXPECT_THAT(ran.out, HasSubstr("# [scheduler] max_attempts, standard input:2\nmax_attempts = 4\n"));
  EXPECT_EQ(daemon.asked_in_all(), 0U);
}

TEST(ImportNova, ResolvesReferencesAsNovaDoes) {
  const auto zone = [](const std::string& value, const std::string& more = "") {
    return Import()
        .load({"[DEFAULT]\ndefault_availability_zone = " + value + "\n" + more})
        .scheduling.default_availability_zone;
  };
  EXPECT_EQ(zone("$site/${rack}b", "site=s1\nrack=r$site\n"), "s1/rs1b");
  EXPECT_EQ(zone("${neutron.region}", "[neutron]\nregion=north\n"), "north");
  EXPECT_EQ(zone("a$$b\\$c$9 $"), "a$b$c$9 $");
  EXPECT_EQ(Import().load({"[scheduler]\nmax_attempts=$n\nn=8\n[DEFAULT]\nn=9\n"}).scheduling.max_attempts, 8U);
}

TEST(ImportNova, RefusesReferencesThatLeadNowhere) {
  EXPECT_THAT(fault_of("[DEFAULT]\ndefault_availability_zone = $my_zone\n"),
              AllOf(HasSubstr("0.conf:2: key '[DEFAULT] default_availability_zone': expected"), HasSubstr("$my_zone")));
  EXPECT_THAT(fault_of("[DEFAULT]\ndefault_availability_zone = $a\na=$b\nb=x$a\n"), HasSubstr("circle"));
  std::string tree = "[DEFAULT]\ndefault_availability_zone = $a0\n";
  for (int i = 0; i < 30; ++i)
    tree += "a" + std::to_string(i) + "=$a" + std::to_string(i + 1) + "$a" + std::to_string(i + 1) + "\n";
  EXPECT_THAT(fault_of(tree + "a30=\n"), HasSubstr("at most 1000 references"));
}

struct Wrong {
  const char* text;
  std::vector<const char*> said;
};

class ImportNovaRefuses : public testing::TestWithParam<Wrong> {};

TEST_P(ImportNovaRefuses, NamesPlaceExpectedAndFound) {
  const std::string said = fault_of(GetParam().text);
  for (const char* part : GetParam().said) EXPECT_THAT(said, HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    Each, ImportNovaRefuses,
    testing::Values(
        Wrong{"[scheduler]\n\nmax_attempts = three\n",
              {"0.conf:3: key '[scheduler] max_attempts': expected a whole number, found \"three\""}},
        Wrong{"[scheduler]\nmax_attempts = 0\n", {"0.conf:2:", "expected at least 1, found 0"}},
        Wrong{"[scheduler]\nmax_attempts = 3 # three\n", {"expected a whole number", "3 # three"}},
        Wrong{"[scheduler]\nmax_attempts = 99999999999999999999\n", {"expected a whole number"}},
        Wrong{"[filter_scheduler]\nram_weight_multiplier = 1,5\n", {"expected a number, found \"1,5\""}},
        Wrong{"[filter_scheduler]\nram_weight_multiplier = nan\n", {"expected a number, found \"nan\""}},
        Wrong{"[filter_scheduler]\npci_weight_multiplier = -1\n", {"expected at least 0, found -1.0"}},
        Wrong{"[filter_scheduler]\nshuffle_best_same_weighed_hosts = maybe\n", {"expected true or false", "maybe"}},
        Wrong{"[filter_scheduler]\nenabled_filters = RamFilter,,CoreFilter\n", {"found an empty one"}},
        Wrong{"[filter_scheduler]\nimage_properties_default_architecture = x86_46\n",
              {"expected an architecture", "did you mean x86_64?"}},
        Wrong{"[metrics]\nweight_setting = cpu.frequency=1, load\n", {"cpu.frequency=1.5", "found \"load\""}},
        Wrong{"[DEFAULT]\nservice_down_time = 0\n", {"[DEFAULT] service_down_time", "expected at least 1, found 0"}},
        Wrong{"[DEFAULT]\ncpu_allocation_ratio = -4\n", {"expected at least 0, found -4.0"}},
        Wrong{"[DEFAULT]\nram_allocation_ratio = 1e9\n", {"expected a number, 0.001 to 1000000"}},
        Wrong{"[scheduler]\nmax_attempts = x\n[metrics]\nrequired = x\n", {"0.conf:2:", "0.conf:4:"}},
        Wrong{"max_attempts = 3\n", {"0.conf:1: expected a section"}},
        Wrong{"[scheduler]\nmax_attempts\n", {"0.conf:2: expected key = value, found \"max_attempts\""}},
        Wrong{"[scheduler\n", {"0.conf:1: expected a section such as [scheduler]"}},
        Wrong{"[]\n", {"0.conf:1: expected a section"}},
        Wrong{"[scheduler]\n  max_attempts = 3\n", {"0.conf:2:", "after no key to go on with"}},
        Wrong{"[scheduler]\n= 3\n", {"0.conf:2: expected a key in front of ="}},
        Wrong{"[scheduler]\nx = \xff\n", {"0.conf:2: expected text in UTF-8"}}));

TEST(ImportNova, AllowsNegativeMultipliersWhereTheReleaseDoes) {
  EXPECT_EQ(option<double>(Import().load({"[filter_scheduler]\nsoft_affinity_weight_multiplier = -1\n"},
                                         {"--compatibility", "ocata"}),
                           "soft_affinity_weight_multiplier"),
            -1.0);
}

TEST(ImportNova, NamesMisspeltSchedulerOptions) {
  EXPECT_THAT(Import().run({"[filter_scheduler]\nenabled_filter = RamFilter\n"}).err,
              AllOf(HasSubstr("[filter_scheduler] enabled_filter"), HasSubstr("did you mean enabled_filters?")));
}

TEST(ImportNova, ShowsNoSecrets) {
  const Ran ran = Import().run({std::string(zed_conf) + "[trusted_computing]\nattestation_auth_blob = hidden\n"});
  EXPECT_THAT(ran.out + ran.err,
              AllOf(Not(HasSubstr("hidden")), Not(HasSubstr("secret")),
                    HasSubstr("[trusted_computing] attestation_auth_blob"), HasSubstr("[placement] *")));
}

TEST(ImportNova, CountsOptionsThatAreNotAboutScheduling) {
  EXPECT_THAT(
      Import().run({"[DEFAULT]\ndebug=1\n[libvirt]\nvirt_type=kvm\n[scheduler]\nmax_attempts=1\n"}).err,
      HasSubstr("1 options carried over, 0 without a counterpart, 0 not needed, 2 that are not about scheduling"));
  EXPECT_THAT(Import().run({"[DEFAULT]\ndebug=1\n"}, {"--quiet"}).err, IsEmpty());
}

TEST(ImportNova, WritesJsonToo) {
  const Ran ran = Import().run({zed_conf}, {"-o", "json"});
  const auto answer = json::parse_object(ran.out);
  ASSERT_TRUE(answer) << ran.out;
  const json::array* carried = json::find_array(*answer, "carried");
  ASSERT_NE(carried, nullptr);
  EXPECT_THAT(
      json::write(*carried),
      AllOf(
          HasSubstr(
              R"("key":"driver.filter.host_subset_size","value":3,"from":{"section":"filter_scheduler","option":"host_subset_size",)"),
          HasSubstr(R"("line":27)")));
  EXPECT_EQ(json::find_array(*answer, "no_counterpart")->size(), 3U);
  EXPECT_EQ(json::find_integer(*answer, "passed_over"), 5);
  EXPECT_THAT(json::write(*json::find_array(*answer, "for_deployments")),
              HasSubstr(R"({"section":"placement","option":"*",)"));
  EXPECT_THAT(Import().run({zed_conf}, {"-o", "value"}).out, HasSubstr("driver.filter.host_subset_size\t3\n"));
}

TEST(ImportNova, ShowsNoControlCharactersOfTheFiles) {
  const Ran ran = Import().run({"[scheduler]\nhost_manager = a\x1b[31m\n  b\nmax_attempts=2\n"});
  EXPECT_THAT(ran.out + ran.err, Not(HasSubstr("\x1b")));
  EXPECT_EQ(Import().load({"[scheduler]\nhost_manager = a\x1b[31m\n  b\nmax_attempts=2\n"}).scheduling.max_attempts,
            2U);
}

TEST(ImportNova, SaysWhichFileIsMissing) {
  const Ran ran = run({"config", "import-nova", "/nowhere/nova.conf"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("/nowhere/nova.conf"));
  EXPECT_EQ(run({"config", "import-nova"}).code, exit_code::usage);
  EXPECT_EQ(run({"config", "import-nova", "x", "--compatibility", "train"}).code, exit_code::usage);
}

TEST(ImportNova, TakesChanceForTheChanceScheduler) {
  const Texts files{"[scheduler]\ndriver = chance_scheduler\n[filter_scheduler]\nhost_subset_size = 3\n"};
  const auto settings = Import().load(files);
  EXPECT_THAT(Import().run(files).err, Not(HasSubstr("enabled_filters")));
  EXPECT_THAT(settings.scheduler_driver, ElementsAre("chance"));
  EXPECT_FALSE(settings.drivers.contains("filter"));
  EXPECT_THAT(Import().run({"[scheduler]\ndriver = site.Scheduler\n"}).err,
              HasSubstr("[scheduler] driver = site.Scheduler"));
}

}  // namespace
}  // namespace gantry::cli::test

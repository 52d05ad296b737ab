// SPDX-License-Identifier: Apache-2.0
//
// import-nova for Gantry in the place of nova-scheduler: the files that it names, and the release of the site.
#include "tests/cli/commands/nova_import.hpp"

namespace gantry::cli::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(ImportNova, SaysWhichOptionsGantryReadsInADeployment) {
  const Ran ran = Import().run({zed_conf});
  EXPECT_THAT(ran.out, HasSubstr("\n# For Gantry in the place of nova-scheduler alone, where [nova] config_files names "
                                 "the files:\n#   [DEFAULT] transport_url ("));
  EXPECT_THAT(ran.err, AllOf(HasSubstr("limit_tenants_to_placement_aggregate = True"),
                             HasSubstr("Gantry follows it where [nova] config_files names the file"),
                             HasSubstr("import-nova --serve")));
  EXPECT_THAT(Import().run({"[scheduler]\nmax_attempts = 4\n"}).err, Not(HasSubstr("--serve")));
  EXPECT_THAT(
      Import().run({"[placement]\npassword = hidden\n"}, {"--compatibility", "ocata"}).out,
      AllOf(HasSubstr("[placement] *"), HasSubstr("Gantry asks no placement service"), Not(HasSubstr("hidden"))));
}

constexpr const char* deployment = R"([DEFAULT]
transport_url = rabbit://nova:hidden@127.0.0.1:5672/
service_down_time = 90
[api_database]
connection = mysql+pymysql://nova:hidden@127.0.0.1/nova_api
[database]
connection = mysql+pymysql://nova:hidden@127.0.0.1/nova
[placement]
auth_type = admin_token
endpoint_override = http://127.0.0.1:8778
token = hidden
[scheduler]
limit_tenants_to_placement_aggregate = True
)";

TEST(ImportNova, NamesTheFilesOfADeploymentAndShowsTheirValues) {
  const Import import;
  const Ran ran = import.run({deployment}, {"--compatibility", "zed", "--serve"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string file = import.path() + "/0.conf";
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\n[nova]\nconfig_files = [\"" + file + "\"]\n"),
                             HasSubstr("\n#[scheduling]\n# " + file + ":3\n#service_down_time = 90\n"),
                             HasSubstr("\n#transport_url = \"****\"\n"), HasSubstr("\nscheduler_driver = \"filter\"\n"),
                             HasSubstr("#   [placement] token = \"****\" (" + file + ":11)\n"),
                             HasSubstr("#   [scheduler] limit_tenants_to_placement_aggregate = true ("),
                             Not(HasSubstr("CoreFilter")), Not(HasSubstr("hidden"))));
  config::Sources sources;
  sources.file = import.files().write("gantry.toml", ran.out);
  const auto loaded = config::load(sources);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->settings.nova.limit_tenants_to_placement_aggregate);
  EXPECT_EQ(loaded->settings.scheduling.service_down_time, std::chrono::seconds(90));
  EXPECT_THAT(import.run({deployment}, {"--compatibility", "zed", "--serve", "-o", "json"}).out,
              AllOf(HasSubstr("\"config_files\""), HasSubstr("[placement] auth_type"), Not(HasSubstr("hidden"))));
  EXPECT_THAT(import.run({deployment}, {"--compatibility", "zed", "--serve", "-o", "value"}).out,
              HasSubstr("nova.transport_url\t\"****\"\n"));
}

TEST(ImportNova, SaysWhatAServingGantryDoesNotFollow) {
  const std::string more =
      "max_atempts = 9\nservicegroup_driver = mc\n[filter_scheduler]\nsite_rack_weight = 2.0\n"
      "enabled_filters = ComputeFilter,RackFilter\navailable_filters = site.filters.RackFilter\n[DEFAULT]\n"
      "reserved_host_cpus = 2\nservicegroup_driver = mc\n";
  const Ran ran = Import().run({deployment + more}, {"--compatibility", "zed", "--serve"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto at = ran.out.find("\n# Options of the files that Gantry does not follow:\n");
  ASSERT_NE(at, std::string::npos) << ran.out;
  EXPECT_THAT(
      ran.out.substr(at),
      AllOf(HasSubstr("#   [scheduler] max_atempts ("), HasSubstr("did you mean max_attempts?"),
            HasSubstr("#   [filter_scheduler] site_rack_weight ("), HasSubstr("RackFilter\" is none of Nova's"),
            HasSubstr("site.filters.RackFilter: Python classes"), HasSubstr("[DEFAULT] servicegroup_driver = mc"),
            Not(HasSubstr("limit_tenants_to_placement_aggregate")), Not(HasSubstr("reserved_host_cpus"))));
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("max_atempts"), HasSubstr("warning: no counterpart: [DEFAULT] servicegroup_driver"),
                    HasSubstr("site_rack_weight"), HasSubstr("RackFilter")));
  EXPECT_THAT(ran.out, HasSubstr("\n# Options of the files that Gantry follows, and has no key for:\n"));
}

TEST(ImportNova, ServesTheReleaseThatItIsToldWithItsDefaults) {
  const std::string& deployment =
      "[DEFAULT]\ntransport_url = rabbit://n:hidden@h/\n[database]\nconnection = "
      "mysql://n:hidden@h/nova\n[api_database]\nconnection = mysql://n:hidden@h/nova_api\n"
      "[placement]\nauth_type = none\nendpoint_override = http://h/\n";
  const Ran ran = Import().run({deployment}, {"--serve", "--compatibility", "epoxy"});
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\n[driver.filter]\n"), HasSubstr("\ncompatibility = \"epoxy\"\n"),
                             HasSubstr("#cpu_allocation_ratio = 4.0\n")))
      << ran.err;
  EXPECT_THAT(Import().run({deployment}, {"--serve", "--compatibility", "zed"}).out,
              AllOf(HasSubstr("\ncompatibility = \"zed\"\n"), Not(HasSubstr("cpu_allocation_ratio"))));
}

TEST(ImportNova, IsForTheNewestReleaseWhereTheFilesNameNoDatabase) {
  const Ran ran = Import().run({"[scheduler]\nmax_attempts = 3\n"});
  EXPECT_THAT(ran.out, HasSubstr("\ncompatibility = \"hibiscus\"\n"));
  for (const std::string& said : {ran.out, ran.err})
    EXPECT_THAT(said,
                HasSubstr("compatibility: hibiscus, the newest, for the files name no database that would show the "
                          "release; --compatibility names another\n"));
  EXPECT_THAT(Import().run({"[scheduler]\n"}, {"-o", "json"}).out,
              AllOf(HasSubstr("\"compatibility\": \"hibiscus\""), HasSubstr("\"how\": \"default\"")));
}

TEST(ImportNova, WantsToBeToldTheReleaseWhereTheDatabaseCannotShowIt) {
  const std::string away = "[database]\nconnection = mysql+pymysql://nova:hidden@127.0.0.1:1/nova\n";
  for (const Texts& options : {Texts{}, Texts{"--serve"}}) {
    const Ran ran = Import().run({away}, options);
    EXPECT_EQ(ran.code, exit_code::failure);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err,
                AllOf(HasSubstr("the release of Nova: expected that the databases which the files name show it"),
                      HasSubstr("[database] connection"), HasSubstr("127.0.0.1:1"),
                      HasSubstr("; name it with --compatibility RELEASE"), Not(HasSubstr("hidden"))));
  }
  const std::string sqlite = "[api_database]\nconnection = sqlite:////var/lib/nova/nova.sqlite\n";
  EXPECT_THAT(Import().run({sqlite}).err, AllOf(HasSubstr("[api_database] connection"), HasSubstr("--compatibility")));
  EXPECT_THAT(Import().run({away}, {"--compatibility", "caracal"}).out, HasSubstr("\ncompatibility = \"caracal\"\n"));
}

TEST(ImportNova, ListsEachDefaultOfTheReleaseThatIsNotTheSites) {
  const std::string conf =
      "[DEFAULT]\nram_allocation_ratio = 2.0\n[filter_scheduler]\nram_weight_multiplier = 2.0\ncpu_weight_multiplier = "
      "1\nenabled_filters = ComputeFilter\n[scheduler]\nquery_placement_for_availability_zone = false\n";
  const auto lines = [&](const std::string& release) {
    Texts found;
    std::istringstream err(Import().run({conf}, {"--compatibility", release}).err);
    constexpr std::string_view start = "gantry: default: ";
    for (std::string line; std::getline(err, line);)
      if (line.starts_with(start)) found.push_back(line.substr(start.size()));
    return found;
  };
  const auto filters =
      HasSubstr("[filter_scheduler] enabled_filters: [\"ComputeFilter\", \"ComputeCapabilitiesFilter\"");
  const auto ram_ratio = HasSubstr(
      "[DEFAULT] initial_ram_allocation_ratio: 1.5 by default, the files say "
      "ram_allocation_ratio = 2.0 (");
  const auto ram = HasSubstr("[filter_scheduler] ram_weight_multiplier: 1.0 by default, the files say 2.0 (");
  const auto zone =
      HasSubstr("[scheduler] query_placement_for_availability_zone: true by default, the files say false (");
  EXPECT_THAT(lines("zed"), ElementsAre(filters, ram_ratio, zone, ram));
  const auto cpu_ratio = std::string(
      "[DEFAULT] initial_cpu_allocation_ratio: 4.0 by default since antelope, 16.0 in zed; the files say nothing");
  const auto later_ram_ratio = HasSubstr(
      "initial_ram_allocation_ratio: 1.0 by default since antelope, the files say "
      "ram_allocation_ratio = 2.0 (");
  EXPECT_THAT(lines("antelope"), ElementsAre(filters, cpu_ratio, later_ram_ratio, zone, ram));
  EXPECT_THAT(
      lines("hibiscus"),
      ElementsAre(filters, cpu_ratio, later_ram_ratio,
                  "[filter_scheduler] hypervisor_version_weight_multiplier: 1.0 by default since bobcat, no such "
                  "option in zed; the files say nothing",
                  HasSubstr("[scheduler] query_placement_for_availability_zone: not read since bobcat, the files "
                            "say false ("),
                  ram));
}

TEST(ImportNova, RefusesDeploymentsThatGantryCannotServe) {
  EXPECT_THAT(
      fault_of("[database]\nconnection = postgresql://nova:hidden@h/nova\n", {"--serve", "--compatibility", "zed"}),
      AllOf(HasSubstr("PostgreSQL"), HasSubstr("transport_url"), Not(HasSubstr("hidden"))));
  EXPECT_EQ(run({"config", "import-nova", "--serve", "-"}).code, exit_code::usage);
  EXPECT_THAT(fault_of(std::string(deployment) + "[database]\nconnection = mysql://nova:hidden@h/nova?speed=1\n",
                       {"--serve", "--compatibility", "zed"}),
              AllOf(HasSubstr("parameter 'speed'"), Not(HasSubstr("hidden"))));
  EXPECT_EQ(run({"config", "import-nova", "--serve", "--compatibility", "ocata", "x"}).code, exit_code::usage);
}

}  // namespace
}  // namespace gantry::cli::test

// SPDX-License-Identifier: Apache-2.0
//
// What the commands show of libraries of filters and weighers.
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/fake_daemon.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

// The test driver with the starter project's library.
class OffersCommands : public testing::Test {
 protected:
  OffersCommands() {
    for (const std::string name : {"ranker.so", "site_filters.so"})
      directory_.add(std::string(GANTRY_ZOO_DIRECTORY) + "/" + name, name);
  }
  std::string config(const std::string& more) const {
    return directory_.write("gantry.toml", "scheduler_driver = 'ranker'\ndriver_directories = ['" +
                                               directory_.path().string() + "']\nstore.path = '" +
                                               directory_.path().string() + "/gantry.db'\nserver.socket = '" +
                                               directory_.path().string() +
                                               "/s'\n[driver.ranker]\nlibraries = ['site_filters.so']\n" + more);
  }

  drivers::TrustedDirectory directory_;
};

TEST_F(OffersCommands, ConfigCheckNamesTheOffers) {
  const Ran ran = run({"--config", config(""), "config", "check"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("ranker 1.0.0 with PowerFilter, RackFilter, PowerWeigher (site_filters 0.1.0)"));
}

// A nova.conf that enables a filter and a weigher of the site's own Python classes.
constexpr const char* site_conf = R"([DEFAULT]
transport_url = rabbit://nova:hidden@127.0.0.1/
[api_database]
connection = mysql+pymysql://nova:hidden@127.0.0.1/nova_api
[database]
connection = mysql+pymysql://nova:hidden@127.0.0.1/nova
[placement]
auth_type = none
endpoint = http://127.0.0.1:8778
[filter_scheduler]
available_filters = site.filters.RackFilter
enabled_filters = ComputeFilter, RackFilter
weight_classes = nova.scheduler.weights.all_weighers, site.weights.PowerWeigher
)";

class OffersForNova : public OffersCommands {
 protected:
  OffersForNova() { directory_.add(std::string(GANTRY_DRIVERS) + "/filter.so", "filter.so"); }
  Ran check(const std::string& libraries) const {
    const std::string place = directory_.path().string();
    const std::string conf = directory_.write("nova.conf", site_conf);
    return run({"--config",
                directory_.write("deployment.toml", "driver_directories = ['" + place + "']\nstore.path = '" + place +
                                                        "/gantry.db'\nserver.socket = '" + place +
                                                        "/s'\nnova.config_files = ['" + conf + "']\n" + libraries),
                "config", "check"});
  }
};

TEST_F(OffersForNova, ConfigCheckRefusesPythonClassesThatNoLibraryOffers) {
  const Ran ran = check("");
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  for (const char* part : {"nova.conf:12: key 'driver.filter.enabled_filters': expected", "found 'RackFilter'",
                           "nova.conf:13: key 'driver.filter.weight_classes': expected", "found 'PowerWeigher'",
                           "a library that offers the name may stand in libraries = [...] of [driver.filter]"})
    EXPECT_THAT(ran.err, HasSubstr(part));
}

TEST_F(OffersForNova, ConfigCheckTakesPythonClassesThatALibraryOffers) {
  const Ran ran = check("[driver.filter]\nlibraries = ['site_filters.so']\n");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("filter 1.0.0 with PowerFilter, RackFilter, PowerWeigher"));
  // Placement sees to room, so nothing is said of filters that would.
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("nothing keeps")));
}

TEST_F(OffersCommands, ConfigCheckRefusesAnOptionThatTheOfferDoesNotHave) {
  const Ran ran = run({"--config", config("[driver.ranker.options.PowerFilter]\nreserv_w = 1\n"), "config", "check"});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  EXPECT_THAT(ran.err, HasSubstr("gantry.toml:8:1: key 'driver.ranker.options.PowerFilter.reserv_w'"));
  EXPECT_THAT(ran.err, HasSubstr("did you mean 'reserve_w'?"));
}

TEST_F(OffersCommands, ConfigCheckShowsEachWrongOptionOfTheDriverAndOfItsOffers) {
  const Ran ran = run({"--config",
                       config("enabled_filtres = ['x']\nnosuch = 1\n[driver.ranker.options.PowerFilter]\nreserv_w = 1\n"
                              "reserve_w = 'much'\n[driver.ranker.options.NoFilter]\nx = 1\n"),
                       "config", "check"});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  for (const char* key : {"driver.ranker.enabled_filtres'", "driver.ranker.nosuch'", "PowerFilter.reserv_w'",
                          "PowerFilter.reserve_w'", "driver.ranker.options.NoFilter'"})
    EXPECT_THAT(ran.err, HasSubstr(key));
}

TEST_F(OffersCommands, InspectWarnsOfAllThatTheDaemonWouldRefuse) {
  const std::string file =
      directory_.add(std::string(GANTRY_ZOO_DIRECTORY) + "/offers_no_such_column.so", "zoo_offers.so");
  std::filesystem::permissions(file, std::filesystem::perms(0666));
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(directory_.path());
  const Ran ran = run({"driver", "inspect", "./zoo_offers.so"});
  std::filesystem::current_path(before);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr(file + ": mode: expected file"));
  EXPECT_THAT(ran.err, HasSubstr("column 'racks', which is not one of the core's"));
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("absolute path")));
}

TEST_F(OffersCommands, DriverListShowsTheOffersOfEachDriver) {
  const Ran table = run({"--config", config(""), "driver", "list"});
  EXPECT_THAT(table.out, HasSubstr("PowerFilter, RackFilter, PowerWeigher"));
  const Ran listed = run({"--config", config(""), "-o", "json", "driver", "list"});
  EXPECT_THAT(listed.out, HasSubstr("\"offer_libraries\""));
  EXPECT_THAT(listed.out, HasSubstr("\"gantry.weigher/1\""));
}

TEST_F(OffersCommands, DriverInspectShowsALibrarysOffersAndTheirOptions) {
  const Ran ran = run({"driver", "inspect", (directory_.path() / "site_filters.so").string()});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  for (const char* text : {"site_filters", "gantry.filter/1", "stats.power_left_w",
                           "options of PowerFilter:", "reserve_w", "power_weight_multiplier"})
    EXPECT_THAT(ran.out, HasSubstr(text));
}

}  // namespace
}  // namespace gantry::cli::test

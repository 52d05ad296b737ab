// SPDX-License-Identifier: Apache-2.0
//
// Options that name filters and the like: the driver's own beside those of its libraries, and what nothing guards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drivers/judge/option_check.hpp"

namespace gantry::drivers {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

Manifest parsed(const std::string& options) {
  Result<Manifest> manifest =
      parse_manifest("manifest = 1\nabi = '" GANTRY_ABI_TEXT
                     "'\nid = 'zoo'\nversion = '1'\ndescription = 'd'\ntopics = ['compute']\n"
                     "threads = 'serial'\n[options.filters]\ntype = 'strings'\ndefault = ['Even']\nhelp = 'h'\n" +
                     options);
  if (!manifest) {
    EXPECT_EQ(manifest.error().message, "");
    return {};
  }
  return *std::move(manifest);
}

std::string refused(const std::string& options) {
  const Result<Manifest> manifest =
      parse_manifest("manifest = 1\nabi = '" GANTRY_ABI_TEXT
                     "'\nid = 'zoo'\nversion = '1'\ndescription = 'd'\ntopics = ['compute']\n"
                     "threads = 'serial'\n" +
                     options);
  return manifest ? "no error" : manifest.error().message;
}

// A driver with a filter of its own, and a library that offers one and a weigher.
DriverFile driver() {
  DriverFile file;
  file.manifest = parsed("offers = 'gantry.filter/1'\nchoices = ['Even']\n");
  DriverFile& library = file.offer_libraries.emplace_back();
  library.path = "/drivers/site.so";
  library.manifest.id = "site";
  library.manifest.offers.resize(2);
  library.manifest.offers[0].name = "Rack";
  library.manifest.offers[0].kind = "gantry.filter/1";
  library.manifest.offers[1].name = "Power";
  library.manifest.offers[1].kind = "gantry.weigher/1";
  return file;
}

config::DriverSettings settings(Names names) {
  config::DriverSettings settings;
  settings.options["filters"] = {std::move(names), "gantry.toml:7:1"};
  return settings;
}

std::string check(const DriverFile& file, const config::DriverSettings& set) {
  const Result<void> checked = check_offered_names(file, set);
  return checked ? "no error" : checked.error().message;
}

TEST(OfferedNames, AcceptsOffersBesideTheDriversOwnChoices) {
  EXPECT_EQ(check(driver(), settings({"Rack", "Even"})), "no error");
  EXPECT_EQ(check(driver(), {}), "no error");
}

TEST(OfferedNames, RefusesAnUnknownNameAndListsTheKnownOnes) {
  EXPECT_THAT(check(driver(), settings({"Rcak"})),
              AllOf(HasSubstr("gantry.toml:7:1: key 'driver.zoo.filters'"), HasSubstr("one of Even, Rack"),
                    HasSubstr("found 'Rcak'"), HasSubstr("did you mean 'Rack'?")));
  EXPECT_THAT(check(driver(), settings({"Power"})), HasSubstr("'Power', which is not of kind gantry.filter/1"));
}

TEST(OfferedNames, RefusesAnOfferNamedAsAChoiceAndNamesItsFile) {
  DriverFile file = driver();
  file.offer_libraries[0].manifest.offers[1].name = "Even";
  EXPECT_THAT(check(file, {}), AllOf(HasSubstr("/drivers/site.so"), HasSubstr("'Even'"), HasSubstr("driver 'zoo'")));
}

TEST(OfferedNames, RefusesAKindOfOfferThatThisHostDoesNotKnow) {
  EXPECT_THAT(refused("[options.names]\ntype = 'strings'\ndefault = ['a']\nhelp = 'h'\noffers = 'nonsense'\n"),
              AllOf(HasSubstr("'options.names.offers'"), HasSubstr("one of gantry.filter/1, gantry.weigher/1"),
                    HasSubstr("found 'nonsense'")));
}

TEST(OfferedNames, SaysThatNoLibraryOffersAnything) {
  DriverFile file;
  file.manifest = parsed("offers = 'gantry.filter/1'\n");
  EXPECT_THAT(check(file, settings({"Rack"})), HasSubstr("expected no name, for no library offers anything of kind "
                                                         "gantry.filter/1, found 'Rack'"));
}

TEST(Guards, WarnsOfAListThatContainsNoGuard) {
  const Manifest manifest =
      parsed("[options.filters.guards.rooms]\nchoices = ['Even', 'Odd']\nwarning = 'nothing counts rooms'\n");
  EXPECT_THAT(guard_warnings(manifest, {}), IsEmpty());
  EXPECT_THAT(guard_warnings(manifest, settings({"Odd"})), IsEmpty());
  EXPECT_THAT(guard_warnings(manifest, settings({"Rack"})),
              ElementsAre("gantry.toml:7:1: key 'driver.zoo.filters': nothing counts rooms; Even or Odd would"));
}

TEST(Guards, RefusesGuardsAndOffersOfAnOptionThatIsNotAListOfStrings) {
  const std::string number = "[options.number]\ntype = 'integer'\ndefault = 1\nhelp = 'h'\n";
  EXPECT_THAT(refused(number + "offers = 'gantry.filter/1'\n"), AllOf(HasSubstr("offers"), HasSubstr("strings")));
  EXPECT_THAT(refused(number + "[options.number.guards.all]\nchoices = []\nwarning = 'w'\n"),
              AllOf(HasSubstr("guards"), HasSubstr("strings")));
  EXPECT_THAT(refused("[options.names]\ntype = 'strings'\ndefault = []\nhelp = 'h'\n"
                      "[options.names.guards.all]\nchoices = []\nwarnings = 'w'\n"),
              AllOf(HasSubstr("options.names.guards.all.warnings"), HasSubstr("'warning'")));
}

}  // namespace
}  // namespace gantry::drivers

// SPDX-License-Identifier: Apache-2.0
//
// Libraries of filters and weighers that must not load.
#include <cstdlib>

#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

class OffersRefusal : public ZooTest {
 protected:
  OffersRefusal() {
    put("plain");
    settings_.drivers["zoo"].libraries = {"zoo_offers.so"};
    settings_.drivers["zoo"].libraries_origin = "/etc/gantry/gantry.toml:9:1";
  }
  // The driver's library; returns where it is.
  std::string offer(const std::string& name) const { return directory_.add(built(name + ".so"), "zoo_offers.so"); }
  void set(const std::string& offer, const std::string& option) {
    settings_.drivers["zoo"].offers[offer] = {{{option, {std::int64_t{1}, "/etc/gantry/gantry.toml:12:1"}}},
                                              "/etc/gantry/gantry.toml:11:1"};
  }
};

TEST_F(OffersRefusal, LoadsALibraryThatFollowsTheRules) {
  offer("offers");
  EXPECT_EQ(load(), "no error");
}

TEST_F(OffersRefusal, NamesThePathsOfAMissingLibrary) {
  EXPECT_THAT(check(), mentions({"/etc/gantry/gantry.toml:9:1: key 'driver.zoo.libraries'",
                                 directory_.path().string() + "/zoo_offers.so", "found no such file"}));
}

TEST_F(OffersRefusal, RefusesAFileThatOthersMayWriteTo) {
  const std::string path = offer("offers");
  std::filesystem::permissions(path, std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  EXPECT_THAT(check(), mentions({path, "mode"}));
}

TEST_F(OffersRefusal, RefusesADriverAmongTheLibrariesAndSaysWhereItBelongs) {
  const std::string path = offer("plain");
  EXPECT_THAT(check(), mentions({path, "exported symbols", "expected gantry_offers_entry", "found gantry_driver_entry",
                                 "name it in scheduler_driver"}));
}

TEST_F(OffersRefusal, RefusesALibraryAmongTheDriversAndSaysWhereItBelongs) {
  const std::string path = offer("offers");
  settings_.scheduler_driver = {"zoo_offers"};
  EXPECT_THAT(check(), mentions({path, "exported symbols", "expected gantry_driver_entry", "found gantry_offers_entry",
                                 "name it in libraries"}));
}

TEST_F(OffersRefusal, RefusesALibraryThatNeedsANewerMinor) {
  const std::string path = offer("offers_newer_minor");
  EXPECT_THAT(check(), mentions({path, "library 'zoo_offers'", "ABI needs_minor", "found 900", "update gantry"}));
}

TEST_F(OffersRefusal, RefusesALibraryThatOffersNothing) {
  const std::string path = offer("offers_nothing");
  EXPECT_THAT(check(), mentions({path, "manifest line", "'offers'", "expected at least one table", "found none"}));
}

TEST_F(OffersRefusal, RefusesTheManifestOfADriver) {
  const std::string path = offer("offers_topics");
  EXPECT_THAT(check(), mentions({path, "manifest", "expected [offers]", "found topics"}));
}

TEST_F(OffersRefusal, RefusesAnUnknownKind) {
  const std::string path = offer("offers_unknown_kind");
  EXPECT_THAT(check(), mentions({path, "'offers.EvenFilter.kind'", "gantry.filter/1", "found 'acme.ranker/1'"}));
}

TEST_F(OffersRefusal, RefusesAFileThatIsNotNamedByItsId) {
  const std::string path = offer("offers_bear");
  EXPECT_THAT(check(), mentions({path, "id", "expected 'zoo_offers'", "found 'bear_offers'"}));
}

TEST_F(OffersRefusal, RefusesTwoOffersOfOneNameAndNamesBothFiles) {
  const std::string first = offer("offers");
  const std::string second = directory_.add(built("offers_bear.so"), "bear_offers.so");
  settings_.drivers["zoo"].libraries = {"zoo_offers.so", "bear_offers.so"};
  EXPECT_THAT(check(), mentions({"/etc/gantry/gantry.toml:9:1", "driver.zoo.libraries", "each name once",
                                 "'EvenFilter' in " + first, second, "leave one"}));
}

TEST_F(OffersRefusal, RefusesAColumnThatDriverAndOfferNameWithTwoTypes) {
  put("rack_column");
  const std::string path = offer("offers_column");
  EXPECT_THAT(check(),
              mentions({path, "offer 'EvenFilter'", "'stats.rack' as string, as driver 'zoo' names it", "found i64"}));
}

TEST_F(OffersRefusal, RefusesAColumnThatTheCoreDoesNotHave) {
  offer("offers_no_such_column");
  EXPECT_THAT(load(), mentions({"'racks'", "not one of the core's"}));
}

TEST_F(OffersRefusal, RefusesOptionsOfAnUnknownOffer) {
  offer("offers");
  set("EvenFiltre", "x");
  EXPECT_THAT(load(), mentions({"/etc/gantry/gantry.toml:11:1", "driver.zoo.options.EvenFiltre",
                                "expected one of EvenFilter, HeavyWeigher", "did you mean 'EvenFilter'?"}));
  settings_.drivers["zoo"].libraries.clear();
  EXPECT_THAT(load(), mentions({"driver.zoo.options.EvenFiltre", "no library offers any"}));
}

TEST_F(OffersRefusal, RefusesAnUnknownOptionOfAnOffer) {
  offer("offers");
  set("EvenFilter", "x");
  EXPECT_THAT(load(), mentions({"/etc/gantry/gantry.toml:12:1", "driver.zoo.options.EvenFilter.x", "takes none"}));
}

TEST_F(OffersRefusal, RefusesAnEntryThatContradictsItsManifestOrItsHeader) {
  const std::string path = offer("offers_wrong_magic");
  EXPECT_THAT(load(), mentions({path, "magic", "found 0x12345678"}));
  offer("offers_short_info");
  EXPECT_THAT(load(), mentions({path, "entry struct_size", "expected at least 64", "found 8"}));
  offer("offers_fewer");
  EXPECT_THAT(load(), mentions({path, "entry offers", "expected 2", "found 1"}));
  offer("offers_other_name");
  EXPECT_THAT(load(), mentions({path, "expected 'EvenFilter'", "found 'OddFilter', 'HeavyWeigher'"}));
  offer("offers_other_kind");
  EXPECT_THAT(load(), mentions({path, "offer 'EvenFilter'", "expected 'gantry.filter/1'", "found 'gantry.weigher/1'"}));
}

TEST_F(OffersRefusal, RefusesATableThatCannotBeUsed) {
  const std::string path = offer("offers_short_table");
  EXPECT_THAT(load(), mentions({path, "offer 'EvenFilter'", "table struct_size", "expected at least 48", "found 24"}));
  offer("offers_no_keep");
  EXPECT_THAT(load(), mentions({path, "offer 'EvenFilter'", "expected the mandatory operation keep", "found NULL"}));
  offer("offers_flags");
  EXPECT_THAT(load(), mentions({path, "offer 'EvenFilter'", "table flags", "found 64"}));
  offer("offers_multiplier");
  EXPECT_THAT(load(), mentions({path, "offer 'HeavyWeigher'", "multiplier_name", "expected an option of type real",
                                "found 'weight' of type integer"}));
}

TEST_F(OffersRefusal, DestroysTheOffersCreatedBeforeAFailure) {
  ::unsetenv("GANTRY_ZOO_ORDER");
  const std::string path = offer("offers_failing_create");
  EXPECT_THAT(load(), mentions({"loading driver 'zoo'", path, "HeavyWeigher of zoo_offers, create",
                                "no scale is heavy enough"}));
  EXPECT_STREQ(::getenv("GANTRY_ZOO_ORDER"), "+f-f");
}

TEST_F(OffersRefusal, RunsNoCodeOfALibraryBeforeAllChecks) {
  ::unsetenv("GANTRY_ZOO_RAN");
  offer("offers_constructor");
  set("EvenFilter", "x");
  EXPECT_THAT(load(), mentions({"takes none"}));
  EXPECT_EQ(::getenv("GANTRY_ZOO_RAN"), nullptr);
  settings_.drivers["zoo"].offers.clear();
  EXPECT_EQ(load(), "no error");
  EXPECT_NE(::getenv("GANTRY_ZOO_RAN"), nullptr);
}

TEST_F(OffersRefusal, GoesOnWithoutADriverThatIsNotRequiredAndWhoseLibraryIsRefused) {
  offer("offers_nothing");
  settings_.drivers["zoo"].required = false;
  ASSERT_EQ(load(), "no error");
  EXPECT_EQ(set_->skipped().size(), 1U);
}

}  // namespace
}  // namespace gantry::drivers

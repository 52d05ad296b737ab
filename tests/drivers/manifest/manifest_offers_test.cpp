// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drivers/manifest/manifest.hpp"
#include "gantry/driver.h"

namespace gantry::drivers {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* head =
    "manifest = 1\nabi = '" GANTRY_ABI_TEXT "'\nid = 'site'\nversion = '1.0.0'\ndescription = 'd'\n";
constexpr const char* rack = "[offers.RackFilter]\nkind = 'gantry.filter/1'\nhelp = 'h'\nthreads = 'serial'\n";

Result<Manifest> parse(const std::string& more) {
  return parse_manifest(head + more);
}
std::string offers_error(const std::string& more) {
  const Result<Manifest> manifest = parse(more);
  return manifest ? "no error" : manifest.error().message;
}

TEST(ManifestOfALibrary, NamesItsOffersInTheOrderOfTheText) {
  const Result<Manifest> manifest = parse(
      "[offers.ZFilter]\nkind = 'gantry.filter/1'\nhelp = 'z'\nthreads = 'serial'\n"
      "columns.needs = ['vcpus']\ncolumns.uses = ['stats.rack:string']\n"
      "[offers.ZFilter.options.limit]\ntype = 'integer'\ndefault = 1\nhelp = 'h'\n"
      "[offers.AWeigher]\nkind = 'gantry.weigher/1'\nhelp = 'a'\nthreads = 'reentrant'\n");
  ASSERT_TRUE(manifest) << manifest.error().message;
  ASSERT_THAT(manifest->offers, SizeIs(2));
  const OfferDeclaration& filter = manifest->offers[0];
  EXPECT_EQ(filter.name, "ZFilter");
  EXPECT_EQ(filter.kind, "gantry.filter/1");
  EXPECT_EQ(filter.help, "z");
  EXPECT_EQ(filter.threads, Threads::serial);
  ASSERT_THAT(filter.needs, SizeIs(1));
  EXPECT_EQ(filter.needs[0].name, "vcpus");
  ASSERT_THAT(filter.uses, SizeIs(1));
  EXPECT_EQ(filter.uses[0].type, GANTRY_TYPE_STRING);
  ASSERT_THAT(filter.options, SizeIs(1));
  EXPECT_EQ(filter.options[0].name, "limit");
  EXPECT_EQ(manifest->offers[1].name, "AWeigher");
  EXPECT_EQ(manifest->offers[1].threads, Threads::reentrant);
  EXPECT_TRUE(manifest->topics.empty());
}

TEST(ManifestOfALibrary, RefusesALibraryThatOffersNothing) {
  EXPECT_THAT(offers_error("[offers]\n"),
              AllOf(HasSubstr("'offers'"), HasSubstr("at least one"), HasSubstr("found none")));
}

TEST(ManifestOfALibrary, RefusesAKindThatThisHostDoesNotKnow) {
  EXPECT_THAT(offers_error("[offers.X]\nkind = 'acme.ranker/1'\nhelp = 'h'\nthreads = 'serial'\n"),
              AllOf(HasSubstr("line 7"), HasSubstr("'offers.X.kind'"),
                    HasSubstr("one of gantry.filter/1, gantry.weigher/1"), HasSubstr("found 'acme.ranker/1'")));
}

TEST(ManifestOfALibrary, LeavesOutOffersOfAnUnknownKindIfItsMinorIsLater) {
  const std::string text =
      std::string("manifest = 1\nabi = '1.5'\nneeds_minor = 0\nid = 'site'\nversion = '1.0.0'\ndescription = 'd'\n") +
      rack + "[offers.Fuzz]\nkind = 'gantry.order/1'\nhelp = 7\ncolumns.needs = ['stats.rack:texts']\n";
  const Result<Manifest> later = parse_manifest(text, 1, 4);
  ASSERT_TRUE(later) << later.error().message;
  ASSERT_THAT(later->offers, SizeIs(1));
  EXPECT_EQ(later->offers[0].name, "RackFilter");
  EXPECT_THAT(left_out_warnings(*later),
              ElementsAre("library 'site': offer 'Fuzz' is left out: kind: expected one of gantry.filter/1, "
                          "gantry.weigher/1, which this host knows, found 'gantry.order/1'; update gantry"));
  const Result<Manifest> same = parse_manifest(text, 1, 5);
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().message, AllOf(HasSubstr("'offers.Fuzz.kind'"), HasSubstr("found 'gantry.order/1'")));
}

TEST(ManifestOfALibrary, StaysALibraryIfAllItsOffersAreLeftOut) {
  const Result<Manifest> later = parse_manifest(
      "manifest = 1\nabi = '1.5'\nneeds_minor = 0\nid = 'site'\nversion = '1.0.0'\ndescription = 'd'\n"
      "[offers.Fuzz]\nkind = 'gantry.order/1'\n",
      1, 4);
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_TRUE(later->is_library);
  EXPECT_THAT(later->left_out_offers, SizeIs(1));
}

TEST(ManifestOfALibrary, IsRefusedForANeedOfALaterMinorBeforeAKindThatThisHostDoesNotKnow) {
  const Result<Manifest> later = parse_manifest(
      "manifest = 1\nabi = '1.5'\nneeds_minor = 5\nid = 'site'\nversion = '1.0.0'\ndescription = 'd'\n"
      "[offers.Fuzz]\nkind = 7\n",
      1, 4);
  ASSERT_FALSE(later);
  EXPECT_THAT(later.error().message, AllOf(HasSubstr("library 'site': ABI needs_minor"), HasSubstr("update gantry")));
}

TEST(ManifestOfALibrary, RefusesOptionsWithTheHostsPrefix) {
  EXPECT_THAT(offers_error(std::string(rack) +
                           "[offers.RackFilter.options.gantry_pace]\ntype = 'integer'\ndefault = 1\nhelp = 'h'\n"),
              AllOf(HasSubstr("'offers.RackFilter.options.gantry_pace'"), HasSubstr("does not begin with gantry_")));
}

TEST(ManifestOfALibrary, RefusesTheKeysOfADriver) {
  EXPECT_THAT(offers_error(std::string("topics = ['compute']\n") + rack),
              AllOf(HasSubstr("'topics'"), HasSubstr("unknown key")));
  EXPECT_THAT(offers_error(std::string(rack) + "[options.x]\ntype = 'integer'\ndefault = 1\nhelp = 'h'\n"),
              AllOf(HasSubstr("'options'"), HasSubstr("unknown key")));
}

TEST(ManifestOfALibrary, RefusesAnOfferWithMissingOrUnknownKeys) {
  EXPECT_THAT(offers_error("[offers.X]\nhelp = 'h'\nthreads = 'serial'\n"), HasSubstr("'offers.X.kind'"));
  EXPECT_THAT(offers_error("[offers.X]\nkind = 'gantry.filter/1'\nthreads = 'serial'\n"), HasSubstr("'offers.X.help'"));
  EXPECT_THAT(offers_error("[offers.X]\nkind = 'gantry.filter/1'\nhelp = 'h'\n"), HasSubstr("'offers.X.threads'"));
  EXPECT_THAT(offers_error(std::string(rack) + "columns.need = ['vcpus']\n"),
              AllOf(HasSubstr("'offers.RackFilter.columns.need'"), HasSubstr("did you mean 'needs'?")));
  EXPECT_THAT(offers_error(std::string(rack) + "colums.needs = ['vcpus']\n"), HasSubstr("did you mean 'columns'?"));
  EXPECT_THAT(offers_error("[offers.'a b']\nkind = 'gantry.filter/1'\nhelp = 'h'\nthreads = 'serial'\n"),
              HasSubstr("an offer's name"));
  EXPECT_THAT(offers_error("[offers]\nX = 1\n"), AllOf(HasSubstr("'offers.X'"), HasSubstr("a table")));
}

TEST(ManifestOfADriver, ReadsADriverWithoutOffers) {
  EXPECT_THAT(offers_error("topics = ['compute']\nthreads = 'serial'\n"), "no error");
}

}  // namespace
}  // namespace gantry::drivers

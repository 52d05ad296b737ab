// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/offers/offers_entry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "gantry/ext/filter.h"

namespace gantry::drivers {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

gantry_code create(const gantry_host*, gantry_call*, const gantry_options*, gantry_offered**) {
  return GANTRY_OK;
}
void destroy(gantry_offered*) {}
gantry_code keep(gantry_offered*, gantry_call*, const gantry_filter_run*) {
  return GANTRY_OK;
}

// A library with a filter, whose manifest leaves out an offer of a later kind.
class OffersEntry : public ::testing::Test {
 protected:
  OffersEntry() {
    file_.kind = FileKind::library;
    file_.path = "/lib/site.so";
    file_.manifest.is_library = true;
    file_.manifest.id = "site";
    file_.manifest.version = "1.0.0";
    file_.manifest.abi_major = GANTRY_ABI_MAJOR;
    file_.manifest.abi_minor = GANTRY_ABI_MINOR;
    file_.manifest.offers.resize(1);
    file_.manifest.offers[0].name = "RackFilter";
    file_.manifest.offers[0].kind = GANTRY_FILTER_KIND;
    file_.manifest.left_out_offers.push_back({"Fuzz", "gantry.order/1"});
    filter_.struct_size = sizeof(filter_);
    filter_.create = &create;
    filter_.destroy = &destroy;
    filter_.keep = &keep;
    list({{to_abi("gantry.order/1"), to_abi("Fuzz"), nullptr},
          {to_abi(GANTRY_FILTER_KIND), to_abi("RackFilter"), &filter_}});
    info_.magic = GANTRY_MAGIC;
    info_.struct_size = sizeof(info_);
    info_.abi_major = GANTRY_ABI_MAJOR;
    info_.abi_minor = GANTRY_ABI_MINOR;
    info_.id = to_abi("site");
    info_.version = to_abi("1.0.0");
    info_.offer_stride = sizeof(gantry_offer);
  }
  void list(std::vector<gantry_offer> offers) {
    offers_ = std::move(offers);
    info_.offers = offers_.data();
    info_.offer_count = static_cast<std::uint32_t>(offers_.size());
  }
  std::string error() {
    const auto tables = check_offers_info(file_, &info_);
    return tables ? "no error" : tables.error().message;
  }

  DriverFile file_;
  gantry_filter_ops filter_{};
  std::vector<gantry_offer> offers_;
  gantry_offers_info info_{};
};

TEST_F(OffersEntry, GivesTheTablesOfTheOffersThatTheManifestKeeps) {
  const auto tables = check_offers_info(file_, &info_);
  ASSERT_TRUE(tables) << tables.error().message;
  EXPECT_THAT(*tables, ElementsAre(static_cast<const void*>(&filter_)));
}

TEST_F(OffersEntry, ListsTheOffersThatAreLeftOutToo) {
  list({{to_abi(GANTRY_FILTER_KIND), to_abi("RackFilter"), &filter_}});
  EXPECT_THAT(error(),
              AllOf(HasSubstr("entry offers"), HasSubstr("expected 2, as in its manifest"), HasSubstr("found 1")));
  file_.manifest.left_out_offers.clear();
  EXPECT_EQ(error(), "no error");
}

}  // namespace
}  // namespace gantry::drivers

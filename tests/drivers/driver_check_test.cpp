// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gantry::drivers {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(DriverCheck, WarnsOfOffersThatALibraryOfALaterMinorHasBeyondThisHost) {
  DriverFile file;
  file.manifest.id = "filter";
  DriverFile library;
  library.path = "/lib/site.so";
  library.manifest.is_library = true;
  library.manifest.id = "site";
  library.manifest.left_out_offers.push_back({"Fuzz", "gantry.order/1"});
  file.offer_libraries.push_back(std::move(library));
  const config::Settings settings;
  const CheckedFile driver{"filter", "/lib/filter.so", std::move(file)};
  EXPECT_THAT(DriverCheck(settings).warnings(driver),
              ElementsAre(AllOf(HasSubstr("/lib/site.so"), HasSubstr("offer 'Fuzz' is left out"),
                                HasSubstr("found 'gantry.order/1'; update gantry"))));
}

}  // namespace
}  // namespace gantry::drivers

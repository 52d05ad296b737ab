// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/entry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::drivers {
namespace {

using testing::AllOf;
using testing::HasSubstr;

gantry_code create(const gantry_host*, gantry_call*, const gantry_options*, gantry_driver**) {
  return GANTRY_OK;
}
void destroy(gantry_driver*) {}
gantry_code decide(gantry_driver*, gantry_call*, const gantry_request*) {
  return GANTRY_OK;
}
gantry_code answer(gantry_driver*, gantry_call*, const gantry_method_call*) {
  return GANTRY_OK;
}

class Entry : public testing::Test {
 protected:
  Entry() {
    file_.path = "/lib/zoo.so";
    file_.manifest.id = "zoo";
    file_.manifest.version = "1.0.0";
    file_.manifest.abi_major = GANTRY_ABI_MAJOR;
    file_.manifest.abi_minor = GANTRY_ABI_MINOR;
    ops_.struct_size = sizeof(ops_);
    ops_.create = &create;
    ops_.destroy = &destroy;
    ops_.select_destinations = &decide;
    ops_.schedule_run_instance = &decide;
    info_.magic = GANTRY_MAGIC;
    info_.struct_size = sizeof(info_);
    info_.abi_major = GANTRY_ABI_MAJOR;
    info_.abi_minor = GANTRY_ABI_MINOR;
    info_.id = to_abi("zoo");
    info_.version = to_abi("1.0.0");
    info_.ops = &ops_;
  }
  std::string error() {
    const Result<gantry_driver_ops> ops = check_info(file_, &info_);
    return ops ? "no error" : ops.error().message;
  }

  DriverFile file_;
  gantry_driver_ops ops_{};
  gantry_driver_info info_{};
};

TEST_F(Entry, AcceptsAnEntryThatAgreesWithItsManifest) {
  EXPECT_EQ(error(), "no error");
}

TEST_F(Entry, NamesTheFirstFieldThatDiffers) {
  info_.magic = 1;
  EXPECT_THAT(error(),
              AllOf(HasSubstr("/lib/zoo.so"), HasSubstr("magic"), HasSubstr("0x59524e47"), HasSubstr("0x00000001")));
  info_.magic = GANTRY_MAGIC;
  info_.struct_size = 8;
  EXPECT_THAT(error(), AllOf(HasSubstr("struct_size"), HasSubstr("found 8")));
  info_.struct_size = sizeof(info_);
  info_.abi_minor = 7;
  EXPECT_THAT(error(), AllOf(HasSubstr("abi"), HasSubstr(GANTRY_ABI_TEXT), HasSubstr("found 1.7")));
  info_.abi_minor = GANTRY_ABI_MINOR;
  info_.version = to_abi("2");
  EXPECT_THAT(error(), AllOf(HasSubstr("version"), HasSubstr("'1.0.0'"), HasSubstr("'2'")));
}

TEST_F(Entry, ReadsTheKnownOperationsOfALaterVersion) {
  struct Later {
    gantry_driver_ops ops;
    void (*more)();
  };
  Later later{ops_, nullptr};
  later.ops.struct_size = sizeof(later);
  info_.ops = &later.ops;
  const Result<gantry_driver_ops> ops = check_info(file_, &info_);
  ASSERT_TRUE(ops);
  EXPECT_EQ(ops->struct_size, sizeof(gantry_driver_ops));
  EXPECT_EQ(ops->select_destinations, &decide);
}

TEST_F(Entry, RefusesAReservedFieldThatIsNotZero) {
  ops_.reserved0 = 3;
  EXPECT_THAT(error(), AllOf(HasSubstr("0 in reserved0"), HasSubstr("found 3")));
}

TEST_F(Entry, RefusesADriverThatLacksAMandatoryOperation) {
  for (const auto member : {&gantry_driver_ops::select_destinations, &gantry_driver_ops::schedule_run_instance}) {
    ops_.*member = nullptr;
    EXPECT_THAT(error(), AllOf(HasSubstr("mandatory"), HasSubstr("NULL")));
    ops_.*member = &decide;
  }
  ops_.destroy = nullptr;
  EXPECT_THAT(error(), HasSubstr("destroy"));
}

TEST_F(Entry, AcceptsADriverOfMethodsAloneIfItsManifestNamesThem) {
  ops_.select_destinations = nullptr;
  ops_.schedule_run_instance = nullptr;
  EXPECT_THAT(error(), HasSubstr("expected the mandatory operation select_destinations"));
  file_.manifest.methods["compute"] = {"ping"};
  EXPECT_THAT(error(), AllOf(HasSubstr("expected call_method"), HasSubstr("found NULL")));
  ops_.call_method = &answer;
  EXPECT_EQ(error(), "no error");
}

TEST_F(Entry, WantsBothDecisionsOrNeitherBesideMethods) {
  file_.manifest.methods["compute"] = {"ping"};
  ops_.call_method = &answer;
  for (const auto member : {&gantry_driver_ops::select_destinations, &gantry_driver_ops::schedule_run_instance}) {
    ops_.*member = nullptr;
    EXPECT_THAT(error(), AllOf(HasSubstr("mandatory"), HasSubstr("NULL")));
    ops_.*member = &decide;
  }
}

TEST_F(Entry, RequiresCallMethodIfTheManifestNamesMethods) {
  ops_.call_method = &answer;
  EXPECT_THAT(error(), HasSubstr("no methods"));
  file_.manifest.methods["compute"] = {"ping"};
  EXPECT_EQ(error(), "no error");
  ops_.call_method = nullptr;
  EXPECT_THAT(error(), HasSubstr("call_method"));
}

}  // namespace
}  // namespace gantry::drivers

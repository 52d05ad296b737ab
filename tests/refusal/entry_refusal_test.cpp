// SPDX-License-Identifier: Apache-2.0
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

using EntryRefusal = ZooTest;

TEST_F(EntryRefusal, RefusesAWrongMagic) {
  const std::string path = put("wrong_magic");
  EXPECT_THAT(load(), mentions({path, "magic", "expected 0x59524e47", "found 0x12345678"}));
}

TEST_F(EntryRefusal, RefusesAnInfoThatIsTooShort) {
  const std::string path = put("short_info");
  EXPECT_THAT(load(), mentions({path, "entry struct_size", "expected at least", "found 8"}));
}

TEST_F(EntryRefusal, RefusesOperationsThatAreTooShort) {
  const std::string path = put("short_operations");
  EXPECT_THAT(load(), mentions({path, "operations struct_size", "expected at least", "found 24"}));
}

TEST_F(EntryRefusal, RefusesAnEntryThatContradictsItsManifest) {
  std::string path = put("other_entry_abi");
  EXPECT_THAT(load(), mentions({path, "entry abi", "expected " GANTRY_ABI_TEXT, "found 3."}));
  path = put("other_entry_id");
  EXPECT_THAT(load(), mentions({path, "entry id", "expected 'zoo'", "found 'bear'"}));
  path = put("other_entry_version");
  EXPECT_THAT(load(), mentions({path, "entry version", "expected '1.0.0'", "found '9.9.9'"}));
}

TEST_F(EntryRefusal, RefusesADriverWithoutAMandatoryOperation) {
  const std::string path = put("no_select");
  EXPECT_THAT(load(),
              mentions({path, "operations", "expected the mandatory operation select_destinations", "found NULL"}));
}

TEST_F(EntryRefusal, RefusesMethodsWithoutAFunctionForThem) {
  const std::string path = put("no_call_method");
  EXPECT_THAT(load(), mentions({path, "expected call_method", "found NULL"}));
}

TEST_F(EntryRefusal, RefusesADriverThatRefusesThisHost) {
  const std::string path = put("null_entry");
  EXPECT_THAT(load(), mentions({path, "expected a gantry_driver_info for host ABI " GANTRY_ABI_TEXT, "found NULL"}));
}

TEST_F(EntryRefusal, PassesOnWhyADriverCouldNotBeCreated) {
  const std::string path = put("failing_create");
  EXPECT_THAT(load(), mentions({"loading driver 'zoo'", path, "create", "the reserve is larger than any host"}));
}

TEST_F(EntryRefusal, NamesAnUndefinedSymbol) {
  const std::string path = put("undefined");
  const auto words = mentions({path, "undefined symbols", "found zoo_nowhere", "-z,defs"});
  EXPECT_THAT(check(), words);
  EXPECT_THAT(load(), words);
}

}  // namespace
}  // namespace gantry::drivers

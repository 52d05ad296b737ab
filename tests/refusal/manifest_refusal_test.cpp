// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

using ManifestRefusal = ZooTest;

TEST_F(ManifestRefusal, RefusesANewerMajor) {
  const std::string path = put("newer_major");
  EXPECT_THAT(check(), mentions({path, "ABI major", "expected " GANTRY_ABI_TEXT, "found 9.0", "update gantry"}));
}

TEST_F(ManifestRefusal, RefusesAnOlderMajor) {
  const std::string path = put("older_major");
  EXPECT_THAT(check(), mentions({path, "ABI major", "expected " GANTRY_ABI_TEXT, "found 0.5", "build it again"}));
}

TEST_F(ManifestRefusal, RefusesADriverThatNeedsANewerMinor) {
  const std::string path = put("newer_minor");
  EXPECT_THAT(check(), mentions({path, "ABI needs_minor", "this host's minor", "found 900", "update gantry"}));
}

TEST_F(ManifestRefusal, RefusesAFileWithoutAManifest) {
  const std::string path = put("no_manifest");
  EXPECT_THAT(check(),
              mentions({path, "manifest", "expected a section .gantry.manifest", "found none", "GANTRY_MANIFEST"}));
}

TEST_F(ManifestRefusal, NamesTheLineOfAManifestWithInvalidToml) {
  const std::string path = put("bad_toml");
  EXPECT_THAT(check(), mentions({path, "manifest line 9", "expected TOML", "found"}));
}

TEST_F(ManifestRefusal, NamesAnUnknownKeyAndTheNearestOne) {
  const std::string path = put("unknown_key");
  EXPECT_THAT(check(), mentions({path, "manifest line 9", "'vendr'", "expected one of", "did you mean 'vendor'?"}));
}

TEST_F(ManifestRefusal, RefusesAnIdThatIsNotTheConfiguredOne) {
  const std::string path = directory_.add(built("plain.so"), "bear.so");
  settings_.scheduler_driver = {"bear"};
  EXPECT_THAT(check(), mentions({path, "id", "expected 'bear'", "found 'zoo'"}));
}

TEST_F(ManifestRefusal, RefusesAColumnThatTheFleetDoesNotKnow) {
  put("methods");
  const Result<DriverSet> set =
      load_drivers(settings_, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(),
                   [](const Manifest& manifest) -> Result<void> {
                     return Error{ErrorCode::invalid_configuration, "no column " + manifest.needs.at(0).name, {}};
                   });
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().message, mentions({"zoo.so", "no column vcpus"}));
}

}  // namespace
}  // namespace gantry::drivers

// SPDX-License-Identifier: Apache-2.0
//
// The zoo in processes of its own: each driver is taken or refused as in the service's process, with the same words.
#include <chrono>
#include <cstdlib>

#include "core/drivers/driver_trial.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

class Apart : public ZooTest {
 protected:
  Apart() {
    EXPECT_TRUE(fleet::share_cells());
    ::setenv("LSAN_OPTIONS", "detect_leaks=0", 1);  // no leak can be looked for where ptrace is refused
  }

  std::string load_in(config::Isolation isolation) {
    settings_.drivers["zoo"].isolation = isolation;
    const auto said = load();
    set_.reset();
    return said;
  }
  std::string attempt_in(config::Isolation isolation) {
    settings_.drivers["zoo"].isolation = isolation;
    const auto files = check_driver_files(settings_);
    EXPECT_TRUE(files.at(0).file) << files.at(0).file.error().message;
    const auto tried = try_driver(settings_, files.at(0), std::chrono::seconds(60));
    return tried ? "no error" : tried.error().message;
  }
};

// Each but those whose tests need that no other test has loaded them.
TEST_F(Apart, EachDriverIsTakenOrRefusedWithTheSameWords) {
  for (const std::string name : {"plain",
                                 "longer",
                                 "first_version",
                                 "methods",
                                 "methods_alone",
                                 "options",
                                 "newer_major",
                                 "older_major",
                                 "newer_minor",
                                 "bear",
                                 "wrong_magic",
                                 "short_info",
                                 "short_operations",
                                 "other_entry_abi",
                                 "other_entry_id",
                                 "other_entry_version",
                                 "no_select",
                                 "no_call_method",
                                 "no_manifest",
                                 "bad_toml",
                                 "unknown_key",
                                 "null_entry",
                                 "extra_export",
                                 "entry_data",
                                 "runpath",
                                 "rpath",
                                 "needs_library",
                                 "undefined",
                                 "failing_create",
                                 "printing_create",
                                 "constructor_newer"}) {
    put(name);
    EXPECT_EQ(load_in(config::Isolation::process), load_in(config::Isolation::none)) << name;
  }
}

TEST_F(Apart, EachDriverThatEndsAsItIsCreatedIsNamedWithItsEnd) {
  const std::vector<std::pair<std::string, std::string>> ends{
      {"crashing_create", "SIGABRT"}, {"crashing_constructor", "SIGABRT"}, {"exiting_create", "exit status 0"}};
  for (const auto& [name, end] : ends) {
    const auto path = put(name);
    for (const auto isolation : {config::Isolation::none, config::Isolation::process})
      EXPECT_THAT(attempt_in(isolation), mentions({"loading driver 'zoo': ", path, "expected that it loads", end}))
          << name;
  }
}

TEST_F(Apart, ADriverThatCannotForkThereGoesOn) {
  put("forking_create");
  EXPECT_EQ(attempt_in(config::Isolation::process), "no error");
}

}  // namespace
}  // namespace gantry::drivers

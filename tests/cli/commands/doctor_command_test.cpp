// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

constexpr auto checked =
    R"("checked":{"hosts":3,"instances":2,"claims":1,"casts":0,"documents":{"service":3,"instance":2}})";

TEST(DoctorCommand, EndsWithZeroWithoutAFault) {
  FakeDaemon daemon;
  const std::string answer =
      std::string(R"({"sound":true,"findings":[],"findings_in_all":0,"remarks":[],)") + checked + "}";
  daemon.on("doctor", answer.c_str());
  const Ran ran = run(daemon, {"doctor"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "sound: 3 hosts, 2 instances, 1 claim, 0 casts; 5 documents the same in store and memory\n");
}

TEST(DoctorCommand, ShowsTheFaultsAndEndsWithAStatusOfItsOwn) {
  FakeDaemon daemon;
  const std::string answer =
      std::string(
          R"({"sound":false,"findings":[{"rule":"limits","what":"host h1","expected":"at most 8","found":"9"}],)") +
      R"("findings_in_all":1,"remarks":[{"rule":"limits","what":"host h2","expected":"at most 8","found":"100"}],)" +
      checked + "}";
  daemon.on("doctor", answer.c_str());
  const Ran ran = run(daemon, {"doctor"});
  EXPECT_EQ(ran.code, exit_code::unsound);
  EXPECT_THAT(ran.out,
              testing::AllOf(HasSubstr("1 finding:\n  limits: host h1\n    expected: at most 8\n    found:    9\n"),
                             HasSubstr("no fault of gantryd:\n  limits: host h2"), HasSubstr("checked 3 hosts")));
  EXPECT_EQ(run(daemon, {"-o", "value", "doctor"}).out, "limits\thost h1\tat most 8\t9\n");
  const Ran json = run(daemon, {"-o", "json", "doctor"});
  EXPECT_EQ(json.code, exit_code::unsound);
  EXPECT_THAT(json.out, HasSubstr("\"sound\": false"));
}

TEST(DoctorCommand, SaysThatCallsThatNeverEndedLeftSomethingOpen) {
  FakeDaemon daemon;
  daemon.on("doctor", R"({"sound":false,"findings":[],"findings_in_all":0,"remarks":[],"undecided":2,"checked":{}})");
  const Ran ran = run(daemon, {"doctor"});
  EXPECT_EQ(ran.code, exit_code::unsound);
  EXPECT_THAT(ran.out, HasSubstr("2 undecided"));
}

}  // namespace
}  // namespace gantry::cli::test

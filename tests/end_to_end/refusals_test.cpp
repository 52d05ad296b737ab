// SPDX-License-Identifier: Apache-2.0
//
// What a deployer gets wrong, and is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int configuration_refused = 78;

class Refusals : public ::testing::Test {
 protected:
  void expect_refused(const ::testing::Matcher<std::string>& words) {
    const auto started = gantry.start_refused();
    EXPECT_EQ(started.exit_status, configuration_refused) << started.err;
    EXPECT_THAT(started.err, words);
    expect_checks_refuse(words);
  }
  void expect_checks_refuse(const ::testing::Matcher<std::string>& words) {
    const std::string programs = std::string(GANTRY_BIN_DIRECTORY) + "/";
    for (const std::vector<std::string>& check :
         {std::vector<std::string>{programs + "gantry", "config", "check", "--config", gantry.config_file()},
          {programs + "gantryd", "--check-config", "--config", gantry.config_file()}}) {
      const auto checked = run_program(check);
      EXPECT_EQ(checked.exit_status, configuration_refused) << checked.out << checked.err;
      EXPECT_THAT(checked.out + checked.err, words);
    }
  }
  RunningGantry gantry;
};

TEST_F(Refusals, AMisspeltKeyIsNamedWithFileLineAndTheNearest) {
  gantry.configure("\"simple\"", "[sheduling]\nservice_down_time = 60\n");
  expect_refused(AllOf(HasSubstr("gantry.toml:5"), HasSubstr("sheduling"), HasSubstr("scheduling")));
}

TEST_F(Refusals, AMisspeltDriverOptionIsNamedWithTheNearest) {
  gantry.configure("\"ip\"", "[driver.ip]\ndefault_prefiks = \"x\"\n");
  expect_refused(AllOf(HasSubstr("default_prefiks"), HasSubstr("default_prefix"), HasSubstr("gantry.toml")));
}

TEST_F(Refusals, ADriverFileThatOthersMayWriteIsNamedWithItsMode) {
  gantry.configure("\"simple\"");
  std::filesystem::permissions(gantry.drivers() / "simple.so", std::filesystem::perms(0666));
  expect_refused(AllOf(HasSubstr("simple.so"), HasSubstr("0666")));
}

TEST_F(Refusals, ATruncatedDriverFileIsRefused) {
  gantry.configure("\"simple\"");
  std::filesystem::resize_file(gantry.drivers() / "simple.so", 5000);
  expect_refused(AllOf(HasSubstr("simple.so"), HasSubstr("truncated")));
}

TEST_F(Refusals, ADriverThatIsNotThereIsNamedWithWhereItWasLookedFor) {
  gantry.configure("\"simpel\"");
  expect_refused(AllOf(HasSubstr("simpel"), HasSubstr(gantry.drivers().string())));
}

TEST_F(Refusals, TwoDriversForOneTopicAreBothNamed) {
  gantry.configure("[\"simple\", \"chance\"]");
  expect_refused(AllOf(HasSubstr("simple"), HasSubstr("chance"), HasSubstr("compute")));
}

TEST_F(Refusals, AnOptionThatADriverRequiresIsMissedWithoutASectionOfTheDriver) {
  build({.manifest = "[options.reserve]\\ntype = 'integer'\\nhelp = 'kept free'\\nrequired = true\\n"}, gantry);
  gantry.configure("\"first\"");
  expect_refused(AllOf(HasSubstr("reserve"), HasSubstr("requires")));
}

TEST_F(Refusals, TwoDriversThatTakeOneReportedFieldForTwoTypesAreBothNamed) {
  build({.manifest = "[columns]\\nneeds = ['stats.free_capacity_gb:string']\\n"}, gantry);
  gantry.configure("[\"first\", \"volume\"]");
  expect_refused(AllOf(HasSubstr("stats.free_capacity_gb"), HasSubstr("first"), HasSubstr("volume"),
                       HasSubstr("string"), HasSubstr("f64")));
}

TEST_F(Refusals, AColumnThatTheCoreDoesNotHaveIsNamed) {
  build({.manifest = "[columns]\\nneeds = ['rack']\\n"}, gantry);
  gantry.configure("\"first\"");
  expect_refused(AllOf(HasSubstr("first"), HasSubstr("rack"), HasSubstr("stats.")));
}

TEST_F(Refusals, ACheckFindsTheCertificateAndTheGroupThatAStartWouldRefuse) {
  const auto none = (gantry.directory() / "none.pem").string();
  gantry.configure("\"simple\"", "server.socket_group = \"no-such-group\"\nserver.tls_certificate = \"" + none +
                                     "\"\nserver.tls_key = \"" + none + "\"\n");
  expect_refused(AllOf(HasSubstr("server.socket_group 'no-such-group': expected a group of this system"),
                       HasSubstr("expected a PEM file, found none")));
}

TEST_F(Refusals, AnOptionThatADriverRefusesInItsCreateIsFoundByAllThree) {
  gantry.configure("\"filter\"", "[driver.filter]\nmetrics_weight_setting = [\"cpu\"]\n");
  expect_refused(AllOf(HasSubstr("loading driver 'filter'"), HasSubstr("option 'metrics_weight_setting'"),
                       HasSubstr("found 'cpu'")));
  for (const std::string network : {"172.16.0.0/33", "foo", "172.16.0.1/12"}) {
    gantry.configure("\"ip\"", "[driver.ip]\nnetworks = { \"" + network + "\" = \"web\" }\n");
    expect_refused(AllOf(HasSubstr("loading driver 'ip'"), HasSubstr("found '" + network + "'")));
  }
}

TEST_F(Refusals, ASymbolThatNobodyDefinesIsNamedBeforeAnyCodeOfTheDriverRuns) {
  build({.create = "{ extern int site_rack_of(int); site_rack_of(1); }"}, gantry);
  gantry.configure("\"first\"");
  expect_refused(
      AllOf(HasSubstr("first.so: undefined symbols"), HasSubstr("found site_rack_of"), HasSubstr("-Wl,-z,defs")));
}

TEST_F(Refusals, WhatCannotBeLoadedUnderTheUnitIsRefusedEverywhere) {
  gantry.configure("\"first\"");
  build({.create = "__asm__(\".pushsection .text\\n.quad destroy\\n.popsection\");",
         .compiler_options = {"-Wl,-z,notext"}},
        gantry);
  expect_refused(AllOf(HasSubstr("first.so: text relocations"), HasSubstr("-fPIC")));
  build({.compiler_options = {"-Wl,-z,execstack"}}, gantry);
  expect_refused(AllOf(HasSubstr("first.so: executable stack"), HasSubstr("-Wl,-z,noexecstack")));
  build({.create = "static __thread int calls; ++calls;", .compiler_options = {"-ftls-model=initial-exec"}}, gantry);
  expect_refused(AllOf(HasSubstr("first.so: static TLS"), HasSubstr("-ftls-model=initial-exec")));
}

TEST_F(Refusals, ACheckOutlivesADriverWhoseCreateCrashesExitsOrThrows) {
  gantry.configure("\"first\"");
  const std::string who = "loading driver 'first': " + (gantry.drivers() / "first.so").string();
  build({.create = "*(volatile int *)8 = 1;"}, gantry);
  expect_checks_refuse(AllOf(HasSubstr(who), HasSubstr("its create returns, found a crash by SIGSEGV")));
  build({.create = "_exit(0);"}, gantry);
  expect_checks_refuse(AllOf(HasSubstr(who), HasSubstr("found that it ended the process with exit status 0")));
  build({.create = "write(2, \"the licence has ended\\n\", 22); _exit(3);"}, gantry);
  expect_checks_refuse(AllOf(HasSubstr("exit status 3"), HasSubstr("printed: the licence has ended")));
}

TEST_F(Refusals, ADriverWhoseCreateHangsIsRefusedByTheStartAndByACheck) {
  gantry.configure("[\"first\", \"volume\"]");
  build({.create = "for (;;) pause();"}, gantry);
  const auto started = gantry.start_refused();
  EXPECT_EQ(started.exit_status, configuration_refused) << started.err;
  EXPECT_THAT(started.err, AllOf(HasSubstr("has not returned while it was loaded"), HasSubstr("driver=first"),
                                 HasSubstr("first.so")));
  const auto checked =
      run_program({std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "--check-config", "--config", gantry.config_file()});
  EXPECT_EQ(checked.exit_status, configuration_refused);
  EXPECT_THAT(checked.err, AllOf(HasSubstr("loading driver 'first'"), HasSubstr("first.so"),
                                 HasSubstr("within 10 s, found that it still runs")));
}

TEST_F(Refusals, EveryProblemIsShownNotTheFirst) {
  const auto none = (gantry.directory() / "none.pem").string();
  gantry.configure("[\"ip\", \"volume\", \"nosuch\"]",
                   "log.file = \"/dev/null/gantryd.log\"\nserver.socket_group = \"no-such-group\"\n"
                   "server.tls_certificate = \"" +
                       none + "\"\nserver.tls_key = \"" + none +
                       "\"\nserver.listen = [\"127.0.0.1:0\"]\n"
                       "[driver.ip]\ndefault_prefiks = \"x\"\nprefixes = 3\n[driver.volume]\nseed = 1\n");
  std::filesystem::create_symlink("/nowhere", gantry.store_path());
  expect_refused(AllOf(HasSubstr("default_prefiks"), HasSubstr("key 'driver.ip.prefixes'"),
                       HasSubstr("key 'driver.volume.seed'"), HasSubstr("driver 'nosuch': file")));
  expect_refused(AllOf(HasSubstr("log file /dev/null/gantryd.log"), HasSubstr("no-such-group"), HasSubstr("none.pem"),
                       HasSubstr("gantry.db: expected the file itself, found a symbolic link")));
}

TEST_F(Refusals, EachLineOfARefusalSaysWhoSpeaks) {
  gantry.configure("\"simple\"", "[sheduling]\nx = 1\n[log]\nlevle = \"info\"\n");
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--check-config"}}) {
    std::vector<std::string> words{std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "--config", gantry.config_file()};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_THAT(run_program(words).err, ::testing::MatchesRegex("(gantryd: [^\n]*\n)+"));
  }
}

TEST_F(Refusals, ACheckWarnsOfACertificateThatHasEnded) {
  const auto files = testing::make_certificate(gantry.directory().string(), -1);
  gantry.configure("\"simple\"", "server.listen = [\"127.0.0.1:0\"]\nserver.tls_certificate = \"" + files.chain +
                                     "\"\nserver.tls_key = \"" + files.key + "\"\n");
  const auto checked = gantry.gantry({"config", "check", "--config", gantry.config_file()});
  EXPECT_EQ(checked.exit_status, 0) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("the TLS certificate has expired"));
}

// No driver is created for a configuration that is refused otherwise: what its creation would say comes afterwards.
TEST_F(Refusals, ACheckAnswersInJson) {
  const std::string option_of_no_use = "[driver.ip]\nnetworks = { \"foo\" = \"x\" }\n";
  const auto problems = [this] {
    const auto refused = gantry.gantry({"-o", "json", "config", "check", "--config", gantry.config_file()});
    EXPECT_EQ(refused.exit_status, configuration_refused);
    const auto answer = refused.json();
    EXPECT_FALSE(answer.at("valid").as_bool());
    std::vector<std::string> texts;
    for (const auto& problem : answer.at("problems").as_array()) texts.push_back(json::write(problem));
    return texts;
  };
  gantry.configure("[\"simple\", \"ip\"]", "server.socket_group = \"nobody-has-this-group\"\n" + option_of_no_use);
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("compute"), HasSubstr("nobody-has-this-group")));
  gantry.configure("\"ip\"", option_of_no_use);
  EXPECT_THAT(problems(), ElementsAre(HasSubstr("networks")));
  gantry.configure("\"simple\"");
  const auto valid = gantry.gantry({"-o", "json", "config", "check", "--config", gantry.config_file()});
  EXPECT_EQ(valid.exit_status, 0);
  EXPECT_EQ(valid.json().at("drivers").at(0).at("id").as_string(), "simple");
}

TEST_F(Refusals, AWordBesideTheOptionsIsNamed) {
  const auto ran = run_program({std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "foo"});
  EXPECT_EQ(ran.exit_status, 2);
  EXPECT_THAT(ran.err, HasSubstr("gantryd: expected options alone, found the word 'foo'"));
  const auto help = run_program({std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", "--help"});
  EXPECT_THAT(help.out,
              AllOf(HasSubstr("--set KEY=VALUE"), HasSubstr("-c, --config FILE"), ::testing::Not(HasSubstr(" arg"))));
}

TEST_F(Refusals, ADriverThatIsNotRequiredIsSkippedAndSaid) {
  gantry.configure("[\"simple\", \"volume\"]", "[driver.volume]\nrequired = false\n");
  std::filesystem::remove(gantry.drivers() / "volume.so");
  gantry.start();
  EXPECT_EQ(gantry.ask({"status"}).at("skipped_drivers").as_array().size(), 1U);
  EXPECT_THAT(gantry.log(), HasSubstr("volume"));
  const std::string programs = std::string(GANTRY_BIN_DIRECTORY) + "/";
  for (const std::vector<std::string>& check :
       {std::vector<std::string>{programs + "gantry", "config", "check", "--config", gantry.config_file()},
        {programs + "gantryd", "--check-config", "--config", gantry.config_file()}}) {
    const auto checked = run_program(check);
    EXPECT_EQ(checked.exit_status, 0);
    EXPECT_THAT(checked.err, AllOf(HasSubstr("warning"), HasSubstr("volume")));
    EXPECT_THAT(checked.out, HasSubstr("valid"));
  }
}

TEST_F(Refusals, ADriverWrittenInCAgainstTheHeaderAloneIsDroppedInAndSchedules) {
  build({}, gantry);
  gantry.configure("\"first\"");
  gantry.start();
  gantry.simulate("[[hosts]]\nname = \"only\"\nvcpus = 1\nmemory_mb = 1024\nlocal_gb = 10\n");
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 1; }));
  EXPECT_EQ(gantry.ask({"select", "--flavor", "m1.tiny"}).as_array().at(0).at("host").as_string(), "only");
}

}  // namespace
}  // namespace gantry::test

// SPDX-License-Identifier: Apache-2.0
//
// `gantry driver test` as its user runs it: on drivers that each make one mistake, on the drivers that Gantry brings, and
// on files that crash, hang, print or cannot be loaded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <filesystem>
#include <sstream>

#include "core/encoding/json.hpp"
#include "tests/end_to_end/running_gantry.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string libraries = GANTRY_LIBRARIES;

std::string flawed(const std::string& mistake) {
  return libraries + "/conformance/" + mistake + "/flawed.so";
}
std::string zoo(const std::string& name) {
  return libraries + "/zoo/" + name + ".so";
}

Ran judge(const std::string& file, const std::vector<std::string>& options = {}) {
  std::vector<std::string> words{GANTRY_PROGRAM, "driver", "test", file};
  words.insert(words.end(), options.begin(), options.end());
  return run_program(words);
}

std::vector<std::string> failed_rules(const Ran& ran) {
  std::vector<std::string> rules;
  const json::value report = ran.json();
  for (const json::value& rule : report.at("failed").as_array()) rules.emplace_back(rule.as_string());
  return rules;
}

struct Mistake {
  const char* name;
  const char* rule;
  const char* found;  // a part of the sentence that says what was found
};

class MadeMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(MadeMistake, IsFoundByTheRuleMeantForIt) {
  const Ran ran = judge(flawed(GetParam().name), {"--only", GetParam().rule, "-o", "json"});
  EXPECT_EQ(ran.exit_status, 1) << ran.err;
  ASSERT_THAT(failed_rules(ran), ::testing::ElementsAre(GetParam().rule)) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr(GetParam().found));
}

INSTANTIATE_TEST_SUITE_P(
    Conformance, MadeMistake,
    ::testing::Values(Mistake{"reads_an_undeclared_column", "declared-columns", "a read of 'free_ram_mb'"},
                      Mistake{"reads_behind_nulls", "values-behind-nulls", "@"},
                      Mistake{"sets_no_limit", "picks-with-limits", "without a limit"},
                      Mistake{"ends_at_a_lost_claim", "next-choice-after-a-lost-claim", "code 6"},
                      Mistake{"shares_its_options", "instances-are-apart", "@"},
                      Mistake{"draws_from_the_library", "same-seed-same-decision", "@"},
                      Mistake{"draws_from_its_process", "same-in-another-process", "@"},
                      Mistake{"misspells_an_option", "options-have-an-effect", "option 'reserve_mb' changes nothing"},
                      Mistake{"writes_json_by_hand", "odd-arguments", "reply: expected JSON"},
                      Mistake{"casts_after_a_lost_claim", "lost-claims-cast-nothing", "a cast to dev-0"},
                      Mistake{"casts_elsewhere", "casts-where-it-claims", "a claim on dev-0 without one"},
                      Mistake{"ends_at_a_lost_claim_of_a_method", "method-goes-on-after-a-lost-claim", "code 6"},
                      Mistake{"says_no_host_when_late", "passing-deadline", "code 1 (at poll "},
                      Mistake{"knows_each_bit", "later-bits", R"("found": "2)"},
                      Mistake{"refuses_a_later_minor", "later-minor", "built for another minor"}),
    [](const auto& info) { return std::string(info.param.name); });

class SoundFile : public ::testing::TestWithParam<const char*> {};

TEST_P(SoundFile, IsGold) {
  const Ran ran = judge(libraries + GetParam(), {"--grade", "gold", "-o", "json"});
  EXPECT_EQ(ran.exit_status, 0) << ran.out;
  EXPECT_EQ(ran.json().at("grade").as_string(), "gold");
  EXPECT_TRUE(failed_rules(ran).empty());
  // A library places nothing by itself.
  const bool decides = !ran.json().at("cost_in_scans").is_null();
  EXPECT_EQ(decides, !std::string_view(GetParam()).ends_with("site_filters.so"));
}

INSTANTIATE_TEST_SUITE_P(Conformance, SoundFile,
                         ::testing::Values("/conformance/none/flawed.so", "/zoo/site_filters.so"),
                         [](const auto& info) {
                           const auto words = std::filesystem::path(info.param);
                           return words.stem().string();
                         });

TEST(Conformance, FindsADriverThatDecidesOtherwiseInAProcessOfItsOwn) {
  const Ran ran = judge(flawed("draws_from_its_process"), {"--only", "same-when-isolated", "-o", "json"});
  EXPECT_THAT(failed_rules(ran), ::testing::ElementsAre("same-when-isolated")) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("in a process of its own (one of seventy hosts)"));
}

TEST(Conformance, FindsAMistakeByRandomCasesAndRepeatsIt) {
  const Ran found = judge(flawed("draws_from_the_library"), {"--fuzz", "30", "-o", "json"});
  EXPECT_EQ(found.exit_status, 1) << found.out << found.err;
  const std::string seed(found.json().at("reproduce").as_string());
  EXPECT_THAT(seed, ::testing::StartsWith("fuzz:"));
  const Ran again = judge(flawed("draws_from_the_library"), {"--reproduce", seed});
  EXPECT_EQ(again.exit_status, 1);
  EXPECT_THAT(again.out, HasSubstr("--reproduce " + seed));
}

TEST(Conformance, FindsNothingByRandomCasesInASoundDriver) {
  const Ran ran = judge(flawed("none"), {"--fuzz", "0.1", "--seed", "7", "-o", "json"});
  EXPECT_EQ(ran.exit_status, 0) << ran.out << ran.err;
  EXPECT_GE(ran.json().at("cases").as_int64(), 50);
}

TEST(Conformance, FailsBelowTheGradeThatIsAskedFor) {
  const Ran ran = judge(zoo("plain"), {"--grade", "gold", "-o", "json"});
  EXPECT_EQ(ran.exit_status, 1);
  EXPECT_THAT(failed_rules(ran), Contains("is-licensed"));
}

TEST(Conformance, OutlivesADriverThatCrashesHangsOrExits) {
  for (const auto& [name, found] : {std::pair{"crashing_create", "a crash by signal 6 (SIGABRT)"},
                                    std::pair{"exiting_create", "an exit of the process with status 0"},
                                    std::pair{"hanging_create", "no end after 1 s"}}) {
    const Ran ran =
        judge(zoo(name), {"--only", "picks-a-host", "--only", "links-cleanly", "--limit", "1", "-o", "json"});
    EXPECT_EQ(ran.exit_status, 1) << name << ran.err;
    EXPECT_THAT(failed_rules(ran), Contains("picks-a-host")) << name;
    EXPECT_THAT(failed_rules(ran), Not(Contains("links-cleanly"))) << name;
    EXPECT_THAT(ran.out, HasSubstr(found));
  }
}

TEST(Conformance, FindsOutputOfADriverAndShowsNoneOfIt) {
  const Ran ran = judge(zoo("printing_create"), {"--only", "prints-nothing", "--only", "picks-a-host", "-o", "json"});
  EXPECT_EQ(ran.exit_status, 1);
  EXPECT_THAT(failed_rules(ran), ::testing::ElementsAre("prints-nothing"));
  EXPECT_TRUE(ran.err.empty()) << ran.err.substr(0, 200);
}

TEST(Conformance, RefusesAFileThatIsNoDriver) {
  const Ran ran = judge(zoo("bad_toml"));
  EXPECT_EQ(ran.exit_status, 78);
  EXPECT_THAT(ran.err, HasSubstr("expected TOML"));
}

TEST(Conformance, RefusesAWrongCommandLine) {
  const Ran unknown = judge(zoo("plain"), {"--only", "prints-nothin"});
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'prints-nothing'?"));
  const Ran option = judge(libraries + "/gantry/drivers/lua.so", {"--option", "memory=1"});
  EXPECT_EQ(option.exit_status, 2);
  EXPECT_THAT(option.err, HasSubstr("found 'memory', expected one of check_room, memory_mb, policy"));
  for (const auto& part :
       {std::pair{"--only", "no-hosts"}, std::pair{"--skip", "no-hosts"}, std::pair{"--reproduce", "no-hosts:1"}}) {
    EXPECT_EQ(judge(zoo("plain"), {part.first, part.second, "--write"}).exit_status, 2);
    const Ran graded = judge(zoo("plain"), {part.first, part.second, "--grade", "bronze"});
    EXPECT_EQ(graded.exit_status, 2);
    EXPECT_THAT(graded.err, HasSubstr("a grade counts all rules"));
  }
  EXPECT_EQ(judge(zoo("plain"), {"--reproduce", "no-hosts"}).exit_status, 2);
}

TEST(Conformance, RunsNoRuleBehindACreateThatFailsAndSaysWhy) {
  const std::vector<std::string> nowhere{"--option", "policy=/nowhere.lua", "-o", "json"};
  const Ran ran = judge(libraries + "/gantry/drivers/lua.so", nowhere);
  EXPECT_EQ(ran.exit_status, 1);
  EXPECT_THAT(failed_rules(ran), ::testing::ElementsAre("can-be-created"));
  EXPECT_THAT(ran.out, HasSubstr("policy '/nowhere.lua': expected a file that can be read"));
  const Ran one = judge(libraries + "/gantry/drivers/lua.so",
                        {"--option", "policy=/nowhere.lua", "--only", "respects-force-hosts", "-o", "json"});
  EXPECT_THAT(one.out, HasSubstr("policy '/nowhere.lua': expected a file that can be read"));
}

TEST(Conformance, ExemptsAFileFromARuleForAReason) {
  const support::ScratchDirectory directory;
  const std::string file = directory.path("flawed.so");
  std::filesystem::copy_file(flawed("sets_no_limit"), file);
  directory.write("flawed.test.toml", "picks-with-limits = 'hosts of the site are never full'\n");
  const Ran ran = judge(file, {"--only", "picks-with-limits", "-o", "json"});
  EXPECT_EQ(ran.exit_status, 0) << ran.out;
  const json::value rule = ran.json().at("rules").as_array().at(0);
  EXPECT_EQ(rule.at("state").as_string(), "exempt");
  EXPECT_EQ(rule.at("exemption").as_string(), "hosts of the site are never full");
}

TEST(Conformance, RefusesAnExemptionThatItCannotKeep) {
  const support::ScratchDirectory directory;
  const auto with = [&](const std::string& text) {
    return judge(flawed("none"), {"--only", "no-hosts", "--exemptions", directory.write("rules.toml", text)});
  };
  const Ran unknown = with("picks-with-limit = 'x'\n");
  EXPECT_EQ(unknown.exit_status, 78);
  EXPECT_THAT(unknown.err,
              HasSubstr("rules.toml:1:1: there is no rule 'picks-with-limit'; is 'picks-with-limits' meant?"));
  const Ran empty = with("\npicks-with-limits = ' '\n");
  EXPECT_EQ(empty.exit_status, 78);
  EXPECT_THAT(empty.err, HasSubstr("rules.toml:2:1: expected the reason of the exemption from 'picks-with-limits'"));
}

TEST(Conformance, SaysThatAnExemptionIsNotNeeded) {
  const support::ScratchDirectory directory;
  const Ran ran = judge(flawed("none"), {"--only", "picks-with-limits", "--exemptions",
                                         directory.write("rules.toml", "picks-with-limits = 'x'\n")});
  EXPECT_EQ(ran.exit_status, 0);
  EXPECT_THAT(ran.err, HasSubstr("the exemption from 'picks-with-limits' is not needed"));
}

TEST(Conformance, WritesJUnitThatAParserReads) {
  const Ran ran = judge(flawed("writes_json_by_hand"), {"--only", "odd-arguments", "--only", "no-hosts", "--junit"});
  std::istringstream text(ran.out);
  boost::property_tree::ptree tree;
  ASSERT_NO_THROW(boost::property_tree::read_xml(text, tree)) << ran.out;
  EXPECT_EQ(tree.get<int>("testsuite.<xmlattr>.tests"), 2);
  EXPECT_EQ(tree.get<int>("testsuite.<xmlattr>.failures"), 1);
  EXPECT_EQ(tree.get_child("testsuite").count("testcase"), 2u);
}

TEST(Conformance, ReproducesAFailureByItsSeed) {
  const Ran ran = judge(flawed("sets_no_limit"), {"--only", "picks-with-limits", "--seed", "7"});
  ASSERT_THAT(ran.out, HasSubstr("--reproduce picks-with-limits:7"));
  EXPECT_EQ(judge(flawed("sets_no_limit"), {"--reproduce", "picks-with-limits:7"}).exit_status, 1);
}

}  // namespace
}  // namespace gantry::test

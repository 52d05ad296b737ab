// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gantry/driver.h"

namespace gantry::drivers {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view start = "manifest = 1\nabi = '" GANTRY_ABI_TEXT "'\n";
constexpr std::string_view names =
    "id = 'first_fit'\nversion = '1.2.0'\ndescription = 'one line'\ntopics = ['compute']\nthreads = 'serial'\n";

std::string complete(std::string_view more) {
  return std::string(start).append(names).append(more);
}

std::string error_of(std::string_view more) {
  const Result<Manifest> manifest = parse_manifest(complete(more));
  return manifest ? "no error" : manifest.error().message;
}

TEST(Manifest, ReadsEveryKeyThatDriverHShows) {
  const Result<Manifest> manifest = parse_manifest(complete(
      "license = 'Apache-2.0'\nvendor = 'Example'\nneeds_minor = 0\ndecides_from = 'history'\n[methods]\ncompute = "
      "['ping']\n[columns]\n"
      "needs = ['vcpus']\nuses = ['stats.rack:string', 'claims.volumes']\n[options.reserve]\ntype = 'integer'\n"
      "default = 512\nhelp = 'MiB kept free'\nminimum = 0\n[options.after]\ntype = 'string'\nrequired = true\n"
      "help = 'x'\n[options.ahead]\ntype = 'real'\ndefault = 1\nhelp = 'y'\n"));
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->id, "first_fit");
  EXPECT_EQ(manifest->abi_minor, std::uint32_t{GANTRY_ABI_MINOR});
  EXPECT_EQ(manifest->needs_minor, 0U);
  EXPECT_EQ(manifest->threads, Threads::serial);
  EXPECT_EQ(manifest->decides_from, DecidesFrom::history);
  EXPECT_THAT(manifest->methods.at("compute"), ElementsAre("ping"));
  EXPECT_EQ(manifest->needs.at(0).type, 0);
  EXPECT_EQ(manifest->uses.at(0).name, "stats.rack");
  EXPECT_EQ(manifest->uses.at(0).type, GANTRY_TYPE_STRING);
  EXPECT_EQ(manifest->options.at(0).minimum, 0.0);
}

TEST(Manifest, SaysThatDecisionsCannotBeRepeatedIfTheyAreFromHistory) {
  const Result<Manifest> usual = parse_manifest(complete(""));
  ASSERT_TRUE(usual) << usual.error().message;
  EXPECT_EQ(usual->decides_from, DecidesFrom::input);
  EXPECT_EQ(why_unrepeatable(*usual), std::nullopt);
  const Result<Manifest> learned = parse_manifest(complete("decides_from = 'history'\n"));
  ASSERT_TRUE(learned) << learned.error().message;
  EXPECT_THAT(why_unrepeatable(*learned).value_or(""), HasSubstr("decisions of driver 'first_fit' cannot be repeated"));
  EXPECT_THAT(error_of("decides_from = 'luck'\n"),
              AllOf(HasSubstr("'decides_from'"), HasSubstr("'input' or 'history'"), HasSubstr("found 'luck'")));
}

TEST(Manifest, KeepsOptionsInTheAuthorsOrder) {
  const Result<Manifest> manifest =
      parse_manifest(complete("[options.zone]\ntype = 'string'\ndefault = ''\nhelp = 'z'\n"
                              "[options.age]\ntype = 'integer'\ndefault = 1\nhelp = 'a'\n"));
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->options.at(0).name, "zone");
  EXPECT_EQ(manifest->options.at(1).name, "age");
}

TEST(Manifest, RefusesAnIdentityOfSeveralLinesOrWithControlCharacters) {
  const auto with = [](const std::string& description) {
    const Result<Manifest> manifest =
        parse_manifest(std::string(start) + "id = 'x'\nversion = '1'\ntopics = ['compute']\nthreads = 'serial'\n" +
                       "description = " + description + "\n");
    return manifest ? "no error" : manifest.error().message;
  };
  for (const char* text : {R"("two\nlines")", R"("a NUL \u0000")", R"("an escape \u001b[31m")"})
    EXPECT_THAT(with(text), HasSubstr("expected one line without control characters")) << text;
  EXPECT_THAT(with(R"("an escape \u001b[31m")"), testing::Not(HasSubstr("\x1b")));
  EXPECT_THAT(with("'" + std::string(501, 'x') + "'"), HasSubstr("expected at most 500 bytes, found 501"));
  EXPECT_EQ(with("'für alle'"), "no error");
}

TEST(Manifest, ShowsOfALongNameOnlyTheBeginning) {
  const std::string message = error_of("[methods]\ncompute = ['" + std::string(5000, 'x') + "']\n");
  EXPECT_THAT(message, AllOf(HasSubstr("expected 1 to 64 letters"), HasSubstr("xxx... (5002 bytes)")));
  EXPECT_LT(message.size(), 500U);
}

TEST(Manifest, NamesTheLineOfInvalidToml) {
  EXPECT_THAT(error_of("this is = = not\n"), AllOf(HasSubstr("manifest line 8"), HasSubstr("TOML")));
}

TEST(Manifest, RefusesAKeyOfAHundredThousandParts) {
  std::string text = "a";
  for (int i = 0; i < 100'000; ++i) text += ".a";
  EXPECT_FALSE(parse_manifest(text + " = 1\n"));
}

TEST(Manifest, RefusesAnUnknownKeyWithTheNearestName) {
  EXPECT_THAT(error_of("vendr = 'x'\n"),
              AllOf(HasSubstr("line 8"), HasSubstr("'vendr'"), HasSubstr("did you mean 'vendor'?")));
  EXPECT_THAT(error_of("[options.reserve]\ntype = 'integer'\ndefualt = 1\n"),
              AllOf(HasSubstr("line 10"), HasSubstr("options.reserve.defualt"), HasSubstr("'default'?")));
}

TEST(Manifest, IgnoresUnknownKeysOfANewerAbi) {
  const Result<Manifest> manifest =
      parse_manifest(std::string("manifest = 1\nabi = '1.9'\nneeds_minor = 0\n").append(names).append("novelty = 1\n"));
  ASSERT_TRUE(manifest) << manifest.error().message;
  EXPECT_EQ(manifest->abi_minor, 9U);
}

// The manifest of a driver, read by a host of ABI 1.4.
std::string error_at_1_4(const std::string& abi, const std::string& more) {
  const std::string text = "manifest = 1\nabi = '" + abi + "'\n" + std::string(names) + more;
  const Result<Manifest> manifest = parse_manifest(text, 1, 4);
  return manifest ? "no error" : manifest.error().message;
}

TEST(Manifest, IsRefusedForANeedOfALaterMinorBeforeAnyValueThatThisHostCannotRead) {
  const std::string unknown_type = "[columns]\nneeds = ['stats.racks:texts']\n";
  EXPECT_THAT(error_at_1_4("1.9", "needs_minor = 9\n" + unknown_type),
              AllOf(HasSubstr("driver 'first_fit': ABI needs_minor"), HasSubstr("expected at most 4"),
                    HasSubstr("found 9; update gantry"), Not(HasSubstr("stats.racks"))));
  EXPECT_THAT(error_at_1_4("1.9", "needs_minor = 4\n" + unknown_type), HasSubstr("'stats.racks:texts'"));
}

TEST(Manifest, IsRefusedForAnotherMajorBeforeAnyValueThatThisHostCannotRead) {
  EXPECT_THAT(error_at_1_4("2.0", "needs_minor = 'any'\n"),
              AllOf(HasSubstr("driver 'first_fit': ABI major"), HasSubstr("found 2.0; update gantry")));
  EXPECT_THAT(error_at_1_4("0.4", "no_longer_a_key = 1\n"),
              AllOf(HasSubstr("ABI major"), HasSubstr("found 0.4; build it again")));
}

TEST(Manifest, NamesAMissingKey) {
  const Result<Manifest> manifest = parse_manifest(std::string(start).append("id = 'x'\n"));
  ASSERT_FALSE(manifest);
  EXPECT_THAT(manifest.error().message, AllOf(HasSubstr("'version'"), HasSubstr("no such key")));
}

TEST(Manifest, RefusesAnotherFormat) {
  const Result<Manifest> manifest = parse_manifest("manifest = 2\nabi = '0.1'\n");
  ASSERT_FALSE(manifest);
  EXPECT_THAT(manifest.error().message, AllOf(HasSubstr("format 1"), HasSubstr("found 2")));
}

TEST(Manifest, RefusesAnIdThatIsNotAFileName) {
  for (const char* id : {"", "a/b", "a b", "ä"}) {
    const Result<Manifest> manifest = parse_manifest(std::string(start) + "id = '" + id + "'\n");
    ASSERT_FALSE(manifest) << id;
    EXPECT_THAT(manifest.error().message, HasSubstr("'id'"));
  }
}

TEST(Manifest, RefusesMethodsOfOtherTopicsAndThoseThatShadowAnOperation) {
  EXPECT_THAT(error_of("[methods]\nvolume = ['create']\n"), AllOf(HasSubstr("'volume'"), HasSubstr("own topics")));
  EXPECT_THAT(error_of("[methods]\ncompute = ['hosts_up']\n"), AllOf(HasSubstr("'hosts_up'"), HasSubstr("operation")));
  EXPECT_THAT(error_of("[methods]\ncompute = ['ping', 'ping']\n"), HasSubstr("twice"));
}

TEST(Manifest, ReadsTheColumnsOfAnOptionWhichAreTheCoresOwn) {
  const std::string option = "[options.pack]\ntype = 'real'\ndefault = 0.0\nhelp = 'h'\n";
  const Result<Manifest> manifest =
      parse_manifest(std::string(start).append(names).append(option).append("columns = ['image_properties']\n"));
  ASSERT_TRUE(manifest) << manifest.error().message;
  ASSERT_EQ(manifest->options.at(0).columns.size(), 1U);
  EXPECT_EQ(manifest->options.at(0).columns[0].name, "image_properties");
  EXPECT_THAT(error_of(option + "columns = ['stats.rack:i64']\n"),
              AllOf(HasSubstr("options.pack.columns"), HasSubstr("core's own"), HasSubstr("'stats.rack:i64'")));
}

TEST(Manifest, MayAskForAProcessOfItsOwn) {
  EXPECT_EQ(parse_manifest(std::string(start) + std::string(names))->isolation, config::Isolation::none);
  EXPECT_EQ(parse_manifest(std::string(start) + std::string(names) + "isolation = 'process'\n")->isolation,
            config::Isolation::process);
  EXPECT_THAT(error_of("isolation = 'thread'\n"), AllOf(HasSubstr("isolation"), HasSubstr("'none' or 'process'")));
}

TEST(Manifest, TakesOneKindOfStringOptionAlone) {
  const std::string file = "[options.policy]\ntype = 'string'\nhelp = 'h'\nrequired = true\nkind = 'file'\n";
  EXPECT_TRUE(parse_manifest(std::string(start).append(names).append(file))->options.at(0).is_file);
  EXPECT_THAT(error_of("[options.a]\ntype = 'string'\nhelp = 'h'\nrequired = true\nkind = 'directory'\n"),
              AllOf(HasSubstr("options.a.kind"), HasSubstr("'file'"), HasSubstr("'directory'")));
  EXPECT_THAT(error_of("[options.a]\ntype = 'table'\nhelp = 'h'\nrequired = true\nkind = 'file'\n"),
              AllOf(HasSubstr("type string only"), HasSubstr("type table")));
  EXPECT_THAT(error_of("[options.a]\ntype = 'string'\nhelp = 'h'\ndefault = 'here'\nkind = 'file'\n"),
              AllOf(HasSubstr("options.a.default"), HasSubstr("absolute path"), HasSubstr("'here'")));
  EXPECT_EQ(error_of("[options.a]\ntype = 'string'\nhelp = 'h'\ndefault = ''\nkind = 'file'\n"), "no error");
}

TEST(Manifest, RefusesColumnsWithoutTheirTypeOrWithOneTooMany) {
  EXPECT_THAT(error_of("[columns]\nneeds = ['stats.rack']\n"),
              AllOf(HasSubstr("bool, i64"), HasSubstr("'stats.rack'")));
  EXPECT_THAT(error_of("[columns]\nuses = ['stats.rack:text']\n"), HasSubstr("stats.rack:text"));
  EXPECT_THAT(error_of("[columns]\nuses = ['vcpus:i64']\n"), HasSubstr("no type"));
  EXPECT_THAT(error_of("[columns]\nneeds = ['vcpus']\nuses = ['vcpus']\n"), HasSubstr("again"));
}

TEST(Manifest, RefusesADefaultThatItsOptionDoesNotAllow) {
  EXPECT_THAT(error_of("[options.a]\ntype = 'integer'\nhelp = 'h'\ndefault = 'x'\n"),
              AllOf(HasSubstr("options.a.default"), HasSubstr("an integer"), HasSubstr("string 'x'")));
  EXPECT_THAT(error_of("[options.a]\ntype = 'integer'\nhelp = 'h'\ndefault = 5\nmaximum = 4\n"),
              HasSubstr("at most 4"));
  EXPECT_THAT(error_of("[options.a]\ntype = 'string'\nhelp = 'h'\ndefault = 'x'\nchoices = ['y']\n"),
              HasSubstr("one of 'y'"));
  EXPECT_THAT(error_of("[options.a]\ntype = 'string'\nhelp = 'h'\n"), HasSubstr("required = true"));
}

TEST(Manifest, RefusesOptionsNamedAsTheCoresOwn) {
  EXPECT_THAT(error_of("[options.path]\ntype = 'string'\nhelp = 'h'\ndefault = ''\n"), HasSubstr("'path'"));
}

TEST(Manifest, RefusesOptionsNamedAsKeysOfTheHost) {
  for (const std::string name : {"required", "sha256", "isolation", "libraries", "options", "deadline_ms", "fallback",
                                 "memory_limit", "cpu_limit"}) {
    EXPECT_THAT(error_of("[options." + name + "]\ntype = 'string'\nhelp = 'h'\ndefault = ''\n"),
                AllOf(HasSubstr("'" + name + "'"), HasSubstr("the core's own keys")));
  }
}

TEST(Manifest, RefusesOptionsAndMethodsWithTheHostsPrefix) {
  EXPECT_THAT(error_of("[options.gantry_pace]\ntype = 'string'\nhelp = 'h'\ndefault = ''\n"),
              AllOf(HasSubstr("expected a name that does not begin with gantry_"), HasSubstr("found 'gantry_pace'")));
  EXPECT_THAT(error_of("[methods]\ncompute = ['ping', 'gantry_rebalance']\n"),
              AllOf(HasSubstr("expected names that do not begin with gantry_"), HasSubstr("found 'gantry_rebalance'")));
  EXPECT_EQ(error_of("[options.gantry]\ntype = 'string'\nhelp = 'h'\ndefault = ''\n"), "no error");
}

TEST(CheckAbi, RefusesAnotherMajorAndBeforeOnePointZeroAnotherMinor) {
  Manifest manifest;
  manifest.id = "x";
  manifest.abi_minor = 1;
  EXPECT_TRUE(check_abi(manifest, 0, 1));
  EXPECT_THAT(check_abi(manifest, 0, 2).error().message, AllOf(HasSubstr("0.2"), HasSubstr("found 0.1")));
  EXPECT_THAT(check_abi(manifest, 1, 0).error().message, HasSubstr("major"));
}

TEST(CheckAbi, AcceptsAHostWithTheNeededMinorFromOnePointZero) {
  Manifest manifest;
  manifest.id = "x";
  manifest.abi_major = 1;
  manifest.abi_minor = 5;
  manifest.needs_minor = 2;
  EXPECT_TRUE(check_abi(manifest, 1, 2));
  EXPECT_TRUE(check_abi(manifest, 1, 9));
  EXPECT_THAT(check_abi(manifest, 1, 1).error().message, AllOf(HasSubstr("needs_minor"), HasSubstr("found 2")));
}

TEST(Manifest, SaysWhichKeysTheMacroWrites) {
  EXPECT_THAT(error_of("needs_minor = 0\nneeds_minor = 0\n"),
              AllOf(HasSubstr("expected TOML"), HasSubstr("leave needs_minor out, for the macro GANTRY_MANIFEST")));
  EXPECT_THAT(error_of("license = 'MIT'\nlicense = 'MIT'\n"), Not(HasSubstr("GANTRY_MANIFEST")));
}

TEST(Manifest, TakesAnOptionForOffersOfALaterKindWithAWarning) {
  const std::string text = "manifest = 1\nabi = '1.5'\nneeds_minor = 0\n" + std::string(names) +
                           "[options.order]\ntype = 'strings'\ndefault = []\nhelp = 'h'\noffers = 'gantry.order/1'\n";
  const Result<Manifest> later = parse_manifest(text, 1, 4);
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_THAT(left_out_warnings(*later),
              testing::ElementsAre(AllOf(HasSubstr("driver 'first_fit': option 'order' takes no offers"),
                                         HasSubstr("found 'gantry.order/1'"), HasSubstr("update gantry"))));
  const Result<Manifest> same = parse_manifest(text, 1, 5);
  ASSERT_FALSE(same) << "a host of this minor knows each kind that there is";
  EXPECT_THAT(same.error().message, HasSubstr("'options.order.offers'"));
}

}  // namespace
}  // namespace gantry::drivers

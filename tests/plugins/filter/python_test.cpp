// SPDX-License-Identifier: Apache-2.0
//
// What Nova's filters take from Python, on the functions that stand for it. parity.python_values compares the same
// functions with Python itself, at random; here stand the rules that a reader should know.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "plugins/filter/nova/aggregate_values.hpp"
#include "plugins/filter/nova/capability.hpp"
#include "plugins/filter/nova/comma_list.hpp"
#include "plugins/filter/nova/extra_specs_match.hpp"
#include "plugins/filter/nova/image_names.hpp"
#include "plugins/filter/nova/image_properties.hpp"
#include "plugins/filter/nova/ip_network.hpp"
#include "plugins/filter/nova/json_query.hpp"
#include "plugins/filter/nova/scheduler_hint.hpp"
#include "plugins/filter/nova/version_predicate.hpp"
#include "plugins/filter/python/blanks.hpp"
#include "plugins/filter/python/python_json.hpp"
#include "plugins/filter/python/python_number.hpp"
#include "plugins/filter/python/python_text.hpp"
#include "plugins/filter/python/python_value.hpp"

namespace filter_driver {
namespace {

using boost::json::value;
using std::string_view_literals::operator""sv;
using ::testing::ElementsAre;

// A value as JSON text has it.
value json(std::string_view text) {
  const outcome<value> read = read_json(text);
  return read.ok() ? read.value() : value(read.error().sentence);
}

// "True", "False", or what was raised: "ValueError: ...".
std::string answer(const outcome<bool>& met) {
  if (!met.ok()) return met.error().kind + ": " + met.error().sentence;
  return met.value() ? "True" : "False";
}

struct host_of final : attributes {
  explicit host_of(std::string_view text) : all(json(text)) {}
  const value* find(std::string_view name) const override { return all.as_object().if_contains(name); }
  value all;
};

TEST(PythonText, WritesTheConstantsAndListsOfPython) {
  EXPECT_EQ(str_of(json("[true, null, 1, 2.0, {\"a\": [\"b\"]}, {}]")), "[True, None, 1, 2.0, {'a': ['b']}, {}]");
}

TEST(PythonText, LeavesATextAsItIsButQuotesItInAList) {
  EXPECT_EQ(str_of("it's"), "it's");
  EXPECT_EQ(str_of(json("[\"it's\", \"a\"]")), "[\"it's\", 'a']");
  EXPECT_EQ(repr_of("it's \"x\""sv), "'it\\'s \"x\"'");
}

TEST(PythonText, EscapesWhatIsNotPrintable) {
  EXPECT_EQ(repr_of("a\n\x01\\\u00e9\u2028\U000e0001"sv), "'a\\n\\x01\\\\\u00e9\\u2028\\U000e0001'");
  EXPECT_EQ(repr_of("\xff"sv), "'\\udcff'") << "a byte that is no UTF-8 is Python's lone surrogate";
}

TEST(PythonText, WritesFloatsInTheFewestDigits) {
  EXPECT_EQ(str_of(0.1), "0.1");
  EXPECT_EQ(str_of(16.0), "16.0");
  EXPECT_EQ(str_of(1e15), "1000000000000000.0");
  EXPECT_EQ(str_of(1e16), "1e+16");
  EXPECT_EQ(str_of(0.0001), "0.0001");
  EXPECT_EQ(str_of(0.00001), "1e-05");
  EXPECT_EQ(str_of(-0.0), "-0.0");
  EXPECT_EQ(str_of(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(str_of(std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(PythonNumber, ReadsFloatsWithBlanksUnderscoresAndWords) {
  EXPECT_EQ(float_of(" 1_000.5\n").value(), 1000.5);
  EXPECT_EQ(float_of("-Infinity").value(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(float_of("1e400").value(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(float_of("1e-400").value(), 0.0);
  for (const char* text : {"", " ", "1__0", "_1", "1_", "0x10", "1e", ".", "1 2", "infinit"}) {
    EXPECT_EQ(float_of(text).error().sentence, "could not convert string to float: " + repr_of(std::string_view(text)));
  }
}

TEST(PythonNumber, ReadsOnlyWholeNumbersAsInt) {
  EXPECT_EQ(int_of(" 007 ").value(), 7);
  EXPECT_EQ(int_of("-9223372036854775808").value(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(int_of("18446744073709551615").value(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(int_of("1" + std::string(30, '0')).value(), 1e30);
  EXPECT_EQ(int_of("2.5").error().sentence, "invalid literal for int() with base 10: '2.5'");
}

TEST(PythonNumber, TakesTheDecimalDigitsOfAnyScript) {
  EXPECT_EQ(float_of("-\u0663.\u096b").value(), -3.5) << "Arabic-Indic and Devanagari";
  EXPECT_EQ(int_of("\uff11_\U0001d7d0").value(), 12) << "fullwidth and mathematical bold";
  EXPECT_EQ(int_of("\U0001fbf9").value(), 9) << "the last of all";
  for (const char* text : {"\u00b2", "\u2463", "\u4e09", "\u06fa", "\u065f"}) {
    EXPECT_EQ(int_of(text).error().sentence,
              "invalid literal for int() with base 10: " + repr_of(std::string_view(text)));
  }
}

TEST(PythonValue, ComparesNumbersByWhatTheyAreWorth) {
  EXPECT_TRUE(equal_values(true, 1));
  EXPECT_TRUE(equal_values(1, 1.0));
  EXPECT_FALSE(equal_values(9007199254740993, 9007199254740992.0)) << "neither is rounded";
  EXPECT_FALSE(equal_values("1", 1));
  EXPECT_EQ(answer(compare_values(comparison::less, -1, value(std::uint64_t{1} << 63))), "True");
}

TEST(PythonValue, HasNoOrderOfUnlikeTypes) {
  EXPECT_EQ(answer(compare_values(comparison::at_least, "host1", 2.5)),
            "TypeError: '>=' not supported between instances of 'str' and 'float'");
  EXPECT_EQ(answer(compare_values(comparison::less, json("[1, \"a\"]"), json("[1, 2]"))),
            "TypeError: '<' not supported between instances of 'str' and 'int'");
  EXPECT_EQ(answer(compare_values(comparison::equal, "1", 1)), "False");
}

TEST(PythonValue, OrdersValuesOfAllTypesInPython2) {
  const std::vector<value> in_order = {nullptr, -1, json("{\"a\": 1}"), json("[1]"), "1"};
  for (std::size_t left = 0; left < in_order.size(); ++left) {
    for (std::size_t right = 0; right < in_order.size(); ++right) {
      EXPECT_EQ(compare_values_in_python_2(comparison::less, in_order[left], in_order[right]), left < right);
    }
  }
}

TEST(PythonValue, TakesEmptyAndZeroForFalse) {
  for (const char* text : {"null", "false", "0", "0.0", "\"\"", "[]", "{}"}) EXPECT_FALSE(is_true(json(text))) << text;
  for (const char* text : {"true", "-1", "NaN", "\"0\"", "[0]", "{\"\": 0}"}) EXPECT_TRUE(is_true(json(text))) << text;
}

TEST(PythonJson, ReadsTheNearestDouble) {
  EXPECT_EQ(json("39837.051216532396").as_double(), 39837.051216532396);
  EXPECT_EQ(json("-0.0").as_double(), 0.0);
  EXPECT_EQ(json("1e400").as_double(), std::numeric_limits<double>::infinity());
}

TEST(PythonJson, RefusesInvalidJsonAndNamesThePlace) {
  EXPECT_EQ(read_json("{\"a\": 1,}").error().sentence, "Expecting property name enclosed in double quotes (char 8)");
  EXPECT_EQ(read_json("[1] 2").error().sentence, "Extra data (char 4)");
  EXPECT_EQ(read_json("").error().kind, "ValueError");
  EXPECT_EQ(read_json(std::string(100000, '[')).error().kind, "RecursionError");
}

TEST(Blanks, IncludesAllUnicodeWhiteSpace) {
  EXPECT_EQ(without_blanks("\t\u00a0a b\u3000\x1f"), "a b");
  EXPECT_THAT(words_of("\u2003<or> a\n<or>"), ElementsAre("<or>", "a", "<or>"));
}

TEST(ExtraSpecsMatch, ComparesTheWholeTextWithoutAnOperator) {
  EXPECT_EQ(answer(extra_specs_match("1", "1")), "True");
  EXPECT_EQ(answer(extra_specs_match("1", " 1")), "False");
  EXPECT_EQ(answer(extra_specs_match("", "")), "True");
  EXPECT_EQ(answer(extra_specs_match(std::nullopt, "")), "False");
  EXPECT_EQ(answer(extra_specs_match("5", "> 4")), "False") << "there is no operator > of numbers";
}

TEST(ExtraSpecsMatch, TakesASingleEqualsSignForAtLeast) {
  EXPECT_EQ(answer(extra_specs_match("5", "= 4")), "True");
  EXPECT_EQ(answer(extra_specs_match("5", "== 4")), "False");
  EXPECT_EQ(answer(extra_specs_match("4.0", "== 4")), "True");
  EXPECT_EQ(answer(extra_specs_match("4.0", "s== 4")), "False");
  EXPECT_EQ(answer(extra_specs_match("10", "s< 9")), "True");
}

TEST(ExtraSpecsMatch, RaisesWhereANumberIsAskedForAndThereIsNone) {
  EXPECT_EQ(answer(extra_specs_match("null", ">= 2")), "ValueError: could not convert string to float: 'null'");
  EXPECT_EQ(answer(extra_specs_match("2", ">= x")), "ValueError: could not convert string to float: 'x'");
  EXPECT_EQ(answer(extra_specs_match(std::nullopt, ">= x")), "False");
  EXPECT_EQ(answer(extra_specs_match("null", ">=")), "False");
}

TEST(ExtraSpecsMatch, SkipsEverySecondWordOfAnAlternative) {
  EXPECT_EQ(answer(extra_specs_match("12", "<or> 11 <or> 12")), "True");
  EXPECT_EQ(answer(extra_specs_match("12", "<or> 11 12")), "False");
  EXPECT_EQ(answer(extra_specs_match("12", "<or> 11 x 12")), "True");
  EXPECT_EQ(answer(extra_specs_match("12", "<or>")), "IndexError: pop from empty list");
}

TEST(ExtraSpecsMatch, LooksForPartsOfTheText) {
  EXPECT_EQ(answer(extra_specs_match("12311321", "<in> 11")), "True");
  EXPECT_EQ(answer(extra_specs_match("['aes', 'mmx']", "<all-in> es mmx")), "True");
  EXPECT_EQ(answer(extra_specs_match("['aes', 'mmx']", "<all-in> aes txt")), "False");
}

TEST(ExtraSpecsMatch, DoesNotKnowAllInInIcehouse) {
  EXPECT_EQ(answer(extra_specs_match("aes", "<all-in> aes", release::icehouse)), "False");
  EXPECT_EQ(answer(extra_specs_match("<all-in> aes", "<all-in> aes", release::icehouse)), "True");
}

constexpr std::string_view capable_host = R"({"vcpus_total": 4, "none": null, "stats": {"opt": "a", "none": "b"},
  "cpu_info": "{\"arch\": \"x86_64\", \"features\": [\"aes\", \"mmx\"], \"topology\": {\"cores\": 4}}"})";

std::string capable(std::string_view extra_specs, release release = release::zed) {
  return answer(capability_requirements(json(extra_specs).as_object(), release).met_by(host_of(capable_host)));
}

TEST(Capability, FollowsAPathThroughTextsOfJson) {
  EXPECT_EQ(capable(R"({"capabilities:cpu_info:topology:cores": ">= 4"})"), "True");
  EXPECT_EQ(capable(R"({"capabilities:cpu_info:features": "<in> 'aes'"})"), "True");
  EXPECT_EQ(capable(R"({"capabilities:cpu_info:arch:x": "x86_64"})"), "False") << "x86_64 is no JSON";
  EXPECT_EQ(capable(R"({"capabilities:cpu_info:features:x": "1"})"), "False");
  EXPECT_EQ(capable(R"({"capabilities:cpu_info:topology:cores": ">= 4"})", release::icehouse), "False");
}

TEST(Capability, LooksInTheStatsForNamesThatTheHostLacks) {
  EXPECT_EQ(capable(R"({"capabilities:opt": "a"})"), "True");
  EXPECT_EQ(capable(R"({"none": "b"})"), "True");
  EXPECT_EQ(capable(R"({"capabilities:nosuch": "a"})"), "False");
}

TEST(Capability, NeverLooksInTheRecordOfTheService) {
  const host_of host(R"({"service": {"disabled": false}, "stats": {"disabled": "False"}})");
  const auto met = [&](std::string_view key) {
    return answer(capability_requirements(boost::json::object{{key, "False"}}, release::zed).met_by(host));
  };
  EXPECT_EQ(met("capabilities:service:disabled"), "False");
  EXPECT_EQ(met("capabilities:disabled"), "True");
}

TEST(Capability, IgnoresOtherScopesAndUnknownNamesWithoutAScope) {
  EXPECT_EQ(capable(R"({"hw:vcpus_total": "5", "nosuch": "1"})"), "True");
  EXPECT_EQ(capable(R"({"vcpus_total": "5"})"), "False");
  EXPECT_EQ(capable(R"({"nosuch": "1"})", release::icehouse), "False");
}

TEST(Capability, NamesTheAttributesThatItReads) {
  const capability_requirements asked(json(R"({"capabilities:cpu_info:arch": "", "opt": "", "hw:a": ""})").as_object(),
                                      release::zed);
  EXPECT_THAT(asked.reads(), ElementsAre("cpu_info", "opt", "stats"));
}

std::string query(const value& hint, release release = release::zed) {
  const host_of host(R"({"host": "host1", "free_ram_mb": 1024, "none": null, "stats": {"opt": "1"}})");
  return answer(json_query(hint, release).holds_for(host));
}

TEST(JsonQuery, ComparesTheFirstArgumentWithEachOther) {
  EXPECT_EQ(query(R"([">=", "$free_ram_mb", 512, 1024])"), "True");
  EXPECT_EQ(query(R"([">=", "$free_ram_mb", 512, 2048])"), "False");
  EXPECT_EQ(query(R"(["in", "$stats.opt", "0", "1"])"), "True");
  EXPECT_EQ(query(R"(["=", 1, true])"), "True");
}

TEST(JsonQuery, DropsNoneAndIsFalseWithFewerThanTwo) {
  EXPECT_EQ(query(R"(["=", "$nosuch", "$host", "host1"])"), "True");
  EXPECT_EQ(query(R"(["=", "$none", "$host"])"), "False");
  EXPECT_EQ(query(R"(["=", "", null])"), "False");
}

TEST(JsonQuery, NegatesEachArgumentIntoAListThatIsTrueInside) {
  EXPECT_EQ(query(R"(["not", ["=", 1, 2], ["=", 1, 1]])"), "True") << "one of them holds";
  EXPECT_EQ(query(R"(["not", ["=", 1, 1]])"), "False");
  EXPECT_EQ(query(R"(["and", ["not", ["=", 1, 1]]])"), "True") << "a list that is not empty";
  EXPECT_EQ(query(R"(["and", ["not"]])"), "False");
}

TEST(JsonQuery, RequiresNothingIfEmpty) {
  for (const value& hint : {value(nullptr), value(""), value("[]"), value("null")}) EXPECT_EQ(query(hint), "True");
  EXPECT_TRUE(json_query("", release::zed).empty());
  EXPECT_FALSE(json_query("[\"and\"]", release::zed).empty());
  EXPECT_EQ(query(R"(["and"])"), "True");
  EXPECT_EQ(query(R"(["or"])"), "False");
}

TEST(JsonQuery, RaisesForWhatPythonCannotDo) {
  EXPECT_EQ(query(R"(["<", "$host", 1, 2])"), "TypeError: '<' not supported between instances of 'str' and 'int'");
  EXPECT_EQ(query(R"(["<", 1, 0, "a"])"), "TypeError: '<' not supported between instances of 'int' and 'str'");
  EXPECT_EQ(query(R"(["or", ["=", 1, 1], ["bogus"]])"), "KeyError: 'bogus'") << "everything is evaluated";
  EXPECT_EQ(query(R"(["=", "$host.x", 1])"), "AttributeError: 'str' object has no attribute 'get'");
  EXPECT_EQ(query("[").substr(0, 11), "ValueError:");
  EXPECT_EQ(query(json("[\"a\", \"b\"]")), "TypeError: the JSON object must be str, bytes or bytearray, not list");
}

TEST(JsonQuery, OrdersUnlikeTypesBeforeZed) {
  EXPECT_EQ(query(R"([">", "$host", 1])", release::icehouse), "True");
  EXPECT_EQ(query(R"(["<", "$host", 1])", release::ocata), "False");
}

TEST(JsonQuery, NamesTheAttributesThatItReads) {
  const json_query asked(R"(["and", [">", "$stats.opt", "$host"], ["in", "$host", 1]])", release::zed);
  EXPECT_THAT(asked.reads(), ElementsAre("host", "stats"));
}

std::string version(std::string_view predicate, std::string_view given) {
  const outcome<version_predicate> read = version_predicate::read(predicate);
  return read.ok() ? answer(read.value().satisfied_by(given)) : read.error().kind + ": " + read.error().sentence;
}

TEST(VersionPredicate, HoldsIfEveryComparisonDoes) {
  EXPECT_EQ(version(">=7.2, <8.0", "7.2.0"), "True");
  EXPECT_EQ(version(">=7.2, <8.0", "8.0"), "False");
  EXPECT_EQ(version("<7.10", "7.9"), "True");
  EXPECT_EQ(version("<7.2", "7.2b1"), "True") << "a pre-release comes before its release";
}

TEST(VersionPredicate, RaisesForAnInvalidVersion) {
  EXPECT_EQ(version(">=7.2", "5"), "ValueError: invalid version number '5'");
  EXPECT_EQ(version(">=7", "7.2"), "ValueError: invalid version number '7'");
  EXPECT_EQ(version("7.2", "7.2"), "ValueError: bad package restriction syntax: '7.2'");
}

TEST(HypervisorVersion, HasAThousandForEachPart) {
  EXPECT_EQ(dotted_version(7002000).value(), "7.2.0");
  EXPECT_EQ(dotted_version(5).value(), "5");
  EXPECT_FALSE(dotted_version(-1).ok()) << "Nova would never end";
  EXPECT_EQ(dotted_version("7.2").error().kind, "TypeError");
}

TEST(ImageNames, AcceptsNamesInAnyCaseAndAliases) {
  EXPECT_EQ(architecture_named("AMD64").value(), "x86_64");
  EXPECT_EQ(architecture_named("i586").value(), "i686");
  EXPECT_EQ(hypervisor_type_named("xapi").value(), "xen");
  EXPECT_EQ(vm_mode_named("PV").value(), "xen");
  EXPECT_EQ(vm_mode_named("baremetal").value(), "hvm");
  EXPECT_EQ(architecture_named("Vax").error().sentence, "Architecture name 'Vax' is not recognised");
  EXPECT_EQ(hypervisor_type_named("").error().kind, "InvalidHypervisorVirtType");
}

std::string image(std::string_view properties, std::string_view supported, const value& hypervisor_version = nullptr,
                  release release = release::zed, const std::string& default_architecture = "") {
  const image_requirements asked(json(properties).as_object(), default_architecture, release);
  return answer(asked.met_by(json(supported), hypervisor_version));
}

TEST(ImageRequirements, AcceptsAListThatHoldsAllNamesAtAnyPlace) {
  constexpr std::string_view supported = R"([["x86_64", "kvm", "hvm"], ["i686", "xen", "xen"]])";
  EXPECT_EQ(image(R"({"hw_architecture": "amd64", "hw_vm_mode": "hvm"})", supported), "True");
  EXPECT_EQ(image(R"({"hw_architecture": "x86_64", "img_hv_type": "xen"})", supported), "False");
  EXPECT_EQ(image(R"({"hw_architecture": "x86_64"})", "[[\"hvm\", \"x86_64\"]]"), "True");
  EXPECT_EQ(image(R"({"hw_architecture": "x86_64"})", "null"), "False");
  EXPECT_EQ(image("{}", "null"), "True");
  EXPECT_EQ(image("{}", supported, nullptr, release::zed, "aarch64"), "False");
}

TEST(ImageRequirements, ChecksTheVersionOnlyWithANameAndWhereTheHostHasAVersion) {
  constexpr std::string_view asked = R"({"img_hv_type": "kvm", "img_hv_requested_version": ">=7.2"})";
  constexpr std::string_view supported = R"([["x86_64", "kvm", "hvm"]])";
  EXPECT_EQ(image(asked, supported, 7002000), "True");
  EXPECT_EQ(image(asked, supported, 6000000), "False");
  EXPECT_EQ(image(asked, supported, 0), "True");
  EXPECT_EQ(image(asked, supported, 5), "ValueError: invalid version number '5'");
  EXPECT_EQ(image(R"({"img_hv_requested_version": ">=7.2"})", supported, 6000000), "True");
}

TEST(ImageRequirements, KnowsOnlyAliasesOfModesInIcehouse) {
  constexpr std::string_view supported = R"([["x86_64", "kvm", "hvm"]])";
  EXPECT_EQ(image(R"({"architecture": "amd64"})", supported, nullptr, release::icehouse), "False");
  EXPECT_EQ(image(R"({"vm_mode": "hv"})", supported, nullptr, release::icehouse), "True");
}

std::string near(const value& address, const value* cidr, const value& host_ip) {
  return answer(cidr_affinity(&address, cidr).holds_for(host_ip));
}

TEST(CidrAffinity, PassesAHostInTheNetworkOfTheAddress) {
  const value eight = "/8";
  EXPECT_EQ(near("10.0.0.5", nullptr, "10.0.0.99"), "True") << "/24 if nothing else is asked for";
  EXPECT_EQ(near("10.0.0.5", nullptr, "10.0.1.5"), "False");
  EXPECT_EQ(near("10.0.0.5", &eight, "10.0.1.5"), "True");
  EXPECT_EQ(near("10.0.0.5", &eight, "::10.0.1.5"), "False") << "the other family";
  const value all = "/0";
  EXPECT_EQ(near("10.0.0.5", &all, "192.168.0.1"), "True");
  EXPECT_EQ(near("10.0.0.5", &all, "::1"), "False");
  const value mask = "/255.255.0.0";
  EXPECT_EQ(near("10.0.0.5", &mask, "10.0.1.5"), "True");
  const value half = "/65";
  EXPECT_EQ(near("fe80::1", &half, "fe80::7fff:0:0:1"), "True");
  EXPECT_EQ(near("fe80::1", &half, "fe80::8fff:0:0:1"), "False");
}

TEST(CidrAffinity, RaisesForAnInvalidAddress) {
  const value no_slash = "24";
  EXPECT_EQ(near("10.0.0.5", &no_slash, "10.0.0.5"), "AddrFormatError: invalid IPNetwork 10.0.0.524");
  EXPECT_EQ(near("bogus", nullptr, nullptr), "AddrFormatError: invalid IPNetwork bogus/24");
  EXPECT_EQ(near("10.0.0.5", nullptr, nullptr), "AddrFormatError: failed to detect a valid IP address from None");
  EXPECT_EQ(near("", nullptr, nullptr), "True") << "nothing is asked for";
}

TEST(CanonicalAddress, WritesAddressesAsNetaddrDoes) {
  EXPECT_EQ(canonical_address("FE80::0007"), "fe80::7");
  EXPECT_EQ(canonical_address("10.7"), "10.0.0.7");
  EXPECT_EQ(canonical_address("bogus"), "bogus");
}

TEST(CommaList, SplitsAtCommasAndRemovesBlanksAroundItems) {
  EXPECT_TRUE(has_item("a, b", "b"));
  EXPECT_TRUE(has_item("", ""));
  EXPECT_TRUE(has_item("a,\u00a0b\u00a0", "b"));  // Python strips what Unicode calls a blank
  EXPECT_FALSE(has_item("a, b", "a, b"));
  EXPECT_FALSE(has_item("ab", "b"));
}

TEST(LeastNumber, FallsBackIfAnyValueIsNotANumber) {
  const std::vector<std::string> whole = {"9", " 10 "};
  const std::vector<std::string> wrong = {"9", "2.5"};
  EXPECT_EQ(least_number(whole, number_kind::whole, 50, release::zed), 9);
  EXPECT_EQ(least_number(wrong, number_kind::whole, 50, release::zed), 50);
  EXPECT_EQ(least_number(wrong, number_kind::real, 50, release::zed), 2.5);
  EXPECT_EQ(least_number({}, number_kind::whole, 50, release::zed), 50);
}

TEST(LeastNumber, ReadsOnlyTheLeastTextInIcehouse) {
  const std::vector<std::string> values = {"9", "10"};
  EXPECT_EQ(least_number(values, number_kind::whole, 50, release::icehouse), 10);
}

TEST(SchedulerHint, UnwrapsAListOfOne) {
  const value hints = json(R"({"one": ["x"], "two": ["x", "y"], "none": []})");
  EXPECT_EQ(*scheduler_hint(hints.as_object(), "one"), "x");
  EXPECT_TRUE(scheduler_hint(hints.as_object(), "two")->is_array());
  EXPECT_TRUE(scheduler_hint(hints.as_object(), "none")->is_array());
  EXPECT_EQ(scheduler_hint(hints.as_object(), "nosuch"), nullptr);
}

}  // namespace
}  // namespace filter_driver

// SPDX-License-Identifier: Apache-2.0
//
// The example library of operators' rules: the verdicts of the originals, which are in vectors.json, and the whole by
// `gantry whatif`. The first element of vectors.json says for which rules the verdicts come from running the original
// and for which they follow from its description.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <gantry/driver/json.hpp>
#include <gantry/testing/fake_offer.hpp>
#include <gantry/testing/manifest.hpp>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/drivers/trusted_directory.hpp"

namespace gantry::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::map<std::string, std::string> pairs_of(json_value object) {
  std::map<std::string, std::string> pairs;
  object.for_each(
      [&](json_value key, json_value value) { pairs[key.text().value_or("")] = value.text().value_or(""); });
  return pairs;
}

std::vector<std::string> texts_of(json_value array) {
  std::vector<std::string> texts;
  array.for_each([&](json_value, json_value value) { texts.push_back(value.text().value_or("")); });
  return texts;
}

template <class Value>
void set_if(std::optional<Value> value, Value& into) {
  if (value) into = *value;
}

host_row host_of(json_value host) {
  host_row row;
  row.host = host["host"].text().value_or("");
  row.node = host["node"].text().value_or(row.host);
  set_if(host["zone"].text(), row.availability_zone);
  if (const auto value = host["memory_mb"].integer()) row.memory_mb = value;
  if (const auto value = host["vcpus"].integer()) row.vcpus = value;
  if (const auto value = host["vcpus_used"].real()) row.vcpus_used = value;
  set_if(host["ram_allocation_ratio"].real(), row.ram_allocation_ratio);
  set_if(host["cpu_allocation_ratio"].real(), row.cpu_allocation_ratio);
  const auto add = [&](json_value values, auto column) {
    values.for_each([&](json_value key, json_value value) { row.columns[key.text().value_or("")] = column(value); });
  };
  add(host["i64"], [](json_value value) { return value.integer().value_or(0); });
  add(host["f64"], [](json_value value) { return value.real().value_or(0); });
  add(host["text"], [](json_value value) { return value.text().value_or(""); });
  add(host["json"], [](json_value value) { return json_text{value.text().value_or("")}; });
  if (host["stats"]) row.columns["stats"] = json_text{std::string(host["stats"].raw())};
  host["aggregates"].for_each([&](json_value, json_value aggregate) {
    row.aggregates.push_back({aggregate["id"].integer().value_or(0), aggregate["name"].text().value_or(""),
                              pairs_of(aggregate["metadata"])});
  });
  return row;
}

fake_request request_of(json_value request) {
  fake_request made;
  made.vcpus = request["vcpus"].integer().value_or(1);
  made.memory_mb = request["memory_mb"].integer().value_or(512);
  made.project_id = request["project_id"].text().value_or("p1");
  made.extra_specs = pairs_of(request["extra_specs"]);
  made.image_properties = pairs_of(request["image_properties"]);
  made.instance_uuids = texts_of(request["instance_uuids"]);
  request["hints"].for_each(
      [&](json_value key, json_value values) { made.hints[key.text().value_or("")] = texts_of(values); });
  if (const json_value group = request["group"]) {
    made.group = fake_group();
    made.group->policy = group["policy"].text().value_or("");
    if (group["rules"]) made.group->rules = group["rules"].raw();
    group["rows"].for_each([&](json_value, json_value row) {
      made.group->member_rows.push_back(static_cast<std::uint32_t>(row.integer().value_or(0)));
    });
  }
  return made;
}

// The defaults of the manifest, with the options of a case for those that the rule has.
fake_options options_of(const manifest& offer, json_value options) {
  fake_options made = offer.options();
  options.for_each([&](json_value key, json_value value) {
    const std::string name = key.text().value_or("");
    if (value.is_object())
      made.table(name, pairs_of(value));
    else if (const auto text = value.text())
      made.string(name, *text);
    else if (const auto truth = value.boolean())
      made.boolean(name, *truth);
    else if (value.raw().find('.') != value.raw().npos)
      made.real(name, value.real().value_or(0));
    else
      made.integer(name, value.integer().value_or(0));
  });
  return made;
}

void judge(const manifest& library, json_value example) {
  std::vector<host_row> rows;
  example["hosts"].for_each([&](json_value, json_value host) { rows.push_back(host_of(host)); });
  fake_host host(std::move(rows));
  example["instances"].for_each([&](json_value uuid, json_value instance) {
    fake_instance& made = host.instances[uuid.text().value_or("")];
    made.host = instance["host"].text().value_or("");
    made.vcpus = instance["vcpus"].integer().value_or(0);
  });
  const std::string rule = example["rule"].text().value_or("");
  const manifest offer = library.offer(rule);
  fake_offer offered(host, *gantry_offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR), rule,
                     options_of(offer, example["options"]));
  offered.needs = offer.needs();
  const fake_request request = request_of(example["request"]);
  if (const json_value passes = example["passes"]) {
    const offer_outcome outcome = offered.keep(request);
    EXPECT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
    EXPECT_EQ(outcome.hosts, texts_of(passes));
    EXPECT_FALSE(outcome.reason.empty());
  } else {
    const offer_outcome outcome = offered.weigh(request);
    EXPECT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
    std::size_t scores = 0;
    example["scores"].for_each([&](json_value name, json_value score) {
      ++scores;
      EXPECT_DOUBLE_EQ(outcome.scores.at(name.text().value_or("")), score.real().value_or(-1e9)) << name.raw();
    });
    EXPECT_EQ(outcome.scores.size(), scores);
  }
}

TEST(OperatorsTest, EachRuleGivesTheVerdictsOfItsOriginal) {
  const std::string vectors = content(GANTRY_OPERATORS_DATA "/vectors.json");
  const manifest library = manifest::of_program();
  std::map<std::string, int> played;
  json_value(vectors).for_each([&](json_value, json_value example) {
    if (!example["rule"]) return;
    ++played[example["rule"].text().value_or("")];
    SCOPED_TRACE(std::string(example.raw()));
    judge(library, example);
  });
  const gantry_offers_info& info = *gantry_offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  EXPECT_GE(info.offer_count, 22U);
  for (std::uint32_t index = 0; index < info.offer_count; ++index)
    EXPECT_GE(played[std::string(text(info.offers[index].name))], 10) << text(info.offers[index].name);
}

TEST(OperatorsTest, RefusesAClassOfHypervisorsThatIsNoNumber) {
  fake_host host({{"h0"}});
  fake_options options = manifest::of_program().offer("HvRamClassWeigher").options();
  options.table("hv_ram_class_weights_gib", {{"1 TiB", "1"}});
  try {
    const fake_offer offered(host, *gantry_offers_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR), "HvRamClassWeigher",
                             std::move(options));
    FAIL() << "expected a refusal";
  } catch (const std::runtime_error& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("expected GiB = 'weight', found 1 TiB = '1'"));
  }
}

class OperatorsWhatif : public ::testing::Test {
 protected:
  OperatorsWhatif() {
    directory_.add(GANTRY_OPERATORS_LIBRARY, "operators.so");
    directory_.add(GANTRY_FILTER_DRIVER, "filter.so");
    configuration_ = directory_.write("gantry.toml", "driver_directories = [\"" + directory_.path().string() + R"("]
scheduler_driver = ["filter"]
[driver.filter]
libraries = ["operators.so"]
enabled_filters = ["ComputeFilter", "FailureDomainFilter", "TraitRequiredFilter", "ShardFilter"]
weight_classes = ["DecommissioningWeigher"]
[driver.filter.options.ShardFilter]
project_tags = { p1 = "sharding_enabled" }
)");
  }

  // Runs `gantry whatif` and returns its output, with the exit status behind it.
  std::string whatif(const std::string& words) const {
    const std::string command = std::string(GANTRY_PROGRAM) + " --config '" + configuration_ + "' whatif --fleet '" +
                                GANTRY_OPERATORS_DATA + "/fleet.json' " + words + " 2>&1; echo status $?";
    std::string output;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> part{};
    while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe)) output.append(part.data(), read);
    ::pclose(pipe);
    return output;
  }

  drivers::TrustedDirectory directory_;
  std::string configuration_;
};

TEST_F(OperatorsWhatif, TheDriverFilterDecidesByRulesOfTheLibrary) {
  const std::string output = whatif(std::string("--request '") + GANTRY_OPERATORS_DATA + "/request.json'");
  EXPECT_THAT(output, ContainsRegex("1 +chosen +c1 "));
  EXPECT_THAT(output, ContainsRegex(
                          "c2 +- +- +FailureDomainFilter +they are in no failure domain, or in one that has a member"));
  EXPECT_THAT(output, HasSubstr("status 0"));
}

TEST_F(OperatorsWhatif, ARuleOfTheLibrarySaysWhyNoHostFits) {
  const std::string output = whatif("--vcpus 1 --memory-mb 64");
  EXPECT_THAT(output, HasSubstr("ShardFilter: they are in no shard that the project's tags name"));
  EXPECT_THAT(output, HasSubstr("status 3"));
}

TEST_F(OperatorsWhatif, AWeigherOfTheLibraryRanksWithItsMultiplier) {
  const std::string filters = "--vcpus 1 --memory-mb 64 --set 'driver.filter.enabled_filters=[\"ComputeFilter\"]'";
  EXPECT_THAT(whatif(filters), ContainsRegex("3 +c1 +- +0 "));
  EXPECT_THAT(
      whatif(filters + " --set driver.filter.options.DecommissioningWeigher.decommissioning_weight_multiplier=-2.0"),
      ContainsRegex("1 +c1 +- +0 "));
}

}  // namespace
}  // namespace gantry::testing

// SPDX-License-Identifier: Apache-2.0
#include "tests/refusal/zoo_test.hpp"

namespace gantry::drivers {
namespace {

class ConfigRefusal : public ZooTest {
 protected:
  void set(const std::string& name, config::OptionValue value) {
    settings_.drivers["zoo"].options[name] = {std::move(value), "/etc/gantry/gantry.toml:12:1"};
  }
};

TEST_F(ConfigRefusal, RefusesAnUnknownOption) {
  put("options");
  set("reserv", std::int64_t{1});
  EXPECT_THAT(load(), mentions({"/etc/gantry/gantry.toml:12:1", "driver.zoo.reserv", "expected one of", "unknown key",
                                "did you mean 'reserve'?"}));
}

TEST_F(ConfigRefusal, RefusesAnOptionOfAnotherType) {
  put("options");
  set("reserve", std::string("much"));
  EXPECT_THAT(load(), mentions({"/etc/gantry/gantry.toml:12:1", "driver.zoo.reserve", "expected an integer",
                                "found string 'much'"}));
}

TEST_F(ConfigRefusal, RefusesAnOptionOutOfRangeOrOutsideTheChoices) {
  put("options");
  set("reserve", std::int64_t{9999});
  EXPECT_THAT(load(), mentions({"expected at most 4096", "found integer 9999"}));
  set("reserve", std::int64_t{1});
  set("mode", std::string("random"));
  EXPECT_THAT(load(), mentions({"driver.zoo.mode", "expected one of 'pack', 'spread'", "found 'random'"}));
}

TEST_F(ConfigRefusal, LoadsWithValidOptions) {
  put("options");
  set("mode", std::string("spread"));
  EXPECT_EQ(load(), "no error");
}

TEST_F(ConfigRefusal, RefusesADriverNamedTwice) {
  put("plain");
  settings_.scheduler_driver = {"zoo", "zoo"};
  EXPECT_THAT(load(), mentions({"scheduler_driver", "each driver once", "'zoo' twice", "zoo.so"}));
}

TEST_F(ConfigRefusal, RefusesTwoDriversForOneTopicAndNamesBoth) {
  const std::string zoo = put("plain");
  const std::string bear = directory_.add(built("bear.so"), "bear.so");
  settings_.scheduler_driver = {"zoo", "bear"};
  EXPECT_THAT(load(), mentions({"topics", "one driver for topic 'compute'", "'zoo'", zoo, "'bear'", bear}));
}

TEST_F(ConfigRefusal, GoesOnWithoutADriverThatIsNotRequired) {
  const std::string path = put("wrong_magic");
  settings_.drivers["zoo"].required = false;
  ASSERT_EQ(load(), "no error");
  EXPECT_EQ(set_->for_topic("compute"), nullptr);
  ASSERT_EQ(set_->skipped().size(), 1U);
  EXPECT_EQ(set_->skipped()[0].first, "zoo");
  EXPECT_THAT(set_->skipped()[0].second.message, mentions({path, "magic"}));
}

}  // namespace
}  // namespace gantry::drivers

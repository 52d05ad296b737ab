// SPDX-License-Identifier: Apache-2.0
#include "core/cli/request/request_builder.hpp"

#include <gmock/gmock.h>

namespace gantry::cli {
namespace {

Arguments parsed(std::vector<std::string> words) {
  words.insert(words.begin(), "select");
  auto result = parse_command_line(command_table(), words);
  EXPECT_TRUE(result) << result.error().message;
  return result ? result->arguments : Arguments();
}

TEST(RequestBuilder, WritesNovasDictionaries) {
  auto built = build_request(parsed({"--flavor", "m1.small", "--count", "2", "--zone", "az1", "--group", "g", "--hint",
                                     "same_host=u", "--image-property", "hw_arch=x86_64", "--extra-spec", "ssd=true"}),
                             "web", {{"project_id", "p"}});
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(
      json::write_canonical(built->request_spec),
      R"({"image":{"properties":{"hw_arch":"x86_64"}},)"
      R"("instance_properties":{"availability_zone":"az1","display_name":"web","ephemeral_gb":0,"memory_mb":2048,)"
      R"("project_id":"p","root_gb":20,"user_id":null,"vcpus":1},)"
      R"("instance_type":{"ephemeral_gb":0,"extra_specs":{"ssd":"true"},"memory_mb":2048,"name":"m1.small",)"
      R"("root_gb":20,"swap":0,"vcpus":1},"num_instances":2})");
  EXPECT_EQ(json::write_canonical(built->filter_properties), R"({"scheduler_hints":{"group":"g","same_host":"u"}})");
}

TEST(RequestBuilder, PutsSizesInPlaceOfTheFlavors) {
  auto built =
      build_request(parsed({"--flavor", "m1.tiny", "--vcpus", "3", "--disk-gb", "0", "--swap-mb", "64"}), "", {});
  ASSERT_TRUE(built);
  const json::object& flavor = built->request_spec["instance_type"].get_object();
  EXPECT_EQ(json::find_integer(flavor, "vcpus"), 3);
  EXPECT_EQ(json::find_integer(flavor, "memory_mb"), 512);
  EXPECT_EQ(json::find_integer(flavor, "root_gb"), 0);
  EXPECT_EQ(json::find_integer(flavor, "swap"), 64);
  EXPECT_FALSE(built->request_spec["instance_properties"].get_object().contains("display_name"));
}

TEST(RequestBuilder, SuggestsTheNearestFlavor) {
  auto built = build_request(parsed({"--flavor", "m1.smal"}), "", {});
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(built.error().message, testing::HasSubstr("did you mean `m1.small`"));
}

TEST(RequestBuilder, TakesAnyNameForAFlavorWithSizes) {
  auto built =
      build_request(parsed({"--flavor", "mine", "--vcpus", "2", "--memory-mb", "64", "--disk-gb", "1"}), "", {});
  ASSERT_TRUE(built);
  EXPECT_EQ(json::find_string(built->request_spec["instance_type"].get_object(), "name"), "mine");
}

TEST(RequestBuilder, NamesTheOptionWhoseWordIsWrong) {
  auto built = build_request(parsed({"--hint", "oops"}), "", {});
  ASSERT_FALSE(built);
  EXPECT_THAT(built.error().message, testing::StartsWith("--hint: "));
}

}  // namespace
}  // namespace gantry::cli

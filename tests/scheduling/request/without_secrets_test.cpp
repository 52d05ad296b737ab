// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/without_secrets.hpp"

#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

std::string hidden(std::string_view text) {
  auto document = json::value(*json::parse_object(text));
  hide_secrets(document);
  return json::write(document);
}

TEST(WithoutCredentials, HidesUserAndPasswordOfEachUrl) {
  EXPECT_EQ(without_credentials("rabbit://nova:secret@a:5672,nova:secret@b/"), "rabbit://****@a:5672,****@b/");
  EXPECT_EQ(without_credentials("to mysql+pymysql://u:p%40ss@db/nova and http://x@y/z"),
            "to mysql+pymysql://****@db/nova and http://****@y/z");
}

TEST(WithoutCredentials, LeavesOtherTextAsItIs) {
  for (const auto* text : {"", "http://host/path", "mail to a@b", "see https://host/a@b", "://"})
    EXPECT_EQ(without_credentials(text), text);
}

TEST(WithoutCredentials, TakesAPasswordWithAnAtSignWhole) {
  EXPECT_EQ(without_credentials("amqp://u:p@ss@host/"), "amqp://****@host/");
}

TEST(HideSecrets, HidesWhatIsUnderATellingNameAtAnyDepth) {
  EXPECT_EQ(hidden(R"({"a":[{"admin_password":"x","Auth_Token":{"b":1},"name":"y","secret":3,"password":""}]})"),
            R"({"a":[{"admin_password":"****","Auth_Token":"****","name":"y","secret":3,"password":""}]})");
}

TEST(HideSecrets, HidesTheValueOfAKeyOfTheConfiguration) {
  EXPECT_EQ(hidden(R"({"configuration":[{"key":"driver.x.options.api_secret","value":"v","origin":"o"},)"
                   R"({"key":"server.socket","value":"/s","origin":"o"}]})"),
            R"({"configuration":[{"key":"driver.x.options.api_secret","value":"****","origin":"o"},)"
            R"({"key":"server.socket","value":"/s","origin":"o"}]})");
}

TEST(HideSecrets, HidesCredentialsInEveryText) {
  EXPECT_EQ(hidden(R"({"log":["broker rabbit://u:p@h is away"]})"), R"({"log":["broker rabbit://****@h is away"]})");
}

}  // namespace
}  // namespace gantry::scheduling

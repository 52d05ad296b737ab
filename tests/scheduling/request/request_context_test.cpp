// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/request_context.hpp"

#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

std::string_view text_of(const gantry_string& text) {
  return {text.data, text.size};
}

TEST(RequestContext, ShowsADriverTheCallerOfTheRequest) {
  const auto given = *json::parse_object(
      R"({"user_id": "u", "project_id": "p", "roles": ["member", "admin"], "is_admin": true, "remote_address": "10.1.0.5"})");
  const RequestContext context(given, "req-1");
  const auto& view = context.view();
  EXPECT_EQ(text_of(view.request_id), "req-1");
  EXPECT_EQ(text_of(view.user_id), "u");
  EXPECT_EQ(text_of(view.project_id), "p");
  EXPECT_EQ(text_of(view.remote_address), "10.1.0.5");
  EXPECT_EQ(view.is_admin, 1);
  ASSERT_EQ(view.roles.count, 2U);
  EXPECT_EQ(text_of(view.roles.items[1]), "admin");
}

TEST(RequestContext, LeavesOutSecretsAtAnyDepth) {
  const auto given = *json::parse_object(
      R"({"auth_token": "t", "service_catalog": [1], "nested": [{"admin_password": "p", "keep": 1}], "user_id": "u"})");
  EXPECT_EQ(json::write(without_secrets(given)), R"({"nested":[{"keep":1}],"user_id":"u"})");
  EXPECT_EQ(RequestContext(given, "req-1").text(), R"({"nested":[{"keep":1}],"user_id":"u"})");
}

TEST(RequestContext, RecognisesASecretInEverySpellingOfItsKey) {
  const auto given = *json::parse_object(
      R"({"adminPass": 1, "X-Auth-Token": 2, "x_auth_token": 3, "AUTH_TOKEN": 4, "Injected_Files": 5, "privateKey": 6,
          "admin": 7, "files": 8})");
  EXPECT_EQ(json::write(without_secrets(given)), R"({"admin":7,"files":8})");
}

TEST(RequestContext, ShowsEmptyTextsForAnEmptyContext) {
  const RequestContext context({}, "req-1");
  EXPECT_EQ(context.view().user_id.size, 0U);
  EXPECT_EQ(context.view().is_admin, 0);
  EXPECT_EQ(context.text(), "{}");
}

}  // namespace
}  // namespace gantry::scheduling

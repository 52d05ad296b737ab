// SPDX-License-Identifier: Apache-2.0
#include "client/target.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace gantry::client_library {
namespace {

std::string form_of(std::string_view text) {
  const auto target = parse_target(text);
  return target ? target->text() : "refused";
}

TEST(ClientTarget, AcceptsAPathOrAUnixUrl) {
  EXPECT_EQ(form_of("/run/gantry/gantry.sock"), "unix:///run/gantry/gantry.sock");
  EXPECT_EQ(form_of("unix:///run/gantry/gantry.sock"), "unix:///run/gantry/gantry.sock");
  EXPECT_EQ(parse_target("./gantry.sock")->path, "./gantry.sock");
}

TEST(ClientTarget, AcceptsAnHttpUrlWithAPort) {
  EXPECT_EQ(form_of("http://host:8800"), "http://host:8800");
  EXPECT_EQ(form_of("http://127.0.0.1:8800/"), "http://127.0.0.1:8800");
  EXPECT_EQ(form_of("http://[::1]:8800"), "http://[::1]:8800");
  EXPECT_EQ(parse_target("http://[::1]:8800")->host, "::1");
}

TEST(ClientTarget, RefusesAnyOtherForm) {
  for (const auto* text :
       {"", "host:80", "https://host", "http://host", "http://host:0", "http://host:65536", "http://host:80/path",
        "http://::1:80", "http://:80", "http://a b:80", "unix://", "unix://relative", "http://user@host:80"}) {
    EXPECT_EQ(form_of(text), "refused") << text;
  }
  EXPECT_EQ(form_of("/" + std::string(107, 'x')), "refused");
}

TEST(ClientTarget, DefaultsToTheEnvironment) {
  setenv("GANTRY_URL", "http://there:1", 1);
  EXPECT_EQ(default_target(), "http://there:1");
  setenv("GANTRY_URL", "", 1);
  EXPECT_EQ(default_target(), "unix:///run/gantry/gantry.sock");
  unsetenv("GANTRY_URL");
  EXPECT_EQ(default_target(), "unix:///run/gantry/gantry.sock");
}

}  // namespace
}  // namespace gantry::client_library

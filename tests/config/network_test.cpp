// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>

#include "core/config/listen_address.hpp"
#include "core/config/load.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Result<Loaded> load_server(const std::string& keys) {
  const Scratch scratch;
  scratch.write("gantry.toml", "[server]\n" + keys);
  return load(scratch.sources());
}

std::string refusal(const std::string& keys) {
  const auto loaded = load_server(keys);
  return loaded ? "loaded" : loaded.error().message;
}

TEST(Network, ListensOnTheUnixSocketAloneUnlessAsked) {
  const auto loaded = load_server("");
  ASSERT_TRUE(loaded);
  EXPECT_THAT(loaded->settings.server.listen, IsEmpty());
  EXPECT_TRUE(loaded->settings.server.require_tokens);
}

TEST(Network, TakesLoopbackAddressesWithoutTls) {
  const auto loaded = load_server("listen = [\"127.0.0.1:8774\", \"[::1]:8774\"]\n");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->settings.server.listen, ElementsAre("127.0.0.1:8774", "[::1]:8774"));
  EXPECT_THAT(loaded->warnings, IsEmpty());
}

TEST(Network, RefusesAReachableAddressWithoutTls) {
  const std::string found = refusal("listen = [\"10.0.0.1:8774\"]\n");
  EXPECT_THAT(found, HasSubstr("gantry.toml:2:1: server.listen: \"10.0.0.1:8774\" can be reached from other machines"));
  EXPECT_THAT(found, HasSubstr("expected server.tls_certificate and server.tls_key, found neither"));
}

TEST(Network, RefusesEveryFormOfAReachableAddress) {
  for (const std::string address : {"0.0.0.0:1", "[::]:1", "[2001:db8::1]:1", "[::ffff:127.0.0.1]:1", "128.0.0.1:1"})
    EXPECT_THAT(refusal("listen = [\"" + address + "\"]\n"), HasSubstr("can be reached from other machines"))
        << address;
}

TEST(Network, RefusesAReachableAddressWithoutTokens) {
  const std::string found = refusal(
      "listen = [\"0.0.0.0:8774\"]\ntls_certificate = \"/c.pem\"\ntls_key = \"/k.pem\"\nrequire_tokens = false\n");
  EXPECT_THAT(found, HasSubstr("gantry.toml:5:1: server.require_tokens:"));
  EXPECT_THAT(found, HasSubstr("expected server.require_tokens = true, found false"));
}

TEST(Network, TakesAReachableAddressWithTlsAndTokens) {
  const auto loaded = load_server("listen = [\"0.0.0.0:8774\"]\ntls_certificate = \"/c.pem\"\ntls_key = \"/k.pem\"\n");
  EXPECT_TRUE(loaded) << loaded.error().message;
}

TEST(Network, RefusesACertificateWithoutItsKey) {
  EXPECT_THAT(refusal("listen = [\"127.0.0.1:1\"]\ntls_certificate = \"/c.pem\"\n"),
              HasSubstr("gantry.toml:3:1: server.tls_certificate: expected the other one with it, server.tls_key"));
  EXPECT_THAT(refusal("tls_key = \"/k.pem\"\n"), HasSubstr("server.tls_certificate"));
}

TEST(Network, WarnsOfOpenLoopbackAndOfIdleTls) {
  const auto open = load_server("listen = [\"127.0.0.1:8774\"]\nrequire_tokens = false\n");
  ASSERT_TRUE(open);
  EXPECT_THAT(open->warnings, ElementsAre(HasSubstr("every user of this machine may do everything")));
  const auto idle = load_server("tls_certificate = \"/c.pem\"\ntls_key = \"/k.pem\"\n");
  ASSERT_TRUE(idle);
  EXPECT_THAT(idle->warnings, ElementsAre(HasSubstr("server.tls_certificate has no effect")));
}

TEST(Network, NamesEachWrongEntry) {
  const std::string found = refusal("listen = [\"here:1\", \"127.0.0.1:8774\", \"there:2\", 3]\n");
  EXPECT_THAT(found, HasSubstr("server.listen: expected a numeric address and a port"));
  for (const char* entry : {"found \"here:1\"", "found \"there:2\"", "found the integer 3 in it"})
    EXPECT_THAT(found, HasSubstr(entry));
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 2) << found;
}

TEST(Network, RefusesATextThatIsNotAnAddress) {
  for (const std::string address : {"", ":8774", "127.0.0.1", "localhost:8774", "::1:8774", "[::1]", "[127.0.0.1]:1",
                                    "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:8 ", "127.0.0.1:", "0x7f.1:1"}) {
    const auto parsed = parse_listen_address(address);
    ASSERT_FALSE(parsed) << address;
    EXPECT_THAT(parsed.error().message, HasSubstr("expected a numeric address and a port")) << address;
    EXPECT_THAT(refusal("listen = [\"" + address + "\"]\n"), HasSubstr("gantry.toml:2:1: server.listen: expected"));
  }
}

}  // namespace
}  // namespace gantry::config

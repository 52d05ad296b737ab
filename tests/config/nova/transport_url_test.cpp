// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/urls/transport_url.hpp"

#include <gmock/gmock.h>

namespace gantry::config::nova {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string text_of(const Broker& broker) {
  return broker.user + "|" + broker.password + "|" + address_of(broker);
}

std::vector<std::string> brokers_of(std::string_view url) {
  std::vector<std::string> texts;
  const auto parsed = parse_transport_url(url);
  if (!parsed) return {parsed.error().message};
  for (const auto& broker : parsed->brokers) texts.push_back(text_of(broker));
  return texts;
}

std::string vhost_of(std::string_view url) {
  return parse_transport_url(url)->vhost;
}

TEST(TransportUrl, ReadsSeveralBrokersWithTheirOwnUsers) {
  const auto url =
      parse_transport_url("rabbit://us%40er:p%40s%3As@h1:5672,u2:p2@h2:5671/cell%2F1?ssl=1&heartbeat_rate=3");
  ASSERT_TRUE(url);
  ASSERT_EQ(url->brokers.size(), 2U);
  EXPECT_EQ(text_of(url->brokers[0]), "us@er|p@s:s|h1:5672");
  EXPECT_EQ(text_of(url->brokers[1]), "u2|p2|h2:5671");
  EXPECT_EQ(url->vhost, "cell/1");
  EXPECT_EQ(url->options.at("ssl"), "1");
  EXPECT_EQ(url->options.at("heartbeat_rate"), "3");
}

TEST(TransportUrl, FillsInWhatIsAbsent) {
  EXPECT_THAT(brokers_of("rabbit://h1"), ElementsAre("guest|guest|h1:5672"));
  EXPECT_THAT(brokers_of("rabbit://"), ElementsAre("guest|guest|localhost:5672"));
  EXPECT_THAT(brokers_of("rabbit:///vhost"), ElementsAre("guest|guest|localhost:5672"));
  EXPECT_THAT(brokers_of("rabbit://nova@h1:/"), ElementsAre("nova|guest|h1:5672"));
  EXPECT_THAT(brokers_of("rabbit://a:b@h1,,h2"), ElementsAre("a|b|h1:5672", "guest|guest|h2:5672"));
}

TEST(TransportUrl, ReadsAddressesOfIPv6) {
  EXPECT_THAT(brokers_of("rabbit://u:p@[::1]:5671,[fe80::1]/"),
              ElementsAre("u|p|[::1]:5671", "guest|guest|[fe80::1]:5672"));
}

TEST(TransportUrl, KnowsTheVhost) {
  EXPECT_EQ(vhost_of("rabbit://h"), "/");
  EXPECT_EQ(vhost_of("rabbit://h/"), "/");
  EXPECT_EQ(vhost_of("rabbit://h//"), "/");
  EXPECT_EQ(vhost_of("rabbit://h/nova"), "nova");
  EXPECT_EQ(vhost_of("rabbit://h/%2Fnova"), "/nova");
}

TEST(TransportUrl, TakesTheNamesThatOsloHasForRabbitmq) {
  for (const auto* url : {"rabbit://u:p@h/", "RABBIT://u:p@h/", "kombu+rabbit://u:p@h/", "kombu+amqp://u:p@h/"})
    EXPECT_THAT(brokers_of(url), ElementsAre("u|p|h:5672")) << url;
  EXPECT_THAT(brokers_of("kombu+memory://u:p@h/"), ElementsAre(HasSubstr("found one of 'kombu+memory'")));
}

TEST(TransportUrl, TakesAnEmptyPasswordForNoneAsPythonsClientDoes) {
  EXPECT_THAT(brokers_of("rabbit://nova:@h/"), ElementsAre("nova|guest|h:5672"));
  EXPECT_THAT(brokers_of("rabbit://:secret@h/"), ElementsAre("guest|secret|h:5672"));
}

TEST(TransportUrl, KeepsAPercentSignThatIsNoEscape) {
  EXPECT_THAT(brokers_of("rabbit://u:100%@h"), ElementsAre("u|100%|h:5672"));
  EXPECT_THAT(brokers_of("rabbit://u:%zz%41@h"), ElementsAre("u|%zzA|h:5672"));
}

TEST(TransportUrl, RefusesOtherUrlsWithoutShowingThem) {
  EXPECT_THAT(brokers_of("kafka://u:secret@h"),
              ElementsAre(HasSubstr("a URL of RabbitMQ, rabbit://..., found one of 'kafka'")));
  EXPECT_THAT(brokers_of("u:secret@h"), ElementsAre(HasSubstr("found no '://'")));
  EXPECT_THAT(brokers_of("rabbit://u:secret@h:70000"), ElementsAre(HasSubstr("a port from 1 to 65535, found '70000'")));
  EXPECT_THAT(brokers_of("rabbit://u:secret@[::1"), ElementsAre(HasSubstr("']' after an IPv6 address")));
  for (const auto* url : {"kafka://u:secret@h", "u:secret@h", "rabbit://u:secret@h:70000", "rabbit://u:secret@[::1"})
    EXPECT_THAT(parse_transport_url(url).error().message, testing::Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace gantry::config::nova

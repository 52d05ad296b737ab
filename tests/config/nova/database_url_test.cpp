// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/urls/database_url.hpp"

#include <gmock/gmock.h>

#include "tests/config/scratch.hpp"

namespace gantry::config::nova {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

DatabaseUrl parsed(const std::string& text) {
  auto url = parse_database_url(text);
  EXPECT_TRUE(url) << text << ": " << (url ? "" : url.error().message);
  return url ? *url : DatabaseUrl{};
}

std::string refusal(const std::string& text) {
  const auto url = parse_database_url(text);
  EXPECT_FALSE(url) << text;
  return url ? std::string() : url.error().message;
}

std::string filled(const std::string& pattern, const std::string& from) {
  auto url = filled_url(pattern, from);
  return url ? *url : "refused: " + url.error().message;
}

TEST(DatabaseUrl, HasThePartsOfSqlAlchemysForm) {
  const auto url = parsed("mysql+pymysql://nova:p%40ss@db1:3307/nova_api?charset=utf8");
  EXPECT_EQ(url.user, "nova");
  EXPECT_EQ(url.password, "p@ss");
  EXPECT_EQ(url.host, "db1");
  EXPECT_EQ(url.port, 3307);
  EXPECT_EQ(url.database, "nova_api");
  EXPECT_TRUE(url.unix_socket.empty());
  EXPECT_FALSE(url.tls.is_wanted);
}

TEST(DatabaseUrl, TakesDefaultsAsThePythonClientDoes) {
  const auto url = parsed("mysql:///nova");
  EXPECT_EQ(url.user, "");
  EXPECT_EQ(url.host, "localhost");
  EXPECT_EQ(url.port, 3306);
}

TEST(DatabaseUrl, SplitsUserAndPasswordWhereSqlAlchemySplitsThem) {
  EXPECT_EQ(parsed("mysql://u:a/b?c:d@h/n").password, "a/b?c:d");
  EXPECT_EQ(parsed("mysql://u:a+b%2Bc%zz@h/n").password, "a+b+c%zz");
  EXPECT_EQ(parsed("mysql://u%3Ax@h/n").user, "u:x");
  EXPECT_EQ(parsed("mysql://u@w@h:3306/n").user, "u@w");
  EXPECT_EQ(parsed("mysql://u:@h/n").password, "");
}

TEST(DatabaseUrl, TakesAnIpv6AddressInBrackets) {
  const auto url = parsed("mysql+pymysql://u:p@[fd00::1]:3307/nova");
  EXPECT_EQ(url.host, "fd00::1");
  EXPECT_EQ(url.port, 3307);
  EXPECT_EQ(place_of(url), "nova at [fd00::1]:3307");
}

TEST(DatabaseUrl, TakesAUnixSocketAndTimes) {
  const auto url =
      parsed("mysql+pymysql://u:p@/nova?unix_socket=%2Frun%2Fmysqld%2Fmysqld.sock&connect_timeout=3&read_timeout=7");
  EXPECT_EQ(url.unix_socket, "/run/mysqld/mysqld.sock");
  EXPECT_EQ(url.connect_timeout, std::chrono::seconds(3));
  EXPECT_EQ(url.read_timeout, std::chrono::seconds(7));
  EXPECT_EQ(url.write_timeout, std::nullopt);
  EXPECT_EQ(place_of(url), "nova at /run/mysqld/mysqld.sock");
}

TEST(DatabaseUrl, VerifiesTheServerIfAnAuthorityIsGiven) {
  const auto url = parsed("mysql+pymysql://u:p@h/n?ssl_ca=/ca.pem&ssl_cert=/c.pem&ssl_key=/k.pem");
  EXPECT_EQ(url.tls.ca, "/ca.pem");
  EXPECT_EQ(url.tls.certificate, "/c.pem");
  EXPECT_EQ(url.tls.key, "/k.pem");
  EXPECT_TRUE(url.tls.is_wanted);
  EXPECT_TRUE(url.tls.verifies_host);
  EXPECT_FALSE(parsed("mysql://u:p@h/n?ssl_ca=/ca.pem&ssl_check_hostname=false").tls.verifies_host);
  EXPECT_TRUE(parsed("mysql://u:p@h/n?ssl_verify_identity=true").tls.verifies_host);
  EXPECT_FALSE(parsed("mysql://u:p@h/n?ssl_ca=/ca.pem&ssl_disabled=true").tls.is_wanted);
}

TEST(DatabaseUrl, ChecksNoNameWhereTheUrlSaysSo) {
  for (const auto* off : {"ssl_verify_cert=false", "ssl_verify_identity=False", "ssl_check_hostname=0"}) {
    const auto tls = parsed("mysql+pymysql://u:p@h/n?ssl_ca=/ca.pem&" + std::string(off)).tls;
    EXPECT_TRUE(tls.is_wanted && !tls.verifies_host) << off;
  }
}

TEST(DatabaseUrl, TakesTheModesOfTheServersOwnClients) {
  const auto tls = [](const std::string& mode) { return parsed("mysql+mysqldb://u:p@h/n?ssl_mode=" + mode).tls; };
  EXPECT_TRUE(tls("REQUIRED").is_wanted && !tls("REQUIRED").verifies_host);
  EXPECT_TRUE(tls("VERIFY_IDENTITY").is_wanted && tls("VERIFY_IDENTITY").verifies_host);
  EXPECT_FALSE(tls("PREFERRED").is_wanted || tls("DISABLED").is_wanted);
  EXPECT_FALSE(parsed("mysql://u:p@h/n?ssl_ca=/ca.pem&ssl_mode=DISABLED").tls.is_wanted);
}

TEST(DatabaseUrl, TakesThePartsThatParametersOverrule) {
  const auto url = parsed("mysql+pymysql://u:p@h/n?host=db2&user=nova&passwd=x%26y&db=nova_api&bind_address=10.0.0.1");
  EXPECT_EQ(place_of(url), "nova_api at db2:3306");
  EXPECT_EQ(url.user + "|" + url.password + "|" + url.bind_address, "nova|x&y|10.0.0.1");
}

TEST(DatabaseUrl, PassesOverWhatConcernsAPythonClientAlone) {
  EXPECT_THAT(parsed("mysql+pymysql://u:p@h/n?charset=utf8mb4&use_unicode=1&binary_prefix=true&sql_mode=TRADITIONAL"
                     "&client_flag=2&autocommit=true&local_infile=0&buffered=true&collation=utf8mb4_bin")
                  .remarks,
              testing::IsEmpty());
  EXPECT_THAT(parsed("mysql+aiomysql://u:p@h/n?plugin=dbcounter&pool_recycle=5&init_command=SET+x=1").remarks,
              testing::ElementsAre("'plugin' of the URL is passed over: Gantry loads no plugin of SQLAlchemy's",
                                   "'pool_recycle' of the URL is passed over: Gantry keeps connections of its own",
                                   "'init_command' of the URL is passed over: Gantry sets up its sessions itself"));
}

TEST(DatabaseUrl, TakesWhatItLacksFromTheFileThatItNames) {
  const Scratch scratch;
  const auto file = scratch.write("my.cnf",
                                  "!includedir /etc/my.cnf.d\n[mysqld]\nssl-ca = /wrong\n[tripleo]\nbind_address = "
                                  "'10.0.0.9'\nSSL-CA=/ca.pem\nhost = db9\nport = 3309\npassword = other\n");
  const auto url = parsed("mysql+pymysql://u:p@/n?read_default_group=tripleo&read_default_file=" + file);
  EXPECT_EQ(url.bind_address, "10.0.0.9");
  EXPECT_EQ(url.tls.ca, "/ca.pem");
  EXPECT_TRUE(url.tls.is_wanted && url.tls.verifies_host);
  EXPECT_EQ(place_of(url), "n at db9:3309");
  EXPECT_EQ(url.password, "p");
  EXPECT_FALSE(parsed("mysql+pymysql://u:p@h/n?read_default_file=" + file).tls.is_wanted);
  EXPECT_THAT(parsed("mysql+pymysql://u:p@h/n?read_default_file=/nowhere/my.cnf").remarks,
              testing::ElementsAre(HasSubstr("there is no file /nowhere/my.cnf")));
  EXPECT_THAT(refusal("mysql+pymysql://u:p@h/n?read_default_file=" + scratch.path()), HasSubstr("a directory"));
}

TEST(DatabaseUrl, RefusesOtherServersByName) {
  EXPECT_THAT(refusal("postgresql+psycopg2://u:p@h/nova"), HasSubstr("found PostgreSQL, which is not supported"));
  EXPECT_THAT(refusal("sqlite:////var/lib/nova/nova.sqlite"), HasSubstr("found SQLite, which is not supported"));
  EXPECT_THAT(refusal("oracle://u:p@h/nova"), HasSubstr("found 'oracle'"));
}

TEST(DatabaseUrl, SaysWhatIsWrong) {
  EXPECT_THAT(refusal("nova"), HasSubstr("found no '://'"));
  EXPECT_THAT(refusal("mysql://u:p@h"), HasSubstr("found no database"));
  EXPECT_THAT(refusal("mysql://u:p@h:99999/n"), HasSubstr("port: expected a number from 1 to 65535"));
  EXPECT_THAT(refusal("mysql://u:p@[::1/n"), HasSubstr("IPv6 address in brackets"));
  EXPECT_THAT(refusal("mysql://u:p@h/n?ssl_kya=/x"),
              AllOf(HasSubstr("parameter 'ssl_kya': not known"), HasSubstr("did you mean ssl_key?")));
  EXPECT_THAT(refusal("mysql://u:p@h/n?ssl_mode=on"), HasSubstr("ssl_mode: expected DISABLED"));
  EXPECT_THAT(refusal("mysql://u:p@h/n?read_timeout=0"), HasSubstr("read_timeout: expected seconds"));
  EXPECT_THAT(refusal("mysql://u:p%00@h/n"), HasSubstr("NUL"));
}

TEST(DatabaseUrl, NeverRepeatsThePassword) {
  EXPECT_EQ(place_of(parsed("mysql://nova:sesame@db1/nova_api")), "nova_api at db1:3306");
  // A password whose signs are not encoded ends up in other parts.
  for (const auto* text : {"mysql://u:se@same:Open@h/n", "mysql://u:Open@h:sesame/n", "mysql://u:x@h/n?Sesame=1"})
    EXPECT_THAT(refusal(text), AllOf(Not(HasSubstr("same")), Not(HasSubstr("Open")))) << text;
}

TEST(UrlTemplate, IsFilledFromTheConnectionAsItIsEncodedThere) {
  const std::string from = "mysql+pymysql://nova:p%40ss@DB1:3307/nova_cell0?charset=utf8";
  EXPECT_EQ(filled("{scheme}://{username}:{password}@{hostname}:{port}/nova_cell1?{query}", from),
            "mysql+pymysql://nova:p%40ss@db1:3307/nova_cell1?charset=utf8");
  EXPECT_EQ(filled("{scheme}://{username}@other/{path}", from), "mysql+pymysql://nova@other/nova_cell0");
  EXPECT_EQ(filled("mysql://u:p@h/n", from), "mysql://u:p@h/n");
  EXPECT_EQ(filled("a{{b}}{fragment}", from), "a{b}");
}

TEST(UrlTemplate, IsRefusedIfAFieldLacks) {
  EXPECT_THAT(filled("{port}", "mysql://u:p@h/n"),
              HasSubstr("names {port}, which [database] connection does not have"));
  EXPECT_THAT(filled("{colour}", "mysql://u:p@h/n"), HasSubstr("a field is not known; expected {scheme}"));
  EXPECT_THAT(filled("{port", "mysql://u:p@h:1/n"), HasSubstr("expected a '}' for each '{'"));
  EXPECT_THAT(filled("port}", "mysql://u:p@h:1/n"), HasSubstr("expected a '}' for each '{'"));
}

}  // namespace
}  // namespace gantry::config::nova

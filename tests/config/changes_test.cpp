// SPDX-License-Identifier: Apache-2.0
#include "core/config/changes.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "core/config/keys.hpp"
#include "core/config/reloadable.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Change> changes(std::string_view before, std::string_view after) {
  const Scratch scratch;
  scratch.write("gantry.toml", before);
  const auto was = load(scratch.sources());
  scratch.write("gantry.toml", after);
  const auto is = load(scratch.sources());
  EXPECT_TRUE(was && is);
  return was && is ? changes_between(*was, *is) : std::vector<Change>();
}

// "scheduling.call_timeout: 10 -> 5", and " (restart)" if a reload does not apply it.
std::vector<std::string> lines(std::string_view before, std::string_view after) {
  std::vector<std::string> texts;
  for (const auto& change : changes(before, after))
    texts.push_back(change.key + ": " + change.before + " -> " + change.after +
                    (change.is_reloadable ? "" : " (restart)"));
  return texts;
}

TEST(Changes, TellKeysAndOptionsOfLoadedDriversWithBothValues) {
  EXPECT_THAT(
      lines("scheduler_driver = \"filter\"\n[driver.filter]\nram = 1.0\n[driver.filter.options.Rack]\nmost = 2\n",
            "scheduler_driver = \"filter\"\n[scheduling]\ncall_timeout = 5\n[server]\nworkers = 3\n"
            "[driver.filter]\npath = \"/x.so\"\nenabled = [\"A\"]\n[driver.filter.options.Rack]\nmost = 3\n"),
      ElementsAre("server.workers: 0 -> 3 (restart)", "scheduling.call_timeout: 10 -> 5",
                  R"(driver.filter.enabled:  -> ["A"])", "driver.filter.options.Rack.most: 2 -> 3",
                  R"(driver.filter.path: "" -> "/x.so" (restart))", "driver.filter.ram: 1.0 -> "));
}

TEST(Changes, ThereAreNoneWhereAValueOnlyCameFromElsewhere) {
  EXPECT_THAT(lines("", "[scheduling]\ncall_timeout = 10.0\n[driver.simple]\nrequired = true\n"), IsEmpty());
}

TEST(Changes, ASectionOfADriverThatIsNotLoadedDoesNotCount) {
  EXPECT_THAT(lines("", "[driver.other]\npath = \"/x.so\"\nweight = 2\n"), IsEmpty());
}

TEST(Changes, TellThatASecretChangedAndNotWhatItIs) {
  const auto found =
      changes("[nova]\ntransport_url = \"rabbit://a:one@h/\"\n", "[nova]\ntransport_url = \"rabbit://a:two@h/\"\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].key, "nova.transport_url");
  EXPECT_EQ(found[0].before + found[0].after, R"("****""****")");
  EXPECT_FALSE(found[0].is_reloadable);
}

TEST(Changes, TellWhereTheNewValueIsSet) {
  const auto found = changes("", "[log]\n\nlevel = \"debug\"\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].origin.ends_with("gantry.toml:3:1")) << found[0].origin;
}

TEST(Reloadable, AreTheOptionsOfDriversButNoneOfTheCoresOwnKeysThere) {
  EXPECT_TRUE(is_reloadable("driver.filter.ram_weight_multiplier"));
  EXPECT_TRUE(is_reloadable("driver.filter.options.RackFilter.racks"));
  for (const auto& key : driver_keys()) EXPECT_FALSE(is_reloadable("driver.filter." + std::string(key.name)));
}

TEST(Reloadable, IsAnotherCertificateButNotThatTlsBeginsOrEnds) {
  EXPECT_TRUE(is_reloadable("server.tls_certificate", R"("/a.pem")", R"("/b.pem")"));
  EXPECT_FALSE(is_reloadable("server.tls_certificate", R"("")", R"("/b.pem")"));
  EXPECT_FALSE(is_reloadable("server.tls_key", R"("/a.key")", R"("")"));
}

TEST(Reloadable, AreSomeKeysOfTheTable) {
  const auto count = std::ranges::count_if(keys(), [](const auto& key) { return is_reloadable(full_name(key)); });
  EXPECT_EQ(count, 16);
  EXPECT_FALSE(is_reloadable("server.socket"));
  EXPECT_FALSE(is_reloadable("scheduler_driver"));
}

}  // namespace
}  // namespace gantry::config

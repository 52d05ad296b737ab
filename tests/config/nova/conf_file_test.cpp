// SPDX-License-Identifier: Apache-2.0
//
// Files as people and editors leave them.
#include "core/config/nova/conf_file.hpp"

#include <gmock/gmock.h>

#include "core/config/nova/conf.hpp"

namespace gantry::config::nova {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(const std::string& text) {
  const auto file = parse_conf_file(text, "nova.conf");
  if (!file) return {file.error().message};
  std::vector<std::string> lines;
  for (const Assignment& one : file->assignments)
    lines.push_back(std::to_string(one.line) + " [" + one.section + "] " + one.key + "=" + one.value);
  return lines;
}

std::string value_of(const std::string& value, const std::string& more = "") {
  std::vector<ConfFile> files;
  files.push_back(*parse_conf_file("[a]\nx = " + value + "\n" + more, "nova.conf"));
  const auto found = Conf(std::move(files)).find({{"a", "x"}});
  return found ? (*found)->values.back() : found.error().message;
}

TEST(ConfFile, TakesEachEndOfALine) {
  EXPECT_THAT(lines_of("[a]\r\nx = 1\r\n"), ElementsAre("2 [a] x=1"));
  EXPECT_THAT(lines_of("[a]\rx = 1\ry = 2"), ElementsAre("2 [a] x=1", "3 [a] y=2"));
  EXPECT_THAT(lines_of("[a]\n\r\nx = 1"), ElementsAre("3 [a] x=1"));
}

TEST(ConfFile, StripsTheBlanksThatPythonStrips) {
  EXPECT_THAT(lines_of("[a]\nx\u00a0= \u00a01\u00a0\u3000\n"), ElementsAre("2 [a] x=1"));
  EXPECT_THAT(lines_of("[a]\nx = 1\u200b\n"), ElementsAre("2 [a] x=1\u200b"));
  EXPECT_THAT(lines_of("[a]\nx = a\u00a0b\n\t\u2003c\n"), ElementsAre("2 [a] x=a\u00a0b\nc"));
  EXPECT_THAT(lines_of("[a]\n\u00a0\u2028\nx = 1\x1f"), ElementsAre("3 [a] x=1"));
}

TEST(ConfFile, NamesAByteOrderMark) {
  EXPECT_THAT(lines_of("\xef\xbb\xbf[a]\n"), ElementsAre(HasSubstr("nova.conf:1: expected text in UTF-8, found a byte "
                                                                   "order mark (BOM)")));
  EXPECT_THAT(lines_of(std::string("\xff\xfe[\0a\0]\0", 8)), ElementsAre(HasSubstr("(BOM) of UTF-16")));
}

TEST(ConfFile, KeepsCommentsBehindAValue) {
  EXPECT_THAT(lines_of("[a]\nx = 1 # one\ny = 2 ; two\n; z = 3\n# z = 3\n"),
              ElementsAre("2 [a] x=1 # one", "3 [a] y=2 ; two"));
}

TEST(ConfFile, KeepsSectionsAsTheyStand) {
  EXPECT_THAT(lines_of("[default]\nx: 1\n[ A ]\ny=\n[DEFAULT]\nz==\n"),
              ElementsAre("2 [default] x=1", "4 [ a ] y=", "6 [DEFAULT] z=="));
}

TEST(References, HaveTheDefaultsOfNova) {
  EXPECT_EQ(value_of("$state_path/CA/cacert.pem"), "/var/lib/nova/CA/cacert.pem");
  EXPECT_EQ(value_of("${instances_path}"), "/var/lib/nova/instances");
  EXPECT_EQ(value_of("$state_path", "[DEFAULT]\nstate_path = /srv\n"), "/srv");
  EXPECT_EQ(value_of("${vnc.novncproxy_port}"), "6080");
  EXPECT_EQ(value_of("$my_block_storage_ip"), value_of("$my_ip"));
  EXPECT_THAT(value_of("$my_ip"), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+"));
  EXPECT_NE(value_of("$host"), "");
  EXPECT_THAT(value_of("$no_such_option"), HasSubstr("found $no_such_option"));
}

}  // namespace
}  // namespace gantry::config::nova

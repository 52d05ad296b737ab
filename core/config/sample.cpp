// SPDX-License-Identifier: Apache-2.0
#include "core/config/sample.hpp"

#include <sstream>

#include "core/config/keys.hpp"
#include "core/config/reloadable.hpp"

namespace gantry::config {

namespace {

constexpr std::size_t widest_line = 100;

constexpr std::string_view preface =
    "Settings of the Gantry scheduler service, gantryd. Each key stands here with its default; what is commented out "
    "holds as it stands. Later wins: the files of [nova] config_files, this file, then conf.d/*.toml beside it in the "
    "order of their names, then the "
    "environment (GANTRY_SERVER__SOCKET for server.socket, GANTRY_SCHEDULER_DRIVER for scheduler_driver), then --set "
    "server.socket=... on the command line. `gantry config check` finds mistakes and `gantry config show` says what "
    "holds and where it was set. `gantry reload` applies changes of keys that say so, and of the options of drivers. "
    "All "
    "others take effect at a restart.";

constexpr std::string_view driver_preface =
    "A driver has a section of its own, [driver.<id>], by the id of its file or by the name that it has here, with its "
    "file "
    "beside it. Beside these keys it takes those that the driver's "
    "manifest declares: `gantry driver inspect <id>` lists them with their types and defaults.";

constexpr std::string_view profile_preface =
    "Rules that choose among several drivers of topic compute; scheduler_driver names all of them, and the first is "
    "the "
    "default. The rules are tried in their order: the first whose conditions all hold decides, otherwise the default. "
    "A "
    "condition is a pattern or a list of them, in which * stands for any text; one that matches is enough. A list of "
    "rules replaces that of an earlier file as a whole. A reload applies it.";

constexpr std::string_view ask_preface =
    "Policy services that drivers ask by name (gantry.ask/1): the question is sent with POST, and the answer is JSON. "
    "timeout is the longest time of an answer in seconds, within the driver's deadline. token_file holds a token for "
    "the "
    "header Authorization, and others may not read it. ca_file holds the authorities of the service's certificate; "
    "empty: "
    "the system's. drivers may ask; empty: all. Takes effect at a restart.";

std::string comment(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string lines;
  std::string line = "#";
  for (std::string word; words >> word;) {
    if (line.size() + 1 + word.size() > widest_line) {
      lines += line + "\n";
      line = "#";
    }
    line += " " + word;
  }
  return lines + line + "\n";
}

std::string entry(const Key& key) {
  const bool is_the_one_line = key.name == "scheduler_driver";
  std::string text = comment(key.help);
  if (is_reloadable(full_name(key))) text += comment("A reload applies it.");
  if (!key.choices.empty()) text += comment("Takes " + expectation(key) + ".");
  if (!key.written_default.empty())
    return text + comment("Default: " + std::string(key.written_default) + ".") + "#" + std::string(key.name) +
           " = [\"/opt/site/gantry/drivers\"]\n\n";
  return text + (is_the_one_line ? "" : "#") + std::string(key.name) + " = " + default_text(key) + "\n\n";
}

std::string driver_section() {
  std::string text = comment(driver_preface) + "#\n#[driver.site]\n";
  for (const auto& key : driver_keys()) {
    text += comment(key.help) + comment("Default: " + std::string(key.written_default) + ".");
    if (key.name == "path") text += "#path = \"/opt/site/gantry/drivers/site.so\"\n";
    if (key.name == "file") text += "#file = \"filter.so\"\n";
    if (key.name == "required") text += "#required = true\n";
    if (key.name == "sha256") text += "#sha256 = \"\"\n";
    if (key.name == "libraries") text += "#libraries = [\"site_filters.so\"]\n";
    if (key.name == "isolation") text += "#isolation = \"process\"\n";
    if (key.name == "fallback") text += "#fallback = \"chance\"\n";
    if (key.name == "memory_limit") text += "#memory_limit = 512\n";
    if (key.name == "cpu_limit") text += "#cpu_limit = 150\n";
  }
  return text + "#\n#[driver.site.options.RackFilter]\n#racks = [\"r1\", \"r2\"]\n";
}

std::string ask_section() {
  return "\n" + comment(ask_preface) +
         "#\n#[ask.policy]\n#url = \"https://policy.example.org/v1/hosts\"\n#timeout = 1\n#token_file = "
         "\"/etc/gantry/policy.token\"\n#ca_file = \"/etc/ssl/certs/site.pem\"\n#drivers = [\"site\"]\n";
}

std::string profile_section() {
  return "\n" + comment(profile_preface) +
         "#\n#[[profile]]\n#name = \"gpu\"\n#driver = \"gpu\"\n#flavor = [\"g1.*\", \"g2.*\"]\n#project = "
         "[\"3f6a*\"]\n#availability_zone = [\"az1\"]\n#aggregate = [\"gpus\"]\n#group_policy = "
         "[\"anti-affinity\"]\n#hint = {accelerator = \"a100\"}\n";
}

}  // namespace

std::string sample() {
  std::string text = comment(preface) + "\n";
  for (const auto section : sections()) {
    if (!section.empty()) text += "[" + std::string(section) + "]\n";
    for (const auto& key : keys())
      if (key.section == section) text += entry(key);
  }
  return text + driver_section() + profile_section() + ask_section();
}

}  // namespace gantry::config

// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/site_driver.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace gantry::test {

namespace {

constexpr std::string_view source = R"(
#include <unistd.h>
#include "gantry/driver.h"
GANTRY_MANIFEST("id = '@ID@'\nversion = '1.0'\ndescription = 'the first host'\ntopics = ['compute']\nthreads = 'reentrant'\n@MANIFEST@");
static const gantry_host *host;
static gantry_code create(const gantry_host *given, gantry_call *call, const gantry_options *options, gantry_driver **out) {
  (void)call; (void)options; @CREATE@ host = given; *out = (gantry_driver *)&host; return GANTRY_OK;
}
static void destroy(gantry_driver *driver) { (void)driver; @DESTROY@ }
static gantry_code place(gantry_driver *driver, gantry_call *call, const gantry_request *request) {
  (void)driver;
  @BEGIN@
  if (request->view->rows == 0) return GANTRY_NO_VALID_HOST;
  for (uint32_t i = 0; i < request->instances; ++i) {
    gantry_pick pick = {.struct_size = sizeof pick, .instance = i, .row = 0};
    gantry_code code = host->pick(call, &pick);
    if (code != GANTRY_OK) return code;
  }
  return GANTRY_OK;
}
static const gantry_driver_ops ops = {sizeof ops, 0, create, destroy, place, place, NULL, NULL, NULL, NULL, NULL};
static const gantry_driver_info info = {GANTRY_MAGIC, sizeof info, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR, {"@ID@", sizeof "@ID@" - 1}, {"1.0", 3}, &ops};
const gantry_driver_info *gantry_driver_entry(uint32_t major, uint32_t minor) { (void)major; (void)minor; return &info; }
)";

void replace(std::string& text, std::string_view mark, const std::string& by) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

}  // namespace

void build(const SiteDriver& driver, const RunningGantry& gantry) {
  std::string text(source);
  replace(text, "@ID@", driver.id);
  replace(text, "@MANIFEST@", driver.manifest);
  replace(text, "@CREATE@", driver.create);
  replace(text, "@DESTROY@", driver.destroy);
  replace(text, "@BEGIN@", driver.begin);
  const auto file = gantry.directory() / (driver.id + ".c");
  std::ofstream(file) << text;
  std::vector<std::string> words{GANTRY_C_COMPILER,
                                 "-std=c11",
                                 "-shared",
                                 "-fPIC",
                                 "-fvisibility=hidden",
                                 std::string("-I") + GANTRY_SDK_INCLUDE,
                                 file.string(),
                                 "-o",
                                 (gantry.drivers() / (driver.id + ".so")).string()};
  words.insert(words.end(), driver.flags.begin(), driver.flags.end());
  const auto built = run_program(words);
  ASSERT_EQ(built.exit_status, 0) << built.err;
}

}  // namespace gantry::test

// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/hosts_check.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace gantry::nova {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class HostsCheck : public testing::Test {
 protected:
  // Returns "warning: hosts: 1 host ...".
  std::vector<std::string> check(bool has_all_cells = true) {
    check_hosts({api, cells, has_all_cells, asks_placement ? &providers : nullptr}, report);
    return said;
  }

  ApiFound api{{}, {{1, "h1", 1}, {2, "h2", 1}}};
  std::vector<CellFound> cells{{1, "cell1", 64, {"h1", "h2"}, {{"h1", "h1", "u1"}, {"h2", "h2", "u2"}}, 7}};
  std::set<std::string> providers{"u1", "u2", "shared"};
  bool asks_placement = true;
  std::vector<std::string> said;
  Report report{[this](const Finding& finding) {
    said.push_back(std::string(word_of(finding.level)) + ": " + finding.subject + ": " + finding.sentence);
  }};
};

TEST_F(HostsCheck, CountsWhatIsThere) {
  EXPECT_THAT(check(), ElementsAre("ok: hosts: 2 nova-compute services, 2 compute nodes, 2 host mappings, 7 instances, "
                                   "3 resource providers"));
}

TEST_F(HostsCheck, NamesTheHostsThatLackSomething) {
  cells[0].service_hosts = {"h1", "h3"};
  cells[0].nodes.push_back({"h4", "h4", "u4"});
  api.host_mappings = {{1, "h1", 2}, {2, "h4", 1}, {3, "h9", 1}};
  EXPECT_THAT(check(), ElementsAre(HasSubstr("2 hosts with a compute node and without a nova-compute service, which "
                                             "Nova passes over: h2, h4"),
                                   HasSubstr("1 host with a nova-compute service and without a compute node: h3"),
                                   AllOf(HasSubstr("1 host without a host mapping"), HasSubstr(": h2")),
                                   HasSubstr("1 host with a host mapping to another cell than its own: h1"),
                                   AllOf(HasSubstr("1 host without a resource provider"), HasSubstr(": h4")),
                                   AllOf(HasSubstr("which no cell knows"), HasSubstr(": h9")), HasSubstr("ok: hosts")));
}

TEST_F(HostsCheck, AccusesNobodyOnGroundsOfAPartThatIsAway) {
  asks_placement = false;
  cells.clear();
  EXPECT_THAT(check(false), ElementsAre(AllOf(HasSubstr("ok: hosts: 0 nova-compute services"),
                                              HasSubstr("a cell that could not be read is not counted"))));
}

TEST_F(HostsCheck, NamesTheFirstOfMany) {
  for (int i = 0; i < 8; ++i) cells[0].nodes.push_back({"x" + std::to_string(i), "x", "u1"});
  for (int i = 0; i < 8; ++i) cells[0].service_hosts.push_back("x" + std::to_string(i));
  EXPECT_THAT(check()[0],
              HasSubstr("8 hosts without a host mapping, which nova-manage cell_v2 discover_hosts adds: x0, "
                        "x1, x2, x3, x4 and 3 others"));
}

TEST_F(HostsCheck, RefusesOldComputesUnlessTheWorkaroundIsSet) {
  config::NovaSettings settings;
  settings.release = "zed";
  check_versions(cells, settings, report);
  cells[0].lowest_version = 60;
  check_versions(cells, settings, report);
  settings.disable_compute_service_check_for_ffu = true;
  check_versions(cells, settings, report);
  EXPECT_THAT(said, ElementsAre(HasSubstr("ok: compute versions"), HasSubstr("failed: compute versions"),
                                HasSubstr("warning: compute versions")));
}

TEST_F(HostsCheck, RefusesTheComputesThatTheDeploymentsReleaseRefuses) {
  config::NovaSettings settings;
  for (const auto* release : {"epoxy", "flamingo"}) {
    settings.release = release;
    cells[0].lowest_version = 67;
    check_versions(cells, settings, report);
  }
  EXPECT_THAT(said,
              ElementsAre("ok: compute versions: no nova-compute is older than Nova 29 (Caracal), the oldest that "
                          "Nova 31 (Epoxy) works with",
                          AllOf(HasSubstr("failed: compute versions"), HasSubstr("expected service version 68"))));
}

}  // namespace
}  // namespace gantry::nova

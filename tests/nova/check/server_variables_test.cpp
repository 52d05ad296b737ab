// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/server_variables.hpp"

#include <gmock/gmock.h>

namespace gantry::nova {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ServerVariables, AreSoundAsNovaExpectsThem) {
  EXPECT_THAT(remarks_on({}), IsEmpty());
  EXPECT_THAT(remarks_on({{"innodb_snapshot_isolation", "OFF"}, {"innodb_flush_log_at_trx_commit", "0"}}), IsEmpty());
  EXPECT_THAT(remarks_on({{"wsrep_on", "ON"}, {"innodb_flush_log_at_trx_commit", "1"}}), IsEmpty());
  EXPECT_THAT(remarks_on({{"wsrep_on", "OFF"}, {"innodb_flush_log_at_trx_commit", "2"}}), IsEmpty());
}

TEST(ServerVariables, SayWhatSnapshotIsolationMeans) {
  EXPECT_THAT(remarks_on({{"innodb_snapshot_isolation", "ON"}}),
              ElementsAre(AllOf(HasSubstr("innodb_snapshot_isolation is ON"), HasSubstr("error 1020"))));
}

TEST(ServerVariables, SayThatANodeOfGaleraMayLoseCommits) {
  EXPECT_THAT(remarks_on({{"wsrep_on", "ON"}, {"innodb_flush_log_at_trx_commit", "0"}}),
              ElementsAre(AllOf(HasSubstr("innodb_flush_log_at_trx_commit is 0"), HasSubstr("Galera"))));
}

}  // namespace
}  // namespace gantry::nova

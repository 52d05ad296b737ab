// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/decision_note.hpp"

#include <gmock/gmock.h>

namespace gantry::scheduling {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(DecisionNote, RecordsARequestWithoutWhatItsUserPutIntoAnInstance) {
  DecisionNote note;
  note.spec =
      R"({"instance_properties":{"user_data":"c2VjcmV0","key_data":"ssh-rsa","key_name":"k"},"num_instances":2})";
  note.filter_properties = R"({"scheduler_hints":{"colour":"green"},"request_spec":{"user_data":"c2VjcmV0"}})";
  const auto record = record_of(note);
  EXPECT_THAT(record, Not(HasSubstr("c2VjcmV0")));
  EXPECT_THAT(record, Not(HasSubstr("ssh-rsa")));
  EXPECT_THAT(record, HasSubstr(R"("request":{"instance_properties":{"key_name":"k"},"num_instances":2})"));
  EXPECT_THAT(record, HasSubstr(R"("scheduler_hints":{"colour":"green"})"));
}

TEST(DecisionNote, RecordsARequestWithoutSuchAsItWas) {
  DecisionNote note;
  note.spec = R"({"num_instances":2})";
  EXPECT_THAT(record_of(note), HasSubstr(R"("request":{"num_instances":2})"));
}

}  // namespace
}  // namespace gantry::scheduling

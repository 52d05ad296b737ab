// SPDX-License-Identifier: Apache-2.0
//
// Decisions among the rows that an authority leaves to them, and the same decision once more where it refused a pick.
#include "core/scheduling/decision/row_bounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/scheduling/decision/instance_decision.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Leaves the rows of these uuids to a request.
class SomeRows final : public Admission {
 public:
  SomeRows(std::set<std::string, std::less<>> eligible, std::set<std::string, std::less<>> claimable)
      : eligible_(std::move(eligible)), claimable_(std::move(claimable)) {}
  const json::object& spec() const override { return spec_; }
  bool is_eligible(std::string_view row) const override { return eligible_.contains(row); }
  bool is_claimable(std::string_view row) const override { return claimable_.contains(row); }
  bool is_bounded() const override { return true; }
  std::string why_not_eligible() const override { return "they are no candidates"; }
  std::optional<Error> refusal() const override { return std::nullopt; }
  bool is_anew() const override { return true; }
  json::object record() const override { return {}; }
  std::string claim_text(std::string_view /*row*/, const GroupProviders& /*providers*/) const override {
    return "null";
  }
  std::string_view claim_version() const override { return "1.36"; }
  std::vector<AuthorityVerdict> confirm(std::span<const AuthorityPick> /*picks*/) override { return {}; }
  void withdraw(std::span<const std::string> /*instance_uuids*/) override {}

 private:
  json::object spec_;
  std::set<std::string, std::less<>> eligible_;
  std::set<std::string, std::less<>> claimable_;
};

std::string instance(std::uint32_t number) {
  return "0d0d0d0d-0000-4000-8000-00000000000" + std::to_string(number);
}

class BoundedDecision : public testing::Test {
 protected:
  void start(const std::string& driver, int hosts) {
    manager_ = std::make_unique<RunningManager>(driver);
    for (int number = 0; number < hosts; ++number) manager_->add_host("h" + std::to_string(number), 16);
    state_ = manager_->state();
    call_.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    call_.method = "select_destinations";
  }
  InstanceRequest request(std::uint32_t instances) const {
    InstanceRequest made;
    made.spec.num_instances = instances;
    made.spec.vcpus = 1;
    for (std::uint32_t number = 0; number < instances; ++number) made.spec.instance_uuids.push_back(instance(number));
    made.mode = ClaimMode::in_memory;
    made.at = Instant::now(*state_);
    return made;
  }
  // The bounds of these rows; a row of `weighed` is eligible and not claimable.
  RowBounds bounds(const std::set<std::uint32_t>& rows, const std::set<std::uint32_t>& weighed = {}) const {
    RowBounds made{{0}, {0}, "they are no candidates"};
    for (const auto row : rows) made.eligible[0] |= std::uint64_t{1} << row;
    made.claimable = made.eligible;
    for (const auto row : weighed) made.eligible[0] |= std::uint64_t{1} << row;
    return made;
  }
  std::unique_ptr<InstanceDecision> decided(const InstanceRequest& request) {
    auto made = decide(*state_, call_, request);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return made ? *std::move(made) : nullptr;
  }
  static std::vector<std::uint32_t> rows_of(const InstanceDecision& decision) {
    std::vector<std::uint32_t> rows;
    for (const auto& placement : decision.sink->placements()) rows.push_back(placement.pick->row);
    return rows;
  }
  static std::vector<std::uint32_t> alternates_of(const InstanceDecision& decision, std::size_t of) {
    std::vector<std::uint32_t> rows;
    for (const auto& alternate : decision.sink->placements().at(of).alternates) rows.push_back(alternate.row);
    return rows;
  }

  std::unique_ptr<RunningManager> manager_;
  std::unique_ptr<State> state_;
  MethodCall call_;
};

TEST_F(BoundedDecision, ShowsTheDriverTheEligibleRowsAloneAndSaysWhy) {
  for (const auto* driver : {"simple", "chance", "filter"}) {
    start(driver, 5);
    auto asked = request(2);
    asked.bounds = bounds({1, 3});
    const auto made = decided(asked);
    ASSERT_NE(made, nullptr) << driver;
    EXPECT_THAT(rows_of(*made), Each(testing::AnyOf(1U, 3U))) << driver;
    const auto& steps = made->sink->steps();
    ASSERT_GT(steps.size(), 1U) << driver;
    EXPECT_EQ(json::write(json::value(steps_json({steps[0]}))),
              R"([{"name":"placement","hosts_in":5,"hosts_out":2,"reason":"they are no candidates"}])");
    EXPECT_EQ(steps[1].hosts_in, 2U) << driver << " counts hosts that it may not see";
  }
}

TEST_F(BoundedDecision, PicksAndOffersClaimableRowsAlone) {
  for (const auto* driver : {"simple", "chance", "filter"}) {
    start(driver, 6);
    auto asked = request(1);
    asked.bounds = bounds({1, 4, 5}, {0, 2});
    asked.alternates = 9;
    const auto made = decided(asked);
    ASSERT_NE(made, nullptr) << driver;
    auto all = alternates_of(*made, 0);
    all.push_back(rows_of(*made)[0]);
    EXPECT_THAT(all, testing::UnorderedElementsAre(1U, 4U, 5U)) << driver;
    EXPECT_EQ(made->sink->lost_claims(), 0U) << "the fleet was asked for none of the others";
  }
}

TEST_F(BoundedDecision, ReplaysTheSameDecisionWithLostPicks) {
  for (const auto* driver : {"simple", "chance", "filter"}) {
    start(driver, 40);
    auto asked = request(5);
    std::set<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < 40; row += 2) rows.insert(row);
    asked.bounds = bounds(rows);
    const auto first = decided(asked);
    ASSERT_NE(first, nullptr) << driver;
    EXPECT_EQ(rows_of(*decided(asked)), rows_of(*first)) << driver << " decides otherwise for the same input";

    const auto refused = rows_of(*first)[2];
    asked.lost = {{2, refused}};
    const auto again = decided(asked);
    ASSERT_NE(again, nullptr) << driver;
    EXPECT_EQ(rows_of(*again)[0], rows_of(*first)[0]) << driver;
    EXPECT_EQ(rows_of(*again)[1], rows_of(*first)[1]) << driver;
    EXPECT_NE(rows_of(*again)[2], refused) << driver;
    for (const auto* member : {"seed", "now"})
      EXPECT_EQ(again->record(asked, call_).at(member), first->record(asked, call_).at(member)) << driver;
  }
}

// Nova goes through one sorted list: the host that was refused is the first choice of the next instance.
TEST_F(BoundedDecision, GoesOnAfterAClaimThatPlacementRefused) {
  start("filter", 3);
  auto asked = request(2);
  asked.bounds = bounds({0, 1, 2});
  const auto first = rows_of(*decided(asked));
  asked.lost = {{0, first[0]}};
  const auto again = rows_of(*decided(asked));
  EXPECT_NE(again[0], first[0]);
  EXPECT_EQ(again[1], first[0]) << "lost for the first instance alone";
}

TEST_F(BoundedDecision, RefusesTheRequestOnceEachRowIsLost) {
  for (const auto* driver : {"simple", "chance", "filter"}) {
    start(driver, 3);
    auto asked = request(1);
    asked.bounds = bounds({0, 2});
    asked.lost = {{0, 0}, {0, 2}};
    const auto made = decide(*state_, call_, asked);
    ASSERT_FALSE(made) << driver;
    EXPECT_EQ(made.error().code, ErrorCode::no_valid_host) << driver << ": " << made.error().message;
    EXPECT_THAT(made.error().message, testing::Not(HasSubstr("faster"))) << "no other request took anything";
  }
  EXPECT_THAT(manager_->fleet().claims(), IsEmpty());
}

TEST_F(BoundedDecision, NamesTheBoundsWhereTheyLeaveNoRow) {
  start("filter", 3);
  auto asked = request(1);
  asked.bounds = bounds({});
  const auto made = decide(*state_, call_, asked);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::no_valid_host);
  EXPECT_THAT(made.error().details, HasSubstr(R"("hosts_in":3,"hosts_out":0,"reason":"they are no)"));
}

TEST_F(BoundedDecision, GivesEveryClaimBackWhicheverOfTwoDecisionsEndsFirst) {
  for (const bool first_ends_first : {true, false}) {
    start("simple", 3);
    auto asked = request(2);
    asked.bounds = bounds({0, 1, 2});
    auto first = decided(asked);
    asked.lost = {{1, rows_of(*first)[1]}};
    auto again = decided(asked);
    ASSERT_NE(again, nullptr);
    (first_ends_first ? first : again).reset();
    EXPECT_EQ(manager_->fleet().claims().size(), 2U) << "those of the decision that is left";
    first.reset();
    again.reset();
    EXPECT_THAT(manager_->fleet().claims(), IsEmpty());
  }
}

TEST_F(BoundedDecision, RefusesBoundsOfAnotherView) {
  start("simple", 3);
  auto asked = request(1);
  for (const bool has_instant : {true, false}) {
    asked.bounds = has_instant ? RowBounds{{1, 1}, {1, 1}, ""} : bounds({1});
    if (!has_instant) asked.at.reset();
    const auto made = decide(*state_, call_, asked);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::internal);
  }
}

TEST_F(BoundedDecision, ReadsTheBoundsOfAnAdmissionByTheUuidsOfTheRows) {
  start("simple", 4);
  for (const auto* report : {R"({"name":"h1","stats":{"uuid":"11111111-0000-4000-8000-000000000000"}})",
                             R"({"name":"h3","stats":{"uuid":"33333333-0000-4000-8000-000000000000"}})"})
    manager_->result("update_resource_stats", report);
  const auto at = Instant::now(*state_);
  const auto* rows = at.moment.view("compute");
  const auto read = bounds_of(SomeRows({"11111111-0000-4000-8000-000000000000", "33333333-0000-4000-8000-000000000000"},
                                       {"33333333-0000-4000-8000-000000000000", "not there"}),
                              at.moment, *rows);
  std::vector<std::string> eligible;
  std::vector<std::string> claimable;
  for (std::uint32_t row = 0; row < rows->rows; ++row) {
    const auto host = std::string(at.moment.row_name(*rows, row).host);
    if ((read.eligible[0] >> row & 1) != 0) eligible.push_back(host);
    if ((read.claimable[0] >> row & 1) != 0) claimable.push_back(host);
  }
  EXPECT_THAT(eligible, ElementsAre("h1", "h3"));
  EXPECT_THAT(claimable, ElementsAre("h3"));
  EXPECT_EQ(read.reason, "they are no candidates");
}

}  // namespace
}  // namespace gantry::scheduling

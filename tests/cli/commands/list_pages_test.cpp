// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

// A daemon with so many groups, "g0" and on, that answers in pages.
class Paged : public testing::Test {
 protected:
  explicit Paged(std::size_t count = 2500) {
    for (std::size_t at = 0; at < count; ++at) ids_.push_back("g" + std::to_string(at));
    daemon_.on("list_groups", [this](const json::object& args) -> Result<json::value> { return page(args); });
  }
  Result<json::value> page(const json::object& args) {
    std::size_t at = 0;
    if (const auto marker = json::find_string(args, "marker")) {
      while (at < ids_.size() && ids_[at] != *marker) ++at;
      if (at == ids_.size()) return Error{ErrorCode::invalid_argument, "argument 'marker': nothing has that id", ""};
      ++at;
    }
    json::array found;
    const auto limit = static_cast<std::size_t>(json::find_integer(args, "limit").value_or(0));
    for (; at < ids_.size() && found.size() < std::min(limit, longest_page_); ++at)
      found.push_back(json::object{{"uuid", ids_[at]}, {"name", name_}});
    if (after_page_) after_page_();
    return json::value(std::move(found));
  }
  static std::size_t lines(const Ran& ran) {
    return static_cast<std::size_t>(std::count(ran.out.begin(), ran.out.end(), '\n'));
  }
  FakeDaemon daemon_;
  std::vector<std::string> ids_;
  std::string name_ = "group";
  std::size_t longest_page_ = 10'000;
  std::function<void()> after_page_;
};

TEST_F(Paged, FetchesAListInPartsAndShowsItWhole) {
  const Ran ran = run(daemon_, {"-o", "value", "group", "list"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines(ran), 2500U);
  EXPECT_EQ(daemon_.asked("list_groups").size(), 3U);
}

TEST_F(Paged, GoesOnAfterAPageThatManyBytesHaveEnded) {
  ids_.resize(20);
  longest_page_ = 9;
  name_ = std::string(200'000, 'x');
  EXPECT_EQ(lines(run(daemon_, {"-o", "value", "group", "list"})), 20U);
}

TEST_F(Paged, ObeysALimitAndAMarker) {
  const Ran few = run(daemon_, {"-o", "value", "group", "list", "--limit", "2", "--marker", "g7"});
  EXPECT_THAT(few.out, testing::AllOf(HasSubstr("g8\n"), HasSubstr("g9\n")));
  EXPECT_EQ(lines(few), 2U);
  EXPECT_EQ(lines(run(daemon_, {"-o", "value", "group", "list", "--limit", "1500"})), 1500U);
  EXPECT_EQ(run(daemon_, {"group", "list", "--marker", "nobody"}).code, 2);
  EXPECT_EQ(run(daemon_, {"group", "list", "--limit", "0"}).code, 2);
}

TEST_F(Paged, GoesOnAfterTheItemBeforeIfTheLastItemOfAPageIsGone) {
  int pages = 0;
  after_page_ = [&] {
    if (++pages == 1) ids_.erase(ids_.begin() + 998, ids_.begin() + 1000);
  };
  const Ran ran = run(daemon_, {"-o", "value", "group", "list"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines(ran), 2500U) << "each once";
}

}  // namespace
}  // namespace gantry::cli::test

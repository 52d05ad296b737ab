// SPDX-License-Identifier: Apache-2.0
//
// The images of a host's instances, as the system metadata in a cell's database has them.
#include "core/nova/facts/fact_keeper.hpp"
#include "tests/nova/facts/server/kept_facts.hpp"

namespace gantry::nova {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class ImagesOfInstances : public KeptFacts {
 protected:
  void SetUp() override {
    KeptFacts::SetUp();
    if (IsSkipped()) return;
    add_host("nova_cell1", "h3");
    for (const int number : {1, 2}) {
      add_instance(uuid_of(number), "h1");
      set(number, "image_os_distro", "debian");
    }
    set(1, "boot_roles", "reader");
  }

  // Puts a row of system metadata as Nova does, which changes the instance's own row after that.
  static void set(int number, const std::string& key, const std::string& value) {
    in_cell("INSERT INTO instance_system_metadata SET created_at = UTC_TIMESTAMP(), deleted = 0, instance_uuid = '" +
            uuid_of(number) + "', `key` = '" + key + "', value = '" + value + "'");
  }
  static void change(int number, const std::string& what = "vm_state = 'active'") {
    in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP(), " + what + " WHERE uuid = '" + uuid_of(number) + "'");
  }
  // Returns the cell of the host's row as text.
  std::string images(const std::string& host) {
    const auto shown = row(host);
    const auto* const cell = shown.if_contains("image_properties");
    return cell == nullptr ? "null" : json::write_canonical(*cell);
  }
};

TEST_F(ImagesOfInstances, AreCountedAsInstancesComeMoveAndGo) {
  fleet_.keep_image_properties();
  start();
  EXPECT_EQ(images("h1"), R"([[2,{"os_distro":"debian"}]])");
  EXPECT_EQ(images("h3"), "null");
  add_instance(uuid_of(3), "h3");
  set(3, "image_os_distro", "ubuntu");
  change(3);
  change(2, "host = 'h3'");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(images("h1"), R"([[1,{"os_distro":"debian"}]])");
  EXPECT_EQ(images("h3"), R"([[1,{"os_distro":"debian"}],[1,{"os_distro":"ubuntu"}]])");
  change(1, "deleted = id, vm_state = 'deleted'");
  change(3, "host = NULL");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(images("h1"), "null");
  EXPECT_EQ(images("h3"), R"([[1,{"os_distro":"debian"}]])");
}

TEST_F(ImagesOfInstances, ChangeWithABootAndARebuild) {
  fleet_.keep_image_properties();
  start();
  set(1, "image_hw_machine_type", "q35");
  change(1);
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(images("h1"), R"([[1,{"hw_machine_type":"q35","os_distro":"debian"}],[1,{"os_distro":"debian"}]])");
  // A rebuild deletes the former image's rows softly, and adds the new one's.
  in_cell("UPDATE instance_system_metadata SET deleted = id WHERE `key` = 'image_os_distro'");
  set(2, "image_os_distro", "ubuntu");
  change(2);
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(images("h1"), R"([[1,{"hw_machine_type":"q35","os_distro":"debian"}],[1,{"os_distro":"ubuntu"}]])");
}

TEST_F(ImagesOfInstances, StayAtACastThatMovesTheInstance) {
  fleet_.keep_image_properties();
  start();
  const auto args = json::parse_object(R"({"host_name":"h3","instance_info":[{"uuid":")" + uuid_of(1) + R"("}]})");
  ASSERT_TRUE(keeper_->apply("update_instance_info", *args));
  EXPECT_EQ(images("h3"), R"([[1,{"os_distro":"debian"}]])");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(images("h1"), R"([[2,{"os_distro":"debian"}]])") << "the database says so";
  EXPECT_EQ(images("h3"), "null");
}

TEST_F(ImagesOfInstances, AreReadOfAllInstancesOnceTheyAreWanted) {
  start();
  EXPECT_EQ(images("h1"), "null");
  fleet_.keep_image_properties();
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(images("h1"), R"([[2,{"os_distro":"debian"}]])");
}

TEST_F(ImagesOfInstances, AreNotReadWithoutNeed) {
  in_cell("DROP TABLE instance_system_metadata");
  start();
  EXPECT_EQ(refresh(), "");
}

TEST_F(ImagesOfInstances, AreMissedByNameIfTheTableIsLacking) {
  in_cell("RENAME TABLE instance_system_metadata TO away");
  start();
  fleet_.keep_image_properties();
  EXPECT_EQ(refresh(), "") << "the other facts are read";
  EXPECT_EQ(refresh(), "");
  EXPECT_THAT(log_->lines("instance_system_metadata"), SizeIs(1));
  keeper_.reset();
  EXPECT_THAT(failure_of_start(),
              AllOf(HasSubstr("table instance_system_metadata does not exist"), HasSubstr("nova_cell1")));
  in_cell("RENAME TABLE away TO instance_system_metadata");
}

}  // namespace
}  // namespace gantry::nova

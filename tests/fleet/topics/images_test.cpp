// SPDX-License-Identifier: Apache-2.0
//
// The images of the instances on each host, counted as instances come, move and go.
#include <gtest/gtest.h>

#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

class ImagesOfAHost : public ::testing::Test {
 protected:
  ImagesOfAHost() {
    for (const auto* host : {"h1", "h2"}) fleet_.put_service(service(host));
  }
  void put_instance(std::uint64_t number, std::string_view host, std::string_view system,
                    std::string_view state = "active") {
    Instance instance;
    instance.uuid = text_of(number);
    instance.host = host;
    instance.vm_state = state;
    if (!system.empty()) instance.image_properties = {{"os_distro", system}, {"hw_disk_bus", "virtio"}};
    fleet_.put_instance(instance);
  }
  // The cell of the host's row as text. "null": no image is known. "none": there is no such column.
  std::string images(std::string_view host, std::string_view node = {}) {
    const auto moment = fleet_.pin(noon);
    if (moment.column(*moment.view(compute_topic), "image_properties") == nullptr) return "none";
    const auto row = row_of(moment, host, node);
    const auto* const cell = row.if_contains("image_properties");
    return cell == nullptr ? "null" : json::write_canonical(*cell);
  }

  Fleet fleet_{FleetSettings{}};
};

constexpr auto one_debian = R"([[1,{"hw_disk_bus":"virtio","os_distro":"debian"}]])";
constexpr auto two_debians = R"([[2,{"hw_disk_bus":"virtio","os_distro":"debian"}]])";

TEST_F(ImagesOfAHost, AreNoColumnUnlessSomebodyReadsThem) {
  put_instance(1, "h1", "debian");
  EXPECT_EQ(images("h1"), "none");
  EXPECT_FALSE(fleet_.keeps_image_properties());
}

TEST_F(ImagesOfAHost, AreThoseOfInstancesThatWereThereBeforeToo) {
  put_instance(1, "h1", "debian");
  put_instance(2, "h1", "debian");
  put_instance(3, "h1", "");
  FleetSettings settings;
  settings.keeps_image_properties = true;
  fleet_.change_settings(settings);
  EXPECT_TRUE(fleet_.keeps_image_properties());
  EXPECT_EQ(images("h1"), two_debians);
  EXPECT_EQ(images("h2"), "null");
  fleet_.change_settings({});
  EXPECT_EQ(images("h1"), two_debians) << "a column never goes";
}

TEST_F(ImagesOfAHost, ComeMoveAndGoWithTheInstances) {
  fleet_.keep_image_properties();
  put_instance(1, "h1", "debian");
  put_instance(2, "h1", "ubuntu");
  put_instance(3, "h1", "debian");
  EXPECT_EQ(images("h1"),
            R"([[2,{"hw_disk_bus":"virtio","os_distro":"debian"}],[1,{"hw_disk_bus":"virtio","os_distro":"ubuntu"}]])");
  put_instance(2, "h2", "ubuntu");
  EXPECT_EQ(images("h1"), two_debians);
  EXPECT_EQ(images("h2"), R"([[1,{"hw_disk_bus":"virtio","os_distro":"ubuntu"}]])");
  put_instance(3, "h1", "debian", "deleted");
  EXPECT_EQ(images("h1"), one_debian);
  put_instance(2, "h2", "debian");
  EXPECT_EQ(images("h2"), one_debian) << "an instance may be rebuilt";
  fleet_.remove_instance(text_of(1));
  EXPECT_EQ(images("h1"), "null");
}

TEST_F(ImagesOfAHost, AreShownOnEachNodeAndOnNodesThatComeLater) {
  fleet_.keep_image_properties();
  put_instance(1, "h3", "debian");
  put(fleet_, report("h3", "a", "{}"));
  put(fleet_, report("h3", "b", "{}"));
  EXPECT_EQ(images("h3", "a"), one_debian);
  EXPECT_EQ(images("h3", "b"), one_debian);
}

TEST_F(ImagesOfAHost, LeaveAPinnedMomentAsItWas) {
  fleet_.keep_image_properties();
  put_instance(1, "h1", "debian");
  const auto before = fleet_.pin(noon);
  put_instance(2, "h1", "debian");
  EXPECT_EQ(json::write_canonical(row_of(before, "h1").at("image_properties")), one_debian);
  EXPECT_EQ(images("h1"), two_debians);
}

TEST_F(ImagesOfAHost, AreInTheInstancesRecord) {
  put_instance(1, "h1", "debian");
  const auto kept = instance_from_json(to_json(*fleet_.instance(text_of(1))));
  ASSERT_TRUE(kept);
  EXPECT_EQ(json::write_canonical(kept->image_properties), R"({"hw_disk_bus":"virtio","os_distro":"debian"})");
}

}  // namespace
}  // namespace gantry::fleet::testing

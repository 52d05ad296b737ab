// SPDX-License-Identifier: Apache-2.0
//
// Which image properties are one value, and what they weigh. Recorded decisions of Nova hold the rest against Nova.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "plugins/filter/nova/image_values.hpp"
#include "plugins/filter/policy/registry.hpp"
#include "plugins/filter/rules/weigher.hpp"
#include "tests/parity/recorded_hosts.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

image_values values_of(const std::string& properties) {
  return read_image_values(json::parse(properties).as_object());
}

TEST(ImageValues, AreOneInEachFormInWhichNovaReadsThem) {
  for (const auto& [left, right] : std::vector<std::pair<std::string, std::string>>{
           {R"({"hw_boot_menu":" Yes "})", R"({"hw_boot_menu":true})"},
           {R"({"hw_boot_menu":"maybe"})", R"({"hw_boot_menu":false})"},
           {R"({"hw_cpu_cores":" +04"})", R"({"hw_cpu_cores":4})"},
           {R"({"architecture":"AMD64"})", R"({"hw_architecture":"x86_64"})"},
           {R"({"architecture":"i386","hw_architecture":"x86_64"})", R"({"hw_architecture":"x86_64"})"},
           {R"({"vmware_adaptertype":"lsiLogicsas"})", R"({"hw_disk_bus":"scsi","hw_scsi_model":"lsisas1068"})"},
           {R"({"vmware_adaptertype":"ide","hw_disk_bus":"virtio"})", R"({"hw_disk_bus":"virtio"})"},
           {R"({"hw_vif_model":"VirtualE1000"})", R"({"hw_vif_model":"e1000"})"},
           {R"({"trait:B":"required","trait:A":"required","trait:C":"forbidden"})", R"({"traits_required":["A","B"]})"},
           {R"({"hw_numa_mem.0":"512","hw_numa_mem.1":"1024","hw_numa_mem.3":"1"})", R"({"hw_numa_mem":[512,1024]})"},
           {R"({"hw_numa_cpus.0":"0-3,^2","hw_numa_cpus.1":"2"})", R"({"hw_numa_cpus":[[3,1,0],[2]]})"}})
    EXPECT_EQ(values_of(left), values_of(right)) << left;
}

TEST(ImageValues, LeaveOutWhatNovaRefuses) {
  EXPECT_THAT(values_of(R"({"hw_cpu_cores":"four","hw_architecture":"pdp11","hw_numa_cpus.0":"0-x","os_distro":null})"),
              IsEmpty());
  EXPECT_THAT(values_of(R"({"hw_numa_cpus.0":"0-99999999999"})"), IsEmpty());
}

TEST(ImageValues, CountNamesThatNovaDoesNotKnowAsTexts) {
  EXPECT_THAT(values_of(R"({"site":"Yes"})"), ElementsAre(Pair("site", "Yes")));
}

TEST(ImageValues, AreNoneOfACellThatIsNoList) {
  for (const auto* cell : {"null", "{}", "[1]", "[[1]]", R"([[1,"x"]])", R"([["1",{}]])"})
    EXPECT_THAT(read_image_counts(json::parse(cell)), IsEmpty()) << cell;
}

// Returns the raw numbers of two hosts. The first has no instance, the second a debian and two ubuntus with q35.
std::vector<double> weights(const settings& options) {
  const auto empty = json::parse(R"({"instances":[]})");
  const auto full = json::parse(R"({"instances":[
      {"uuid":"1","system_metadata":{"image_os_distro":"debian"}},
      {"uuid":"2","system_metadata":{"image_os_distro":"ubuntu","image_hw_machine_type":"q35"}},
      {"uuid":"3","system_metadata":{"image_os_distro":"ubuntu","image_hw_machine_type":"q35"}}]})");
  const parity::recorded_hosts hosts({&empty.as_object(), &full.as_object()}, {});
  request_facts request;
  request.image.emplace().properties = {{"os_distro", "ubuntu"}, {"hw_machine_type", "q35"}};
  const auto made = find_weigher("ImagePropertiesWeigher")->make(options);
  const auto run = made->begin({hosts.table(), request, options});
  std::vector<double> raw(2);
  std::uint64_t rows = 3;
  if (run) run->weigh({0, 2, &rows, nullptr}, raw.data());
  return raw;
}

TEST(ImagePropertiesWeigher, CountsInstancesByTheFactorsOfItsSetting) {
  settings options;
  EXPECT_THAT(weights(options), ElementsAre(0, 0)) << "the multiplier is 0";
  options.image_props_weight_multiplier = -1;
  EXPECT_THAT(weights(options), ElementsAre(0, 4));
  options.image_props_weight_setting = {{"os_distro", 8}, {"os_distro", 0.5}};
  EXPECT_THAT(weights(options), ElementsAre(0, 1)) << "the last of a name counts";
  options.image_props_weight_setting = {{"another", 1}};
  EXPECT_THAT(weights(options), ElementsAre(0, 0));
}

}  // namespace
}  // namespace filter_driver

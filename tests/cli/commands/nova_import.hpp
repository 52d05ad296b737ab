// SPDX-License-Identifier: Apache-2.0
//
// `gantry config import-nova`, run on files of a test.
#pragma once

#include <gmock/gmock.h>

#include <filter_manifest.hpp>
#include <sstream>

#include "core/cli/terminal/exit_code.hpp"
#include "core/config/load.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/judge/option_check.hpp"
#include "core/encoding/json.hpp"
#include "tests/cli/fake_daemon.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::cli::test {

using Texts = std::vector<std::string>;

// As a deployment tool writes it for Zed: lists with blanks, repeated keys, references, long lines that go on.
inline constexpr const char* zed_conf = R"([DEFAULT]
debug = False
log_dir = /var/log/kolla/nova
my_ip = 10.23.0.11
transport_url = rabbit://openstack:secret@10.23.0.11:5672//
cpu_allocation_ratio = 4.0
ram_allocation_ratio = 0.0
initial_ram_allocation_ratio = 1.2
default_availability_zone = az-$region
region = north
service_down_time = 120

[scheduler]
max_attempts = 10
discover_hosts_in_cells_interval = 60
limit_tenants_to_placement_aggregate = True
workers = 5

[filter_scheduler]
# the site's own come last
available_filters = nova.scheduler.filters.all_filters
available_filters = site.filters.rack_filter.RackFilter
enabled_filters = ComputeFilter, ComputeCapabilitiesFilter,ImagePropertiesFilter,
    ServerGroupAntiAffinityFilter, NUMATopologyFilter ,
    AggregateInstanceExtraSpecsFilter,PciPassthroughFilter, RackAwareFilter
host_subset_size = "3"
cpu_weight_multiplier=-1
isolated_hosts = gpu1, gpu2
aggregate_image_properties_isolation_namespace = os
restrict_isolated_hosts_to_isolated_images: no

[metrics]
weight_setting = cpu.frequency=1.5, cpu.user.percent = -2
required = false

[placement]
auth_type = password
password = hidden

[libvirt]
virt_type = kvm
)";

// What the command prints for these files, and what the core makes of it.
class Import {
 public:
  Ran run(const Texts& texts, const Texts& options = {}) const {
    Texts words{"config", "import-nova"};
    for (std::size_t i = 0; i < texts.size(); ++i) words.push_back(files_.write(std::to_string(i) + ".conf", texts[i]));
    words.insert(words.end(), options.begin(), options.end());
    return test::run(words);
  }

  config::Settings load(const Texts& texts, const Texts& options = {}) const {
    const Ran ran = run(texts, options);
    EXPECT_EQ(ran.code, 0) << ran.err;
    config::Sources sources;
    sources.file = files_.write("gantry.toml", ran.out);
    sources.file_must_exist = true;
    const auto loaded = config::load(sources);
    EXPECT_TRUE(loaded) << loaded.error().message << '\n' << ran.out;
    if (!loaded) return {};
    const auto& sections = loaded->settings.drivers;
    if (const auto filter = sections.find("filter"); filter != sections.end())
      expect_that_the_driver_takes(filter->second);
    return loaded->settings;
  }

  std::string path() const { return files_.path(); }
  const support::ScratchDirectory& files() const { return files_; }

 private:
  static void expect_that_the_driver_takes(const config::DriverSettings& section) {
    const auto manifest =
        drivers::parse_manifest("manifest = 1\nabi = '" GANTRY_ABI_TEXT
                                "'\nid = 'filter'\nversion = '1'\ndescription = 'd'\ntopics = ['compute']\n"
                                "threads = 'reentrant'\n" FILTER_DRIVER_OPTIONS);
    ASSERT_TRUE(manifest) << manifest.error().message;
    const auto checked = drivers::check_options(*manifest, section);
    EXPECT_TRUE(checked) << checked.error().message;
  }

  support::ScratchDirectory files_;
};

template <class T>
T option(const config::Settings& settings, const std::string& name) {
  const auto& options = settings.drivers.at("filter").options;
  const auto found = options.find(name);
  if (found == options.end() || !std::holds_alternative<T>(found->second.value)) {
    ADD_FAILURE() << name << " is missing or of another type";
    return {};
  }
  return std::get<T>(found->second.value);
}

inline bool has_option(const config::Settings& settings, const std::string& name) {
  return settings.drivers.at("filter").options.contains(name);
}

inline std::string fault_of(const std::string& text, const Texts& options = {}) {
  const Ran ran = Import().run({text}, options);
  EXPECT_EQ(ran.code, exit_code::invalid_configuration) << ran.out << ran.err;
  EXPECT_EQ(ran.out, "");
  return ran.err;
}

}  // namespace gantry::cli::test

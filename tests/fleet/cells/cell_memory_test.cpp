// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/cell_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "core/fleet/fleet.hpp"
#include "tests/fleet/snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

// Runs in a process of its own, because a process that shares its cells does so for good. Returns its exit status.
int status_of(const std::function<int()>& run) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(run());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

// Gives up what the fork has left, and takes the memory as a stranger would.
bool map_as_a_stranger(const SharedMemory& memory, int protection) {
  auto* const begin = reinterpret_cast<void*>(memory.begin);  // NOLINT(performance-no-int-to-ptr)
  ::munmap(begin, memory.size);
  return ::mmap(begin, memory.size, protection, MAP_SHARED | MAP_FIXED_NOREPLACE, memory.descriptor, 0) == begin;
}

int read_a_shared_view() {
  if (!share_cells()) return 2;
  Fleet fleet({});
  Aggregate aggregate;
  aggregate.id = 7;
  aggregate.name = "fast";
  aggregate.metadata = {{"ssd", "true"}};
  aggregate.hosts = {"h1"};
  fleet.put_aggregate(aggregate);
  put(fleet, report("h1", "n", R"({"vcpus":1,"cpu_info":{"a":1},"host_ip":"10.0.0.1"})"));
  fleet.put_instance(instance(1, "h1", "n"));
  const Moment moment = fleet.pin(noon);
  const gantry_view* const view = moment.view("compute");
  const auto& memory = *shared_cells();
  return status_of([&] {
    if (!map_as_a_stranger(memory, PROT_READ)) return 3;
    std::string seen(view->topic.data, view->topic.size);
    for (std::uint32_t at = 0; at < view->column_count; ++at) {
      const gantry_column& column = view->columns[at];
      const std::string name(column.name.data, column.name.size);
      if (!memory.holds(column.values)) return 4;
      if (name == "host_ip") {
        const auto code = static_cast<const std::uint32_t*>(column.values)[0];
        const auto& text = static_cast<const gantry_string*>(column.dictionary)[code];
        seen.append(" ").append(text.data, text.size);
      }
      if (name == "cpu_info") {
        const auto& text = static_cast<const gantry_json*>(column.values)[0].text;
        seen.append(" ").append(text.data, text.size);
      }
    }
    const auto& pair = view->aggregates[0].metadata.items[0];
    seen.append(" ").append(pair.key.data, pair.key.size);
    return seen == "compute 10.0.0.1 {\"a\":1} ssd" || seen == "compute {\"a\":1} 10.0.0.1 ssd" ? 0 : 5;
  });
}

TEST(CellMemory, IsTheProcessesOwnUnlessItIsShared) {
  EXPECT_EQ(shared_cells(), nullptr);
}

TEST(CellMemory, ShowsAViewToAnotherProcessAtTheSameAddress) {
  EXPECT_EQ(status_of(&read_a_shared_view), 0);
}

TEST(CellMemory, IsWrittenByTheOneProcessAlone) {
  const int status = status_of([] {
    if (!share_cells()) return 2;
    const auto& memory = *shared_cells();
    if (map_as_a_stranger(memory, PROT_READ | PROT_WRITE)) return 3;
    const std::string path = "/proc/self/fd/" + std::to_string(memory.descriptor);
    const int reopened = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (::write(memory.descriptor, "x", 1) != -1 || ::write(reopened, "x", 1) != -1) return 4;
    if (::ftruncate(memory.descriptor, 4096) == 0) return 5;
    return ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, reopened, 0) == MAP_FAILED ? 0 : 6;
  });
  EXPECT_EQ(status, 0);
}

TEST(CellMemory, KeepsAFleetThatChanges) {
  const int status = status_of([] {
    Fleet before({});
    put(before, report("h0", "n", R"({"vcpus":1})"));
    if (!share_cells()) return 2;
    for (int round = 0; round < 50; ++round) {
      Fleet fleet({});
      for (int host = 0; host < 100; ++host) {
        const std::string name = "h" + std::to_string(host);
        put(fleet, report(name, "n", R"({"vcpus":)" + std::to_string(round) + R"(,"stats":{"round":"x"}})"));
      }
      put(before, report("h0", "n", R"({"vcpus":)" + std::to_string(round) + "}"));
      if (snapshot(fleet.pin(noon)).size() != 100 || row_of(before.pin(noon), "h0", "n").at("vcpus") != round) return 3;
    }
    return ::testing::Test::HasFailure() ? 4 : 0;
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace gantry::fleet::testing

// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/process_metrics.hpp"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>

namespace gantry::telemetry {

namespace {

double seconds_of(const timeval& time) {
  constexpr double microseconds_of_second = 1e6;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / microseconds_of_second;
}

}  // namespace

std::uint64_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  std::uint64_t resident = 0;
  if (!(statm >> pages >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t open_descriptors() {
  const auto close = [](DIR* directory) { closedir(directory); };
  const std::unique_ptr<DIR, decltype(close)> directory(opendir("/proc/self/fd"), close);
  if (!directory) return 0;
  std::uint64_t count = 0;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): safe on a DIR of one's own
  while (const auto* entry = readdir(directory.get()))
    if (entry->d_name[0] != '.') ++count;
  return count == 0 ? 0 : count - 1;  // without the one that this reads by
}

void write_process(MetricText& into) {
  if (const auto bytes = resident_memory(); bytes != 0)
    into.family("process_resident_memory_bytes", MetricType::gauge, "Memory of the process that is in RAM.")
        .add({}, bytes);
  if (const auto count = open_descriptors(); count != 0)
    into.family("process_open_fds", MetricType::gauge, "Descriptors that are open.").add({}, count);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
    into.family("process_max_fds", MetricType::gauge, "Descriptors that may be open.")
        .add({}, std::uint64_t{limit.rlim_cur});
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0)
    into.family("process_cpu_seconds_total", MetricType::counter, "Processor time of the process, user and system.")
        .add({}, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime));
}

}  // namespace gantry::telemetry

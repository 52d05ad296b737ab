// SPDX-License-Identifier: Apache-2.0
//
// What a decision of each bundled driver costs, against reading the columns that it touches once, in the same run.
// Without arguments it is a Google Benchmark; with --table [HOSTS] it prints one line a driver and fleet of at most
// so many hosts: the fixed cost of a
// call (one host), the decision, the read, and decision less fixed cost over read. With --lua [HOSTS] it prints what one
// policy in Lua costs, as functions of columns and of one host, against the driver simple.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gantry/testing/fake_host.hpp>
#include <memory>
#include <string>
#include <vector>

namespace {

using gantry::testing::fake_host;
using gantry::testing::fake_request;
using gantry::testing::host_row;

struct Subject {
  const char* driver;
  std::vector<const char*> columns;  // that a decision touches
  const char* policy = "";           // a script for the driver lua
};

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = {
      {"chance", {"up", "disabled"}},
      {"simple",
       {"up", "disabled", "vcpus", "vcpus_used", "cpu_allocation_ratio", "memory_mb", "memory_mb_used",
        "ram_allocation_ratio", "local_gb", "local_gb_used", "disk_allocation_ratio"}},
      {"ip", {"up", "disabled", "host"}},
      {"volume", {"up", "disabled", "stats.free_capacity_gb"}}};
  return all;
}

std::vector<host_row> fleet(std::size_t size) {
  constexpr const char* prefixes[] = {"doc-", "ops-", "dev-"};
  std::vector<host_row> rows(size);
  for (std::size_t index = 0; index < size; ++index) {
    host_row& row = rows[index];
    row.host = prefixes[size == 1 ? 2 : index % 3] + std::string("rack") + std::to_string(index);
    row.up = size == 1 || index % 10 != 3;
    row.vcpus_used = static_cast<double>(index * 7919 % 200);
    row.memory_mb_used = static_cast<double>(index * 104729 % 90000);
    row.local_gb_used = static_cast<double>(index * 1299709 % 900);
    row.columns = {{"stats.free_capacity_gb", static_cast<double>(index * 7919 % 1000 + 100)}};
  }
  return rows;
}

// A driver over a fleet, called as the host would call it, with all that a call needs made beforehand.
class Decision {
 public:
  Decision(const Subject& subject, std::size_t hosts)
      : subject_(subject),
        host_(fleet(hosts), std::strcmp(subject.driver, "volume") == 0 ? "volume" : "compute"),
        call_(1),
        view_(*host_.view(host_.topic())),
        complete_(view_.complete({})) {
    host_.log_level = GANTRY_LOG_WARNING;
    host_.options.table("prefixes", {{"10.1", "doc"}}).table("networks", {}).string("default_prefix", "dev");
    const auto script = std::filesystem::temp_directory_path() / "gantry-bench.lua";
    std::ofstream(script) << subject.policy;
    host_.options.string("policy", script.string()).integer("memory_mb", 64).boolean("check_room", true);
    void* library = dlopen((std::string(GANTRY_DRIVERS "/") + subject.driver + ".so").c_str(), RTLD_NOW);
    void* entry = library == nullptr ? nullptr : dlsym(library, "gantry_driver_entry");
    if (entry == nullptr) std::fprintf(stderr, "%s: %s\n", subject.driver, dlerror()), std::exit(1);
    ops_ = reinterpret_cast<decltype(&gantry_driver_entry)>(entry)(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR)->ops;
    const gantry_options options = host_.options.raw();
    call_.host = &host_;
    call_.view = &view_;
    call_.is_method = host_.topic() != "compute";
    if (!call_.is_method) call_.request = &request_;
    if (ops_->create(&host_.raw(), call_.raw(), &options, &driver_) != GANTRY_OK) std::exit(1);
    request_.vcpus = 2;
    request_.memory_mb = 4096;
    request_.disk_gb = 20;
    raw_request_ = request_.raw(memory_, view_.raw(), complete_.data());
  }
  ~Decision() { ops_->destroy(driver_); }
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;

  void decide() {
    call_.result = {};
    call_.held.clear();
    call_.settled.clear();
    call_.claim_items = 0;
    call_.cast_bytes = 0;
    call_.memory = {};
    if (const gantry_code code = run(); code != GANTRY_OK) {
      std::fprintf(stderr, "%s: code %d: %s\n", subject_.driver, code, call_.result.sentence.c_str());
      std::exit(1);
    }
  }

  // Sums all bytes of the columns, eight at a time.
  std::uint64_t read() const {
    std::uint64_t sum = 0;
    for (const char* name : subject_.columns) {
      const gantry_column& column = *view_.find(name);
      const std::size_t rows = view_.raw().rows;
      switch (column.type) {
        case GANTRY_TYPE_BOOL: sum += sum_of(column.values, (rows + 63) / 64 * 8); break;
        case GANTRY_TYPE_STRING: sum += sum_of_texts(column, rows); break;
        default: sum += sum_of(column.values, rows * 8);
      }
    }
    return sum;
  }

 private:
  gantry_code run() {
    if (host_.topic() == "compute") return ops_->select_destinations(driver_, call_.raw(), &raw_request_);
    const gantry_method_call method = {sizeof(gantry_method_call),
                                       0,
                                       gantry::raw("volume"),
                                       gantry::raw("create_volume"),
                                       gantry::raw(R"({"size":10})"),
                                       &view_.raw(),
                                       complete_.data()};
    return ops_->call_method(driver_, call_.raw(), &method);
  }

  static std::uint64_t sum_of(const void* memory, std::size_t bytes) {
    const auto* words = static_cast<const std::uint64_t*>(memory);
    std::uint64_t sum = 0;
    for (std::size_t index = 0; index < bytes / 8; ++index) sum += words[index];
    return sum;
  }

  // Codes, dictionary entries and the texts, which lie behind each other.
  static std::uint64_t sum_of_texts(const gantry_column& column, std::size_t rows) {
    const auto* entries = static_cast<const gantry_string*>(column.dictionary);
    const gantry_string& last = entries[column.dictionary_count - 1];
    return sum_of(column.values, rows * 4) + sum_of(entries, column.dictionary_count * sizeof(gantry_string)) +
           sum_of(entries[0].data, static_cast<std::size_t>(last.data + last.size - entries[0].data));
  }

  const Subject& subject_;
  fake_host host_;
  gantry::testing::fake_call call_;
  const gantry::testing::fake_view& view_;
  std::vector<std::uint64_t> complete_;
  gantry::testing::arena memory_;
  fake_request request_;
  gantry_request raw_request_ = {};
  const gantry_driver_ops* ops_ = nullptr;
  gantry_driver* driver_ = nullptr;
};

// The median of many runs, in microseconds.
template <class Work>
double median_us(Work&& work) {
  using clock = std::chrono::steady_clock;
  std::vector<double> times;
  const clock::time_point end = clock::now() + std::chrono::milliseconds(300);
  while (clock::now() < end || times.size() < 20) {
    const clock::time_point start = clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

int print_table(std::size_t most) {
  std::printf("%-8s %8s %12s %12s %12s %8s\n", "driver", "hosts", "fixed us", "decision us", "read us", "ratio");
  for (const Subject& subject : subjects()) {
    Decision one(subject, 1);
    const double fixed = median_us([&] { one.decide(); });
    for (const std::size_t hosts : {1'000u, 10'000u, 100'000u}) {
      if (hosts > most) continue;
      Decision decision(subject, hosts);
      const double decided = median_us([&] { decision.decide(); });
      const double read = median_us([&] { benchmark::DoNotOptimize(decision.read()); });
      std::printf("%-8s %8zu %12.2f %12.2f %12.2f %8.2f\n", subject.driver, hosts, fixed, decided, read,
                  std::max(0.0, decided - fixed) / read);
    }
  }
  return 0;
}

// One policy in both forms: a zone with enough memory, spread by free memory and processors.
const Subject lua_columns = {"lua", {}, R"(
filter "memory" { columns = function(view, request)
  return (view.memory_mb - view.memory_mb_used):at_least(request.memory_mb)
end }
filter "zone" { columns = function(view) return view.availability_zone:equals("nova") end }
weigh "spread" { columns = function(view) return view.memory_mb - view.memory_mb_used - view.vcpus_used end }
)"};
const Subject lua_hosts = {"lua", {}, R"(
filter "memory" { host = function(host, request) return host.memory_mb - host.memory_mb_used >= request.memory_mb end }
filter "zone" { host = function(host) return host.availability_zone == "nova" end }
weigh "spread" { host = function(host) return host.memory_mb - host.memory_mb_used - host.vcpus_used end }
)"};

int print_lua(std::size_t most) {
  std::printf("%8s %10s %12s %7s %12s %7s\n", "hosts", "simple us", "columns us", "times", "functions us", "times");
  const Subject* const simple = &subjects()[1];
  for (const std::size_t hosts : {1'000u, 10'000u, 100'000u}) {
    if (hosts > most) continue;
    std::vector<double> costs;
    for (const Subject* subject : {simple, &lua_columns, &lua_hosts}) {
      Decision decision(*subject, hosts);
      costs.push_back(median_us([&] { decision.decide(); }));
    }
    std::printf("%8zu %10.2f %12.2f %7.2f %12.2f %7.2f\n", hosts, costs[0], costs[1], costs[1] / costs[0], costs[2],
                costs[2] / costs[0]);
  }
  return 0;
}

void decide(benchmark::State& state, const Subject& subject) {
  Decision decision(subject, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) decision.decide();
}

void read_columns(benchmark::State& state, const Subject& subject) {
  const Decision decision(subject, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(decision.read());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 2 && std::strcmp(argv[1], "--table") == 0)
    return print_table(argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 100'000);
  if (argc >= 2 && std::strcmp(argv[1], "--lua") == 0)
    return print_lua(argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 100'000);
  for (const Subject& subject : subjects()) {
    for (const int hosts : {1, 1'000, 10'000, 100'000}) {
      benchmark::RegisterBenchmark((std::string(subject.driver) + "/decide").c_str(), decide, subject)->Arg(hosts);
      if (hosts == 1) continue;
      benchmark::RegisterBenchmark((std::string(subject.driver) + "/read").c_str(), read_columns, subject)->Arg(hosts);
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

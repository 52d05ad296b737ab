// SPDX-License-Identifier: Apache-2.0
//
// future_host <driver file>: prints the decisions of a driver, one a line. Built with the headers of today and with the
// later ones of later_headers.py. The later host also hands out bits, a level, a column and an option that no driver of
// today knows.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <gantry/testing/fake_host.hpp>
#include <string>
#include <vector>

namespace {

using namespace gantry::testing;

// The driver's own operations. The program runs one driver.
gantry_driver_ops own;

#ifdef GANTRY_LATER_HOST
const gantry_string later_name{"aaa_later", 9};

gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options, gantry_driver** out) {
  std::vector<gantry_option> more(1);
  more[0].name = later_name;
  more[0].type = GANTRY_OPTION_LATER;
  for (std::uint64_t index = 0; index < options->option_count; ++index) {
    const char* const at = reinterpret_cast<const char*>(options->options) + index * options->option_stride;
    more.push_back(*reinterpret_cast<const gantry_option*>(at));
  }
  gantry_options later = *options;
  later.options = more.data();
  later.option_count = more.size();
  later.option_stride = sizeof(gantry_option);
  return own.create(host, call, &later, out);
}

// Runs an operation on a request with all that is unknown.
template <class Operation>
gantry_code with_the_unknown(const gantry_request* request, Operation operation) {
  gantry_view view = *request->view;
  std::vector<gantry_column> columns(1);
  columns[0].name = later_name;
  columns[0].type = GANTRY_TYPE_LATER;
  columns[0].struct_size = sizeof(gantry_column);
  for (std::uint32_t index = 0; index < view.column_count; ++index) {
    const char* const at = reinterpret_cast<const char*>(view.columns) + std::size_t{index} * view.column_stride;
    columns.push_back(*reinterpret_cast<const gantry_column*>(at));
  }
  // The services know the view by its address: the view itself gets the columns for the time of the operation.
  auto* const shown = const_cast<gantry_view*>(request->view);
  shown->columns = columns.data();
  shown->column_count = static_cast<std::uint32_t>(columns.size());
  shown->column_stride = sizeof(gantry_column);
  gantry_request later = *request;
  later.present |= GANTRY_REQUEST_LATER;
  later.explain_hosts = GANTRY_EXPLAIN_LATER;
  const gantry_code code = operation(&later);
  *shown = view;
  return code;
}

gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  return with_the_unknown(request,
                          [&](const gantry_request* later) { return own.select_destinations(driver, call, later); });
}

gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  return with_the_unknown(request,
                          [&](const gantry_request* later) { return own.schedule_run_instance(driver, call, later); });
}
#endif

void print(const char* what, const outcome& found) {
  std::printf("%s: code %d\n", what, static_cast<int>(found.code));
  for (const auto& pick : found.picks)
    std::printf("  pick %u %s\n", static_cast<unsigned>(pick.instance), pick.host.c_str());
  for (const auto& alternate : found.alternates) std::printf("  alternate %s\n", alternate.host.c_str());
  for (const auto& refusal : found.refusals) std::printf("  refusal %s\n", refusal.reason.c_str());
  for (const auto& misuse : found.misuse) std::printf("  misuse %s\n", misuse.c_str());
}

}  // namespace

int main(int, char** arguments) {
  void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : dlsym(library, "gantry_driver_entry");
  if (entry == nullptr) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], dlerror());
    return 1;
  }
  const gantry_driver_info* given =
      reinterpret_cast<decltype(&gantry_driver_entry)>(entry)(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  if (given == nullptr) {
    std::fprintf(stderr, "%s refuses the host\n", arguments[1]);
    return 1;
  }
  std::memcpy(&own, given->ops, std::min<std::size_t>(given->ops->struct_size, sizeof own));
  gantry_driver_ops operations = own;
  gantry_driver_info info{};
  std::memcpy(&info, given, std::min<std::size_t>(given->struct_size, sizeof info));
#ifdef GANTRY_LATER_HOST
  operations.create = create;
  operations.select_destinations = select_destinations;
  operations.schedule_run_instance = schedule_run_instance;
#endif
  info.ops = &operations;

  fake_host host({{"host-1"}, {"host-2"}, {"host-3"}, {"host-4"}});
  host.needs = {"up", "disabled", "memory_mb", "memory_mb_used"};
  host.options.integer("reserve_mb", 512);
  host.rows()[0].up = false;
  host.rows()[1].memory_mb_used = 65000.0;
  const auto driver = host.create(info);
  fake_request request;
  request.memory_mb = 1024;
  request.instances = 2;
  request.alternates = 1;
  print("two instances", driver->select_destinations(request));
  request.eligible = {0, 1};
  print("no eligible host with room", driver->select_destinations(request));
  request.eligible = {3};
  print("one eligible host", driver->schedule_run_instance(request));
  request.eligible.reset();
  request.memory_mb = 65536 - 256;
  print("more than the reserve leaves", driver->schedule_run_instance(request));
  request.memory_mb = 1 << 20;
  print("too large", driver->schedule_run_instance(request));
  return 0;
}

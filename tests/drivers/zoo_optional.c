// SPDX-License-Identifier: Apache-2.0
//
// A driver with all three optional operations, each with a rule that differs from the host's default: hosts_up also
// returns disabled hosts, group_hosts returns members on hosts that are up and the hosts that the request lists, and
// update_service_capabilities stores the capabilities beside the names of service and host.
#include <gantry/driver.h>
#include <stdlib.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'zoo'\n"
    "version = '1.0.0'\n"
    "description = 'A test driver with the optional operations'\n"
    "topics = ['compute']\n"
    "threads = 'reentrant'\n"
    "[columns]\n"
    "needs = ['host', 'up']\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

struct gantry_driver {
  const gantry_host* host;
};

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)options;
  gantry_driver* driver = calloc(1, sizeof *driver);
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  driver->host = host;
  *out = driver;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static int equal(gantry_string left, gantry_string right) {
  return left.size == right.size && (left.size == 0 || memcmp(left.data, right.data, left.size) == 0);
}

static int bit(const uint64_t* bitmap, uint32_t row) {
  return (int)((bitmap[row / 64] >> (row % 64)) & 1);
}

static void set(uint64_t* bitmap, uint32_t row) {
  bitmap[row / 64] |= (uint64_t)1 << (row % 64);
}

static gantry_code decide(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  (void)request;
  return driver->host->fail(call, GANTRY_UNSUPPORTED, TEXT("this driver makes no decisions"));
}

static gantry_code hosts_up(gantry_driver* driver, gantry_call* call, const gantry_view* view, uint64_t* rows_out) {
  const gantry_column* up = driver->host->column(call, view, TEXT("up"));
  for (uint32_t row = 0; row < view->rows; ++row) {
    if (bit(up->values, row)) set(rows_out, row);
  }
  return GANTRY_OK;
}

static gantry_code group_hosts(gantry_driver* driver, gantry_call* call, const gantry_group* group,
                               const gantry_view* view, uint64_t* rows_out) {
  if (equal(group->policy, TEXT("unheard-of"))) {
    return driver->host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("no rule for the policy 'unheard-of'"));
  }
  const gantry_column* up = driver->host->column(call, view, TEXT("up"));
  for (uint64_t member = 0; member < group->member_row_count; ++member) {
    if (bit(up->values, group->member_rows[member])) set(rows_out, group->member_rows[member]);
  }
  const gantry_column* names = driver->host->column(call, view, TEXT("host"));
  const uint32_t* codes = names->values;
  for (uint32_t row = 0; row < view->rows; ++row) {
    const gantry_string name = ((const gantry_string*)names->dictionary)[codes[row]];
    for (uint64_t index = 0; index < group->hosts.count; ++index) {
      if (equal(name, group->hosts.items[index])) set(rows_out, row);
    }
  }
  return GANTRY_OK;
}

static gantry_code update_service_capabilities(gantry_driver* driver, gantry_call* call, gantry_string service,
                                               gantry_string host, gantry_string capabilities) {
  if (equal(capabilities, TEXT("{}"))) return GANTRY_OK; /* The host stores them as they are. */
  if (capabilities.size == 0 || capabilities.data[0] != '{') {
    return driver->host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("capabilities: expected an object"));
  }
  const gantry_string parts[] = {
      TEXT("{\"service\":\""), service, TEXT("\",\"host\":\""), host, TEXT("\",\"given\":"), capabilities, TEXT("}")};
  gantry_string stored = {0};
  for (size_t part = 0; part < sizeof parts / sizeof parts[0]; ++part) stored.size += parts[part].size;
  char* to = driver->host->scratch(call, stored.size, 1);
  if (to == NULL) return driver->host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  stored.data = to;
  for (size_t part = 0; part < sizeof parts / sizeof parts[0]; ++part) {
    memcpy(to, parts[part].data, parts[part].size);
    to += parts[part].size;
  }
  return driver->host->reply(call, stored);
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = decide,
    .schedule_run_instance = decide,
    .hosts_up = hosts_up,
    .group_hosts = group_hosts,
    .update_service_capabilities = update_service_capabilities,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_driver_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"zoo", 3},
    .version = {"1.0.0", 5},
    .ops = &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  return &info;
}

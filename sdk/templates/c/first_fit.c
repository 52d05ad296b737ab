/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver in C: the first host that is up and has the memory. Rename it, then change first_that_fits(). */
#include <gantry/driver.h>
#include <stdlib.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'first_fit'\n"
    "version = '0.1.0'\n"
    "description = 'the first host that is up and has the memory'\n"
    "license = 'Apache-2.0'\n"
    "vendor = 'Example'\n"
    "topics = ['compute']\n"
    "threads = 'reentrant'\n"
    "[columns]\n"
    "needs = ['host', 'up', 'disabled', 'memory_mb', 'memory_mb_used']\n"
    "[options.reserve_mb]\n"
    "type = 'integer'\n"
    "default = 0\n"
    "minimum = 0\n"
    "maximum = 1048576\n"
    "help = 'MiB kept free on each host'\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

/* One instance. A reload makes a second one with other options while the first one works, and ends the first one then:
 * all that an instance knows is here, and nothing is in static variables. */
struct gantry_driver {
  const gantry_host* host;
  int64_t reserve_mb;
};

static int is_same(gantry_string left, gantry_string right) {
  return left.size == right.size && memcmp(left.data, right.data, left.size) == 0;
}

/* Returns the value of an option. The host gives each option of the manifest, with its default if it is not configured. */
static int64_t integer_option(const gantry_options* options, gantry_string name) {
  const char* at = (const char*)options->options;
  for (uint64_t index = 0; index < options->option_count; ++index, at += options->option_stride) {
    const gantry_option* option = (const gantry_option*)at;
    if (is_same(option->name, name)) return option->integer;
  }
  return 0;
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  gantry_driver* driver = calloc(1, sizeof *driver);
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  driver->host = host;
  driver->reserve_mb = integer_option(options, TEXT("reserve_mb"));
  *out = driver;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static int bit(const void* bitmap, uint32_t row) {
  return (int)((((const uint64_t*)bitmap)[row / 64] >> (row % 64)) & 1);
}

/* Whether the row may be used at all. */
static int is_eligible(const gantry_request* request, uint32_t row) {
  return !GANTRY_HAS(request, gantry_request, eligible) || request->eligible == NULL || bit(request->eligible, row);
}

/* Whether the request leaves the host out, as a migration does with the host that it leaves. */
static int is_ignored(const gantry_request* request, gantry_string host) {
  for (uint64_t index = 0; index < request->ignore_hosts.count; ++index) {
    if (is_same(request->ignore_hosts.items[index], host)) return 1;
  }
  return 0;
}

/* The first row from `row` on that may be used, is up, enabled, fully reported and has the memory; rows: there is none. */
static uint32_t first_that_fits(const gantry_driver* driver, gantry_call* call, const gantry_request* request,
                                uint32_t row) {
  const gantry_host* host = driver->host;
  const gantry_view* view = request->view;
  const gantry_column* hosts = host->column(call, view, TEXT("host"));
  const gantry_string* names = hosts->dictionary;
  const uint32_t* codes = hosts->values;
  const void* up = host->column(call, view, TEXT("up"))->values;
  const void* disabled = host->column(call, view, TEXT("disabled"))->values;
  const int64_t* memory_mb = host->column(call, view, TEXT("memory_mb"))->values;
  const double* used = host->column(call, view, TEXT("memory_mb_used"))->values;
  const int64_t wanted = (request->present & GANTRY_REQUEST_MEMORY_MB) != 0 ? request->memory_mb : 0;
  for (; row < view->rows; ++row) {
    if (!is_eligible(request, row) || !bit(up, row) || bit(disabled, row) || !bit(request->complete, row)) continue;
    if (is_ignored(request, names[codes[row]])) continue;
    if (used[row] + (double)wanted <= (double)(memory_mb[row] - driver->reserve_mb)) return row;
  }
  return row;
}

/* Places one instance; a claim that is lost moves on to the next host. */
static gantry_code place(const gantry_driver* driver, gantry_call* call, const gantry_request* request,
                         uint32_t instance) {
  const gantry_host* host = driver->host;
  const int64_t* memory_mb = host->column(call, request->view, TEXT("memory_mb"))->values;
  gantry_code code = GANTRY_NO_VALID_HOST;
  uint32_t row = first_that_fits(driver, call, request, 0);
  for (; row < request->view->rows; row = first_that_fits(driver, call, request, row + 1)) {
    const gantry_pick pick = {
        .struct_size = sizeof pick,
        .instance = instance,
        .row = row,
        /* The claim is held against the memory without the reserve. */
        .present = GANTRY_LIMIT_MEMORY_MB,
        .limits = {.memory_mb = (double)(memory_mb[row] - driver->reserve_mb)},
    };
    code = host->pick(call, &pick);
    if (code != GANTRY_CLAIM_LOST) return code;
    code = GANTRY_NO_VALID_HOST;
  }
  return code;
}

/* All instances or none. */
static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    const gantry_code code = place(driver, call, request, instance);
    if (code == GANTRY_NO_VALID_HOST) return driver->host->fail(call, code, TEXT("no host that is up has the memory"));
    if (code != GANTRY_OK) return code;
  }
  return GANTRY_OK;
}

/* Each instance on its own. */
static gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    gantry_code code = place(driver, call, request, instance);
    if (code == GANTRY_NO_VALID_HOST) {
      code = driver->host->refuse(call, instance, TEXT("no host that is up has the memory"));
    }
    if (code != GANTRY_OK) return code;
  }
  return GANTRY_OK;
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = schedule_run_instance,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_driver_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"first_fit", sizeof("first_fit") - 1},
    .version = {"0.1.0", sizeof("0.1.0") - 1},
    .ops = &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  /* While the major is 0, each minor is a version of its own. */
  const int fits = host_major == GANTRY_ABI_MAJOR && (GANTRY_ABI_MAJOR != 0 || host_minor == GANTRY_ABI_MINOR);
  return fits ? &info : NULL;
}

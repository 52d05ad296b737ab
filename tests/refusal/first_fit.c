// SPDX-License-Identifier: Apache-2.0
//
// A whole driver in C from driver.h alone: the first host that is up and has the room. Built by this one command, which
// the tests run as it stands here (GANTRY_SDK is the directory that has gantry/driver.h in it):
//
//   gcc -std=c11 -O2 -fPIC -fvisibility=hidden -shared -Wl,-z,defs -I"$GANTRY_SDK" first_fit.c -o first_fit.so
#include <gantry/driver.h>
#include <stdlib.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'first_fit'\n"
    "version = '1.0.0'\n"
    "description = 'The first host that is up and has the room'\n"
    "topics = ['compute']\n"
    "threads = 'reentrant'\n"
    "[columns]\n"
    "needs = ['up', 'free_ram_mb']\n"
    "[options.reserve]\n"
    "type = 'integer'\n"
    "default = 512\n"
    "minimum = 0\n"
    "help = 'MiB kept free on each host'\n");

struct gantry_driver {
  const gantry_host* host;
  double reserve;
};

static gantry_string text(const char* of) {
  gantry_string string = {of, strlen(of)};
  return string;
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  gantry_driver* driver = calloc(1, sizeof(*driver));
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, text("no memory"));
  driver->host = host;
  driver->reserve = (double)options->options[0].integer;
  *out = driver;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static int has_bit(const uint64_t* bitmap, uint32_t row) {
  return (int)(bitmap[row / 64] >> (row % 64) & 1);
}

static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  const gantry_host* host = driver->host;
  const gantry_column* up = host->column(call, request->view, text("up"));
  const gantry_column* free_ram = host->column(call, request->view, text("free_ram_mb"));
  const double wanted = (double)request->memory_mb + driver->reserve;
  for (uint32_t row = 0; row < request->view->rows; ++row) {
    if (!has_bit(request->complete, row) || !has_bit(up->values, row)) continue;
    if (((const double*)free_ram->values)[row] < wanted) continue;
    gantry_pick pick = {.struct_size = sizeof(pick), .instance = 0, .row = row};
    if (host->pick(call, &pick) == GANTRY_OK) return GANTRY_OK;
  }
  host->fail(call, GANTRY_NO_VALID_HOST, text("no host that is up has the memory"));
  return GANTRY_NO_VALID_HOST;
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = select_destinations,
};

static const gantry_driver_info info = {
    GANTRY_MAGIC, sizeof(gantry_driver_info), GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR, {"first_fit", 9}, {"1.0.0", 5},
    &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  return host_major == GANTRY_ABI_MAJOR && host_minor == GANTRY_ABI_MINOR ? &info : NULL;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver that works with each host of the major: it needs minor 0 and asks GANTRY_HAS for each field that is younger
 * than the struct. -DGANTRY_NEEDS_MINOR=N makes one that works with no host below N. */
#ifndef GANTRY_NEEDS_MINOR
#define GANTRY_NEEDS_MINOR 0
#endif
#include "museum.h"

GANTRY_MANIFEST(MUSEUM_MANIFEST("needs") "topics = ['compute']\n[columns]\nneeds = ['up', 'disabled', 'host']\n");

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)options;
  if (!GANTRY_HAS(host, gantry_host, cast)) return host->fail(call, GANTRY_UNSUPPORTED, TEXT("no host of this major"));
  return make_driver(host, call, out);
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static gantry_code decide(gantry_driver* driver, gantry_call* call, const gantry_request* request, int each) {
  driver->call = call;
  const int is_bounded = GANTRY_HAS(request, gantry_request, eligible) && request->eligible != NULL;
  const int is_claimable = GANTRY_HAS(request, gantry_request, claimable) && request->claimable != NULL;
  gantry_location location = {.struct_size = sizeof location};
  const gantry_code code = driver->host->locate(call, TEXT("00000000-0000-4000-8000-000000000001"), &location);
  say(driver, "bounded %d, claimable %d, locate %ld, disk_gb %s", is_bounded, is_claimable, (long)code,
      GANTRY_HAS(&location, gantry_location, disk_gb) ? "is there" : "is not there");
  const char* at = (const char*)request->view->columns;
  int columns = 0;
  for (uint32_t index = 0; index < request->view->column_count; ++index, at += request->view->column_stride)
    columns += GANTRY_REACHES(request->view->column_stride, gantry_column, elements) &&
               is_same(((const gantry_column*)at)->name, TEXT("host"));
  say(driver, "columns of the name host: %d", columns);
  return place_instances(driver, request, each);
}

static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  return decide(driver, call, request, 0);
}

static gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  return decide(driver, call, request, 1);
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = schedule_run_instance,
};

MUSEUM_ENTRY("needs")

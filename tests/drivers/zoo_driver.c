// SPDX-License-Identifier: Apache-2.0
//
// A small driver that the build bends: each ZOO_ definition changes one thing about it. CMakeLists.txt has the list.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // setenv
#endif
#include <gantry/driver.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ZOO_ABI_TEXT
#undef GANTRY_ABI_TEXT
#define GANTRY_ABI_TEXT ZOO_ABI_TEXT
#undef GANTRY_NEEDS_MINOR
#ifndef ZOO_NEEDS_MINOR
#define ZOO_NEEDS_MINOR 0
#endif
#define GANTRY_NEEDS_MINOR ZOO_NEEDS_MINOR
#endif
#ifndef ZOO_ABI_MAJOR
#define ZOO_ABI_MAJOR GANTRY_ABI_MAJOR
#endif
#ifndef ZOO_MAGIC
#define ZOO_MAGIC GANTRY_MAGIC
#endif
#ifndef ZOO_INFO_SIZE
#define ZOO_INFO_SIZE sizeof(gantry_driver_info)
#endif
#ifndef ZOO_OPERATIONS_SIZE
#define ZOO_OPERATIONS_SIZE sizeof(gantry_driver_ops)
#endif
#ifndef ZOO_LATER_FIELD
#define ZOO_LATER_FIELD 0
#endif
#ifndef ZOO_PICK_SIZE
#define ZOO_PICK_SIZE sizeof(gantry_pick)
#endif
#ifndef ZOO_ID
#define ZOO_ID "zoo"
#endif
#ifndef ZOO_ENTRY_ID
#define ZOO_ENTRY_ID ZOO_ID
#endif
#ifndef ZOO_ENTRY_VERSION
#define ZOO_ENTRY_VERSION "1.0.0"
#endif
#ifndef ZOO_SELECT
#define ZOO_SELECT select_destinations
#endif
#ifndef ZOO_SCHEDULE
#define ZOO_SCHEDULE schedule_run_instance
#endif
#ifndef ZOO_THREADS
#define ZOO_THREADS "reentrant"
#endif
#ifndef ZOO_MORE
#define ZOO_MORE ""
#endif

#ifndef ZOO_NO_MANIFEST
GANTRY_MANIFEST("id = '" ZOO_ID
                "'\n"
                "version = '1.0.0'\n"
                "description = 'A test driver'\n"
                "topics = ['compute']\n"
                "threads = '" ZOO_THREADS "'\n" ZOO_MORE);
#endif

#ifdef ZOO_EXTRA_EXPORT
GANTRY_EXPORT int zoo_extra(void);
int zoo_extra(void) {
  return 1;
}
#endif

#ifdef ZOO_UNDEFINED
int zoo_nowhere(void);
#endif
#ifdef ZOO_LIBRARY
int zoo_library(void);
#endif

#ifdef ZOO_CONSTRUCTOR
__attribute__((constructor)) static void run_before_anybody_asked(void) {
  setenv("GANTRY_ZOO_RAN", "1", 1);
#ifdef ZOO_CONSTRUCTOR_CRASHES
  abort();
#endif
}
#endif

struct gantry_driver {
  const gantry_host* host;
};

static gantry_string text(const char* of) {
  gantry_string string = {of, strlen(of)};
  return string;
}

#ifdef ZOO_CREATE
static void hang(void) {
  while (1) pause();
}

static void print_much(void) {
  for (int line = 0; line < 100000; ++line) (void)!write(STDERR_FILENO, "noise\n", 6);
}
#endif

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)options;
#ifdef ZOO_CREATE
  ZOO_CREATE;
#endif
#ifdef ZOO_CREATE_FAILS
  (void)out;
  return host->fail(call, GANTRY_INVALID_ARGUMENT, text("the reserve is larger than any host"));
#else
  (void)call;
#ifdef ZOO_UNDEFINED
  zoo_nowhere();
#endif
#ifdef ZOO_LIBRARY
  zoo_library();
#endif
  gantry_driver* driver = calloc(1, sizeof *driver);
  if (driver == NULL) return GANTRY_RESOURCE_EXHAUSTED;
  driver->host = host;
  *out = driver;
  return GANTRY_OK;
#endif
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

// The request's flavor chooses the behaviour, so that one file serves many tests.
static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  const gantry_host* host = driver->host;
  if (request->flavor.size == 5 && memcmp(request->flavor.data, "crash", 5) == 0) abort();
  if (request->flavor.size == 5 && memcmp(request->flavor.data, "fault", 5) == 0) {
    volatile int* volatile nowhere = (volatile int*)8;
    *nowhere = 1;
  }
  if (request->flavor.size == 7 && memcmp(request->flavor.data, "unknown", 7) == 0) return 99;
  if (request->flavor.size == 4 && memcmp(request->flavor.data, "none", 4) == 0) return GANTRY_NO_VALID_HOST;
  if (request->flavor.size == 9 && memcmp(request->flavor.data, "recovered", 9) == 0) {
    host->fail(call, GANTRY_INTERNAL, text("the cache is cold"));
    return GANTRY_NO_VALID_HOST;
  }
  if (request->flavor.size == 6 && memcmp(request->flavor.data, "silent", 6) == 0) return GANTRY_INTERNAL;
  if (request->flavor.size == 5 && memcmp(request->flavor.data, "wrong", 5) == 0) {
    return host->fail(call, GANTRY_INVALID_ARGUMENT, text("no such flavor"));
  }
  if (request->flavor.size == 4 && memcmp(request->flavor.data, "wait", 4) == 0) {
    host->count(host, text("waiting"), 1);
    while (!host->should_stop(call)) continue;
    return GANTRY_DEADLINE_EXCEEDED;
  }
  host->log(host, call, GANTRY_LOG_INFO, text("deciding"));
  host->count(host, text("asked"), 1);
#ifdef ZOO_LONGER
  const struct {
    gantry_pick known;
    uint64_t later[4];
  } longer = {{.struct_size = sizeof(longer), .present = GANTRY_PICK_WEIGHT, .weight = 1.0},
              {0, 0, ZOO_LATER_FIELD, 0}};
  return host->pick(call, &longer.known);
#else
  const gantry_pick pick = {.struct_size = ZOO_PICK_SIZE, .present = GANTRY_PICK_WEIGHT, .weight = 1.0};
  return host->pick(call, &pick);
#endif
}

static gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  return select_destinations(driver, call, request);
}

#ifdef ZOO_CALL_METHOD
static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  return driver->host->reply(call, method->args);
}
#endif

#ifdef ZOO_LONGER
static const struct {
  gantry_driver_ops known;
  void* later[2];
} longer_operations = {
    .known =
        {
            .struct_size = sizeof(longer_operations),
            .create = create,
            .destroy = destroy,
            .select_destinations = select_destinations,
            .schedule_run_instance = schedule_run_instance,
        },
    .later = {(void*)8, (void*)8},
};
static const struct {
  gantry_driver_info known;
  void* later[2];
} longer_info = {
    .known =
        {
            .magic = GANTRY_MAGIC,
            .struct_size = sizeof(longer_info),
            .abi_major = GANTRY_ABI_MAJOR,
            .abi_minor = GANTRY_ABI_MINOR,
            .id = {ZOO_ID, sizeof(ZOO_ID) - 1},
            .version = {"1.0.0", 5},
            .ops = &longer_operations.known,
        },
    .later = {(void*)8, (void*)8},
};
#endif

static const gantry_driver_ops operations = {
    .struct_size = ZOO_OPERATIONS_SIZE,
    .create = create,
    .destroy = destroy,
    .select_destinations = ZOO_SELECT,
    .schedule_run_instance = ZOO_SCHEDULE,
#ifdef ZOO_CALL_METHOD
    .call_method = call_method,
#endif
};

static const gantry_driver_info info = {
    .magic = ZOO_MAGIC,
    .struct_size = ZOO_INFO_SIZE,
    .abi_major = ZOO_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {ZOO_ENTRY_ID, sizeof(ZOO_ENTRY_ID) - 1},
    .version = {ZOO_ENTRY_VERSION, sizeof(ZOO_ENTRY_VERSION) - 1},
    .ops = &operations,
};

#ifdef ZOO_ENTRY_DATA
// The symbol is there under its name, and data.
GANTRY_EXPORT extern const gantry_driver_info* const zoo_entry_data __asm__("gantry_driver_entry");
const gantry_driver_info* const zoo_entry_data = &info;
const gantry_driver_info* zoo_entry(uint32_t host_major, uint32_t host_minor);
#define gantry_driver_entry zoo_entry
#endif

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  // Also keeps what a bent driver leaves unused from being warned about.
  gantry_code (*volatile used)(gantry_driver*, gantry_call*, const gantry_request*) = select_destinations;
  (void)used;
#if defined(ZOO_ENTRY_NULL)
  return NULL;
#elif defined(ZOO_LONGER)
  return &longer_info.known;
#else
  return &info;
#endif
}

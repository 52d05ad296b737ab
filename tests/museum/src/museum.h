/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the drivers in C of the museum: texts, lines of the log, rows of bitmaps. A line is canonical: it has
 * neither an address nor a size of a struct nor an order that the ABI leaves open. */
#ifndef GANTRY_MUSEUM_H
#define GANTRY_MUSEUM_H

#include <gantry/driver.h>

/* The functions of the C library that the drivers use, declared here: one source builds for each processor. */
void* calloc(size_t count, size_t size);
void free(void* memory);
int snprintf(char* out, size_t size, const char* format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char* out, size_t size, const char* format, __builtin_va_list arguments);

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})
#define UNUSED __attribute__((unused))

struct gantry_driver {
  const gantry_host* host;
  gantry_call* call; /* the operation that runs; the driver is serial */
};

static inline int is_same(gantry_string left, gantry_string right) {
  return left.size == right.size && (left.size == 0 || __builtin_memcmp(left.data, right.data, left.size) == 0);
}

static inline int bit(const void* bitmap, uint64_t row) {
  return (int)((((const uint64_t*)bitmap)[row / 64] >> (row % 64)) & 1);
}

/* Writes one line. */
__attribute__((format(printf, 2, 3), unused)) static void say(const gantry_driver* driver, const char* format, ...) {
  char line[3000];
  __builtin_va_list arguments;
  __builtin_va_start(arguments, format);
  const int size = vsnprintf(line, sizeof line, format, arguments);
  __builtin_va_end(arguments);
  const uint64_t shown = size < 0 ? 0 : size < (int)sizeof line ? (uint64_t)size : sizeof line - 1;
  driver->host->log(driver->host, driver->call, GANTRY_LOG_INFO, (gantry_string){line, shown});
}

/* A text as %.*s takes it. */
#define SHOWN(text) (int)((text).size < 1000 ? (text).size : 1000), (text).size == 0 ? "" : (text).data

UNUSED static gantry_code make_driver(const gantry_host* host, gantry_call* call, gantry_driver** out) {
  gantry_driver* const driver = calloc(1, sizeof *driver);
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  driver->host = host;
  driver->call = call;
  *out = driver;
  return GANTRY_OK;
}

/* Picks, from the row `from` on, the first row that is eligible, complete, up and enabled and whose claim holds. */
UNUSED static gantry_code place(const gantry_driver* driver, const gantry_request* request, uint32_t instance,
                                uint32_t from) {
  const gantry_host* const host = driver->host;
  const gantry_view* const view = request->view;
  const gantry_column* const up = host->column(driver->call, view, TEXT("up"));
  const gantry_column* const disabled = host->column(driver->call, view, TEXT("disabled"));
  for (uint32_t step = 0; step < view->rows; ++step) {
    const uint32_t row = (from + step) % view->rows;
    if (request->eligible != NULL && !bit(request->eligible, row)) continue;
    if (!bit(request->complete, row) || !bit(up->values, row) || bit(disabled->values, row)) continue;
    const gantry_pick pick = {.struct_size = sizeof pick, .instance = instance, .row = row};
    const gantry_code code = host->pick(driver->call, &pick);
    if (code != GANTRY_CLAIM_LOST) return code;
  }
  return GANTRY_NO_VALID_HOST;
}

/* Picks rows for all instances, or refuses those that get none (`each`). */
UNUSED static gantry_code place_instances(gantry_driver* driver, const gantry_request* request, int each) {
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    gantry_code code = place(driver, request, instance, instance);
    if (code == GANTRY_NO_VALID_HOST && each) {
      code = driver->host->refuse(driver->call, instance, TEXT("no host is up"));
    } else if (code == GANTRY_NO_VALID_HOST) {
      return driver->host->fail(driver->call, code, TEXT("no host is up"));
    }
    if (code != GANTRY_OK) return code;
  }
  return GANTRY_OK;
}

/* The entry of a driver with the operations `operations`. */
#define MUSEUM_ENTRY(name)                                                                  \
  static const gantry_driver_info info = {.magic = GANTRY_MAGIC,                            \
                                          .struct_size = sizeof(gantry_driver_info),        \
                                          .abi_major = GANTRY_ABI_MAJOR,                    \
                                          .abi_minor = GANTRY_ABI_MINOR,                    \
                                          .id = {name, sizeof(name) - 1},                   \
                                          .version = {"1.0.0", 5},                          \
                                          .ops = &operations};                              \
  const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) { \
    (void)host_minor;                                                                       \
    return host_major == GANTRY_ABI_MAJOR ? &info : NULL;                                   \
  }

#define MUSEUM_MANIFEST(name) \
  "id = '" name "'\nversion = '1.0.0'\ndescription = 'kept in the museum'\nthreads = 'serial'\n"

#endif

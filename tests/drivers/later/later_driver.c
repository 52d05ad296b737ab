// SPDX-License-Identifier: Apache-2.0
//
// A driver that is built with the headers of a later minor, as tests/sdk/future/later_headers.py makes them: its structs
// and the elements of its lists are longer, and its table has one operation more. The request's flavor, or the method,
// names the struct in which the driver asks for something that a host of today does not know.
#include <gantry/driver.h>
#include <stdlib.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'zoo'\n"
    "version = '1.0.0'\n"
    "description = 'A test driver of a later minor'\n"
    "topics = ['compute']\n"
    "threads = 'reentrant'\n"
    "[methods]\n"
    "compute = ['whole', 'claim', 'claim_item', 'cast']\n"
    "[columns]\n"
    "needs = ['up']\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

struct gantry_driver {
  const gantry_host* host;
};

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  if (GANTRY_HAS(host, gantry_host, later_function) || GANTRY_HAS(options, gantry_options, later_fields)) {
    return host->fail(call, GANTRY_INTERNAL, TEXT("the host tells of fields that it does not have"));
  }
  gantry_driver* driver = calloc(1, sizeof *driver);
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  driver->host = host;
  *out = driver;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static void later_operation(void) {
  abort();
}

// Returns the content of a later field: 7 in the struct that `asked` names.
static uint64_t wish(gantry_string asked, const char* of) {
  return asked.size == strlen(of) && memcmp(asked.data, of, asked.size) == 0 ? 7 : 0;
}

// True if the host leaves the part of a location alone that it does not know.
static int locates(const gantry_host* host, gantry_call* call) {
  gantry_location location = {.struct_size = sizeof location, .later_fields = {42, 42}};
  host->locate(call, TEXT("6f70656e-7374-6163-6b20-6e6f7661206f"), &location);
  return !GANTRY_HAS(&location, gantry_location, later_fields) && location.later_fields[1] == 42;
}

static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  const gantry_host* host = driver->host;
  const gantry_column* up = host->column(call, request->view, TEXT("up"));
  if (GANTRY_HAS(up, gantry_column, later_fields) || GANTRY_HAS(request, gantry_request, later_fields) ||
      GANTRY_REACHES(request->view->column_stride, gantry_column, later_fields) || !locates(host, call)) {
    return host->fail(call, GANTRY_INTERNAL, TEXT("the host tells of fields that it does not have"));
  }
  const gantry_claim_item items[] = {
      {.resource = TEXT("gpus"), .amount = 1},
      {.resource = TEXT("nics"), .amount = 2, .later_fields = {0, 0, wish(request->flavor, "item")}},
  };
  gantry_pick pick = {
      .struct_size = sizeof pick,
      .present = GANTRY_PICK_WEIGHT,
      .weight = 1.0,
      .items = items,
      .item_count = 2,
      .item_stride = sizeof items[0],
      .later_fields = {0, wish(request->flavor, "pick")},
  };
  if (wish(request->flavor, "bit")) pick.present |= GANTRY_PICK_LATER;
  const gantry_code picked = host->pick(call, &pick);
  if (picked != GANTRY_OK) return picked;
  const gantry_pick other = {
      .struct_size = sizeof other, .row = 1, .later_fields = {wish(request->flavor, "alternate")}};
  return host->alternate(call, &other);
}

static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  const gantry_host* host = driver->host;
  const gantry_claim_item items[] = {
      {.resource = TEXT("gpus"), .amount = 1},
      {.resource = TEXT("nics"), .amount = 2, .later_fields = {wish(method->method, "claim_item")}},
  };
  const gantry_claim claim = {
      .struct_size = sizeof claim,
      .consumer = TEXT("user-1"),
      .items = items,
      .item_count = 2,
      .item_stride = sizeof items[0],
      .later_fields = {wish(method->method, "claim")},
  };
  const gantry_code claimed = host->claim(call, &claim);
  if (claimed != GANTRY_OK) return claimed;
  const gantry_cast cast = {
      .struct_size = sizeof cast,
      .consumer = claim.consumer,
      .method = TEXT("attach"),
      .args = TEXT("{}"),
      .later_fields = {0, wish(method->method, "cast")},
  };
  const gantry_code sent = host->cast(call, &cast);
  return sent == GANTRY_OK ? host->reply(call, TEXT("{}")) : sent;
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof operations,
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = select_destinations,
    .call_method = call_method,
    .later_function = later_operation,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof info,
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"zoo", 3},
    .version = {"1.0.0", 5},
    .ops = &operations,
    .later_fields = {7, 7},
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  return &info;
}

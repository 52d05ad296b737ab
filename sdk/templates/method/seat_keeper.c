/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver of methods alone, for a service with a topic of its own: take_seats claims seats on the first host that has
 * them and tells its service. Rename it, then change take_seats(). */
#include <gantry/driver.h>
#include <gantry/json.h>
#include <stdlib.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'seat_keeper'\n"
    "version = '0.1.0'\n"
    "description = 'gives out seats'\n"
    "license = 'Apache-2.0'\n"
    "vendor = 'Example'\n"
    "topics = ['seats']\n"
    "threads = 'reentrant'\n"
    "[methods]\n"
    "'seats' = ['take_seats']\n"
    "[columns]\n"
    "needs = ['up', 'disabled', 'stats.seats:i64']\n"
    "[options.most_seats]\n"
    "type = 'integer'\n"
    "default = 8\n"
    "minimum = 1\n"
    "maximum = 1000\n"
    "help = 'the most seats that a call may take'\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

/* One instance. A reload makes a second one with other options while the first one works, and ends the first one then:
 * all that an instance knows is here, and nothing is in static variables. */
struct gantry_driver {
  const gantry_host* host;
  int64_t most_seats;
};

/* Returns the value of an option. The host gives each option of the manifest, with its default if it is not configured. */
static int64_t integer_option(const gantry_options* options, gantry_string name) {
  const char* at = (const char*)options->options;
  for (uint64_t index = 0; index < options->option_count; ++index, at += options->option_stride) {
    const gantry_option* option = (const gantry_option*)at;
    if (option->name.size == name.size && memcmp(option->name.data, name.data, name.size) == 0) return option->integer;
  }
  return 0;
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  gantry_driver* driver = calloc(1, sizeof *driver);
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  driver->host = host;
  driver->most_seats = integer_option(options, TEXT("most_seats"));
  *out = driver;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static int bit(const void* bitmap, uint32_t row) {
  return (int)((((const uint64_t*)bitmap)[row / 64] >> (row % 64)) & 1);
}

/* Claims the seats on the first host that is up, enabled and reports its seats. `*row` is its row. The host of this
 * driver decides whether the claim holds: other calls claim at the same time. */
static gantry_code claim_seats(const gantry_driver* driver, gantry_call* call, const gantry_method_call* method,
                               gantry_string consumer, int64_t wanted, uint32_t* row) {
  const gantry_host* host = driver->host;
  const void* up = host->column(call, method->view, TEXT("up"))->values;
  const void* disabled = host->column(call, method->view, TEXT("disabled"))->values;
  const int64_t* seats = host->column(call, method->view, TEXT("stats.seats"))->values;
  for (*row = 0; *row < method->view->rows; ++*row) {
    if (!bit(up, *row) || bit(disabled, *row) || !bit(method->complete, *row)) continue;
    const gantry_claim_item item = {
        .resource = TEXT("seats"),
        .amount = (double)wanted,
        .limit = (double)seats[*row],
        .present = GANTRY_CLAIM_LIMIT,
    };
    const gantry_claim claim = {
        .struct_size = sizeof claim,
        .row = *row,
        .consumer = consumer,
        .items = &item,
        .item_count = 1,
        .item_stride = sizeof item,
    };
    const gantry_code code = host->claim(call, &claim);
    if (code != GANTRY_CLAIM_LOST) return code;
  }
  return host->fail(call, GANTRY_NO_VALID_HOST, TEXT("no host that is up has the seats"));
}

/* Tells the host's service, and the caller. */
static gantry_code tell(const gantry_driver* driver, gantry_call* call, gantry_string consumer, int64_t wanted,
                        uint32_t row) {
  char memory[512];
  gantry_json_writer args = gantry_json_begin(memory, sizeof memory);
  gantry_json_open(&args, '{');
  gantry_json_key(&args, "consumer");
  gantry_json_write_text(&args, consumer);
  gantry_json_key(&args, "seats");
  gantry_json_write_integer(&args, wanted);
  gantry_json_close(&args, '}');
  const gantry_cast cast = {
      .struct_size = sizeof cast,
      .row = row,
      .consumer = consumer,
      .method = TEXT("seats_taken"),
      .args = gantry_json_end(&args),
  };
  const gantry_code code = driver->host->cast(call, &cast);
  return code != GANTRY_OK ? code : driver->host->reply(call, cast.args);
}

/* take_seats(consumer, seats): claims and tells, all or nothing. */
static gantry_code take_seats(const gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  gantry_string value;
  char consumer[64];
  uint64_t size = 0;
  int64_t wanted = 0;
  uint32_t row = 0;
  if (!gantry_json_member(method->args, "consumer", &value) ||
      !gantry_json_text(value, consumer, sizeof consumer, &size) || size == 0 || size > sizeof consumer) {
    return driver->host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("consumer: expected a text of 1 to 64 bytes"));
  }
  if (!gantry_json_member(method->args, "seats", &value) || !gantry_json_integer(value, &wanted) || wanted < 1 ||
      wanted > driver->most_seats) {
    return driver->host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("seats: expected a number from 1 to most_seats"));
  }
  const gantry_string who = {consumer, size};
  const gantry_code code = claim_seats(driver, call, method, who, wanted, &row);
  return code != GANTRY_OK ? code : tell(driver, call, who, wanted, row);
}

/* The host calls methods of the manifest alone. Here is one. */
static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  return take_seats(driver, call, method);
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .call_method = call_method,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_driver_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"seat_keeper", sizeof("seat_keeper") - 1},
    .version = {"0.1.0", sizeof("0.1.0") - 1},
    .ops = &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_minor; /* a host is later, or reads in the manifest that the driver needs a later one */
  return host_major == GANTRY_ABI_MAJOR ? &info : NULL;
}

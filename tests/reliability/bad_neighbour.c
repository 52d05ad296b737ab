// SPDX-License-Identifier: Apache-2.0
//
// A driver that answers its method `ask`, and on every so many a call does one thing wrong, which an option names.
#define _GNU_SOURCE
#include <gantry/driver.h>
#include <linux/futex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

GANTRY_MANIFEST(
    "id = 'bad_neighbour'\n"
    "version = '1.0.0'\n"
    "description = 'does one thing wrong'\n"
    "topics = ['risky']\n"
    "threads = 'reentrant'\n"
    "[methods]\n"
    "risky = ['ask']\n"
    "[options.fault]\n"
    "type = 'string'\n"
    "default = 'none'\n"
    "choices = ['none', 'crash', 'hang', 'spin', 'eat', 'results', 'messages']\n"
    "help = 'the wrong thing'\n"
    "[options.every]\n"
    "type = 'integer'\n"
    "default = 100\n"
    "minimum = 1\n"
    "help = 'of so many calls one goes wrong'\n");

struct gantry_driver {
  const gantry_host* host;
  char fault[16];
  uint64_t every;
  atomic_uint_fast64_t calls;
  unsigned char* lanes;  // the memory through which the process speaks with the service
};

static gantry_string text(const char* of) {
  gantry_string string = {of, strlen(of)};
  return string;
}

static unsigned char* find_lanes(void) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  unsigned char* found = NULL;
  while (maps != NULL && found == NULL && fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, "gantry-lanes") != NULL) found = (unsigned char*)strtoull(line, NULL, 16);
  }
  if (maps != NULL) fclose(maps);
  return found;
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  gantry_driver* const made = calloc(1, sizeof *made);
  if (made == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, text("no memory"));
  for (uint64_t at = 0; at < options->option_count; ++at) {
    const gantry_option* const option =
        (const gantry_option*)((const char*)options->options + at * options->option_stride);
    if (option->name.size == 5 && memcmp(option->name.data, "every", 5) == 0) made->every = (uint64_t)option->integer;
    if (option->name.size == 5 && memcmp(option->name.data, "fault", 5) == 0)
      memcpy(made->fault, option->string.data, option->string.size);
  }
  made->host = host;
  made->lanes = find_lanes();
  *out = made;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static void eat(void) {
  const size_t bite = (size_t)16 << 20;
  for (;;) {
    char* const memory = malloc(bite);
    if (memory == NULL) abort();
    memset(memory, 1, bite);
  }
}

static gantry_code give_wrong_results(gantry_driver* driver, gantry_call* call) {
  const gantry_claim_item item = {text("disks"), NAN, INFINITY, GANTRY_CLAIM_LIMIT, 0};
  const gantry_claim claim = {.struct_size = sizeof claim,
                              .row = 0xfffffff0u,
                              .consumer = {"\xff\xfe", 2},
                              .items = &item,
                              .item_count = 1,
                              .item_stride = sizeof item};
  driver->host->claim(call, &claim);
  return driver->host->reply(call, text("{\"not\": json"));
}

// As if the message of the call's own lane, in which `argument` lies, were a megabyte of the same byte.
static void send_wrong_messages(const gantry_driver* driver, const void* argument) {
  const size_t bytes = (size_t)1 << 20;
  const size_t bytes_of_lane = (size_t)128 << 20;
  const size_t begin_of_message = 4096 + ((size_t)80 << 20);
  const size_t offset = (size_t)((const unsigned char*)argument - driver->lanes);
  unsigned char* const lane = driver->lanes + offset / bytes_of_lane * bytes_of_lane;
  volatile uint64_t* const head = (volatile uint64_t*)lane;
  memset(lane + begin_of_message, 0xee, bytes);
  head[1] = bytes;
  *(volatile uint32_t*)head = 0;
  syscall(SYS_futex, lane, FUTEX_WAKE, 1, NULL, NULL, 0);
  for (;;) pause();
}

static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  if (atomic_fetch_add(&driver->calls, 1) % driver->every == driver->every - 1) {
    if (strcmp(driver->fault, "crash") == 0) abort();
    if (strcmp(driver->fault, "eat") == 0) eat();
    if (strcmp(driver->fault, "results") == 0) return give_wrong_results(driver, call);
    if (strcmp(driver->fault, "messages") == 0 && driver->lanes != NULL) send_wrong_messages(driver, method);
    if (strcmp(driver->fault, "hang") == 0) {
      for (;;) pause();
    }
    if (strcmp(driver->fault, "spin") == 0) {
      for (;;) atomic_load(&driver->calls);
    }
  }
  return driver->host->reply(call, text("{\"answer\":42}"));
}

static gantry_code place(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  (void)driver;
  (void)call;
  (void)request;
  return GANTRY_NO_VALID_HOST;
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(operations),
    .create = create,
    .destroy = destroy,
    .select_destinations = place,
    .schedule_run_instance = place,
    .call_method = call_method,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"bad_neighbour", 13},
    .version = {"1.0.0", 5},
    .ops = &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  return &info;
}

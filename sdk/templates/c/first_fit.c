/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver in C: the first host that is up and has the memory. Rename it, then change rule_against(). */
#include <gantry/driver.h>
#include <gantry/ext/explain.h>
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
  const gantry_explain* explain; /* NULL: the host keeps no explanations */
  int64_t reserve_mb;
};

static gantry_string text(const char* characters) {
  return (gantry_string){characters, strlen(characters)};
}

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
  driver->explain = host->extension(host, TEXT(GANTRY_EXPLAIN_EXTENSION));
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

/* The hosts that a call chooses from: the columns of its view, and what it asks for. */
struct hosts {
  const gantry_driver* driver;
  gantry_call* call;
  const gantry_request* request;
  const gantry_string* names; /* names[codes[row]] is the row's host */
  const uint32_t* codes;
  const void *up, *disabled; /* bitmaps */
  const int64_t* memory_mb;
  const double* memory_mb_used;
  double wanted_mb;
};

static struct hosts hosts_of(const gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  const gantry_host* host = driver->host;
  const gantry_column* names = host->column(call, request->view, TEXT("host"));
  return (struct hosts){
      .driver = driver,
      .call = call,
      .request = request,
      .names = names->dictionary,
      .codes = names->values,
      .up = host->column(call, request->view, TEXT("up"))->values,
      .disabled = host->column(call, request->view, TEXT("disabled"))->values,
      .memory_mb = host->column(call, request->view, TEXT("memory_mb"))->values,
      .memory_mb_used = host->column(call, request->view, TEXT("memory_mb_used"))->values,
      .wanted_mb = (request->present & GANTRY_REQUEST_MEMORY_MB) != 0 ? (double)request->memory_mb : 0,
  };
}

/* The memory that instances may use in all. A claim is held against it. */
static double limit_mb(const struct hosts* hosts, uint32_t row) {
  return (double)(hosts->memory_mb[row] - hosts->driver->reserve_mb);
}

/* The rules, in the order in which a row is judged, and why a row does not pass. */
enum { PLACEMENT, UP, COMPLETE, IGNORE_HOSTS, MEMORY_MB, RULES };
static const char* const rules[RULES][2] = {
    {"placement", "not among placement's candidates"},
    {"up", "the service is down or disabled"},
    {"complete", "never reported a value that the driver needs"},
    {"ignore_hosts", "named in the request's ignore_hosts"},
    {"memory_mb", "they have too little memory left"},
};

/* Returns the rule that the row does not pass; RULES: the row fits. */
static int rule_against(const struct hosts* hosts, uint32_t row) {
  const gantry_request* request = hosts->request;
  if (request->eligible != NULL && !bit(request->eligible, row)) return PLACEMENT;
  if (!bit(hosts->up, row) || bit(hosts->disabled, row)) return UP;
  if (!bit(request->complete, row)) return COMPLETE;
  for (uint64_t index = 0; index < request->ignore_hosts.count; ++index) {
    if (is_same(request->ignore_hosts.items[index], hosts->names[hosts->codes[row]])) return IGNORE_HOSTS;
  }
  return hosts->memory_mb_used[row] + hosts->wanted_mb <= limit_mb(hosts, row) ? RULES : MEMORY_MB;
}

/* Tells of one host, for `gantry select --explain`. */
static void explain_host(const struct hosts* hosts, uint32_t row, int rule) {
  const gantry_explain* table = hosts->driver->explain;
  if (table == NULL || hosts->request->explain_hosts == GANTRY_EXPLAIN_NONE) return;
  const gantry_verdict against = {.name = rule == RULES ? TEXT("") : text(rules[rule][0]),
                                  .reason = rule == RULES ? TEXT("") : text(rules[rule][1])};
  const gantry_host_explanation told = {
      .struct_size = sizeof told,
      .row = row,
      .verdicts = &against,
      .verdict_count = rule == RULES ? 0 : 1,
      .verdict_stride = sizeof against,
  };
  table->explain_host(hosts->call, &told);
}

/* Tells how many hosts each rule leaves, until none is left. */
static void explain(const struct hosts* hosts) {
  uint64_t left = hosts->request->view->rows;
  uint64_t removed[RULES + 1] = {0};
  for (uint32_t row = 0; row < hosts->request->view->rows; ++row) {
    const int rule = rule_against(hosts, row);
    ++removed[rule];
    explain_host(hosts, row, rule);
  }
  for (int rule = hosts->request->eligible == NULL ? UP : PLACEMENT; rule < RULES && left != 0; ++rule) {
    const gantry_step step = {
        .struct_size = sizeof step,
        .instance = UINT32_MAX, /* the whole request */
        .name = text(rules[rule][0]),
        .hosts_in = left,
        .hosts_out = left - removed[rule],
        .reason = removed[rule] == 0 ? TEXT("") : text(rules[rule][1]),
    };
    hosts->driver->host->explain(hosts->call, &step);
    left -= removed[rule];
  }
}

/* Places one instance on the first row that fits; a claim that is lost moves on to the next one. */
static gantry_code place(const struct hosts* hosts, uint32_t instance) {
  for (uint32_t row = 0; row < hosts->request->view->rows; ++row) {
    if (rule_against(hosts, row) != RULES) continue;
    const gantry_pick pick = {
        .struct_size = sizeof pick,
        .instance = instance,
        .row = row,
        .present = GANTRY_LIMIT_MEMORY_MB,
        .limits = {.memory_mb = limit_mb(hosts, row)},
    };
    const gantry_code code = hosts->driver->host->pick(hosts->call, &pick);
    if (code != GANTRY_CLAIM_LOST) return code;
  }
  return GANTRY_NO_VALID_HOST;
}

static const char no_host[] = "no host that is up has the memory";

/* All instances or none. */
static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  const struct hosts hosts = hosts_of(driver, call, request);
  explain(&hosts);
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    const gantry_code code = place(&hosts, instance);
    if (code == GANTRY_NO_VALID_HOST) return driver->host->fail(call, code, text(no_host));
    if (code != GANTRY_OK) return code;
  }
  return GANTRY_OK;
}

/* Each instance on its own. */
static gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  const struct hosts hosts = hosts_of(driver, call, request);
  explain(&hosts);
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    gantry_code code = place(&hosts, instance);
    if (code == GANTRY_NO_VALID_HOST) code = driver->host->refuse(call, instance, text(no_host));
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
  (void)host_minor; /* a host is later, or reads in the manifest that the driver needs a later one */
  return host_major == GANTRY_ABI_MAJOR ? &info : NULL;
}

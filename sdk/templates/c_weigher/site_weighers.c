/* SPDX-License-Identifier: Apache-2.0
 *
 * A site's own weigher for the driver filter: prefers hosts that run cool.
 * Rename it, then change weigh(). */
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>
#include <stdlib.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'site_weighers'\n"
    "version = '0.1.0'\n"
    "description = 'prefers hosts that run cool'\n"
    "license = 'Apache-2.0'\n"
    "vendor = 'Example'\n"
    "[offers.CoolWeigher]\n"
    "kind = 'gantry.weigher/1'\n"
    "help = 'prefers hosts with cool air at their inlet'\n"
    "threads = 'reentrant'\n"
    "columns.needs = ['stats.inlet_celsius:f64']\n"
    "[offers.CoolWeigher.options.cool_weight_multiplier]\n"
    "type = 'real'\n"
    "default = 1.0\n"
    "help = 'what the score counts; negative prefers the hottest'\n"
    "[offers.CoolWeigher.options.unminded_celsius]\n"
    "type = 'real'\n"
    "default = 18.0\n"
    "minimum = -50.0\n"
    "maximum = 100.0\n"
    "help = 'hosts below this temperature are alike'\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

/* One instance. A reload makes a second one with other options while the first
 * one works, and ends the first one then: all that an instance knows is here,
 * and nothing is in static variables. */
struct gantry_offered {
  const gantry_host* host;
  double unminded_celsius;
};

/* Returns the value of an option. The host gives each option of the manifest,
 * with its default if it is not configured. */
static double real_option(const gantry_options* options, gantry_string name) {
  const char* at = (const char*)options->options;
  for (uint64_t index = 0; index < options->option_count; ++index, at += options->option_stride) {
    const gantry_option* option = (const gantry_option*)at;
    if (option->name.size == name.size && memcmp(option->name.data, name.data, name.size) == 0) return option->real;
  }
  return 0;
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_offered** out) {
  gantry_offered* weigher = calloc(1, sizeof *weigher);
  if (weigher == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  weigher->host = host;
  weigher->unminded_celsius = real_option(options, TEXT("unminded_celsius"));
  *out = weigher;
  return GANTRY_OK;
}

static void destroy(gantry_offered* weigher) {
  free(weigher);
}

/* Scores the rows of the run, a higher score for a better host. The driver asks
 * for no row without a value in a column of the manifest's needs, and brings
 * the scores of one decision to 0 to 1: they have any scale. */
static gantry_code weigh(gantry_offered* weigher, gantry_call* call, gantry_weigher_run* run) {
  const double* celsius = weigher->host->column(call, run->view, TEXT("stats.inlet_celsius"))->values;
  for (uint32_t row = 0; row < run->view->rows; ++row) {
    if ((run->rows[row / 64] >> (row % 64) & 1) == 0) continue;
    run->raw[row] = celsius[row] > weigher->unminded_celsius ? -celsius[row] : -weigher->unminded_celsius;
  }
  return GANTRY_OK;
}

static const gantry_weigher_ops cool_weigher = {
    .struct_size = sizeof(gantry_weigher_ops),
    .create = create,
    .destroy = destroy,
    .weigh = weigh,
    .multiplier_name = {"cool_weight_multiplier", sizeof("cool_weight_multiplier") - 1},
    .multiplier = 1.0,
};

static const gantry_offer offers[] = {
    {{GANTRY_WEIGHER_KIND, sizeof(GANTRY_WEIGHER_KIND) - 1}, {"CoolWeigher", sizeof("CoolWeigher") - 1}, &cool_weigher},
};

static const gantry_offers_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_offers_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"site_weighers", sizeof("site_weighers") - 1},
    .version = {"0.1.0", sizeof("0.1.0") - 1},
    .offers = offers,
    .offer_count = sizeof offers / sizeof offers[0],
    .offer_stride = sizeof offers[0],
};

const gantry_offers_info* gantry_offers_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_minor; /* a host is later, or reads in the manifest that the
                       library needs a later one */
  return host_major == GANTRY_ABI_MAJOR ? &info : NULL;
}

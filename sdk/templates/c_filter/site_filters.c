/* SPDX-License-Identifier: Apache-2.0
 *
 * A site's own filter for the driver filter: keeps hosts with cool air at their
 * inlet. Rename it, then change keep(). */
#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <stdlib.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'site_filters'\n"
    "version = '0.1.0'\n"
    "description = 'keeps to hosts that run cool'\n"
    "license = 'Apache-2.0'\n"
    "vendor = 'Example'\n"
    "[offers.CoolFilter]\n"
    "kind = 'gantry.filter/1'\n"
    "help = 'keeps hosts with cool air at their inlet'\n"
    "threads = 'reentrant'\n"
    "columns.needs = ['stats.inlet_celsius:f64']\n"
    "[offers.CoolFilter.options.most_celsius]\n"
    "type = 'real'\n"
    "default = 35.0\n"
    "minimum = -50.0\n"
    "maximum = 100.0\n"
    "help = 'the warmest air that is allowed'\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

/* One instance. A reload makes a second one with other options while the first
 * one works, and ends the first one then: all that an instance knows is here,
 * and nothing is in static variables. */
struct gantry_offered {
  const gantry_host* host;
  double most_celsius;
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
  gantry_offered* filter = calloc(1, sizeof *filter);
  if (filter == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  filter->host = host;
  filter->most_celsius = real_option(options, TEXT("most_celsius"));
  *out = filter;
  return GANTRY_OK;
}

static void destroy(gantry_offered* filter) {
  free(filter);
}

/* The temperatures of all rows. The driver asks for no row without a value in a
 * column of the manifest's needs. */
static const double* inlet_celsius(const gantry_offered* filter, gantry_call* call, const gantry_filter_run* run) {
  return filter->host->column(call, run->view, TEXT("stats.inlet_celsius"))->values;
}

/* Clears the rows that do not pass. The verdict on a row depends on the request
 * and the view alone. */
static gantry_code keep(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run) {
  const double* celsius = inlet_celsius(filter, call, run);
  for (uint32_t row = 0; row < run->view->rows; ++row) {
    const uint64_t bit = UINT64_C(1) << (row % 64);
    if ((run->rows[row / 64] & bit) != 0 && celsius[row] > filter->most_celsius) run->rows[row / 64] &= ~bit;
  }
  return GANTRY_OK;
}

/* Says why rows did not pass, for those who ask why a request found no host. */
static gantry_code reason(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run,
                          const uint64_t* removed, gantry_filter_reason* out) {
  (void)filter, (void)call, (void)run, (void)removed;
  if (out->struct_size > sizeof *out) out->struct_size = sizeof *out; /* a later host has more fields */
  out->text = TEXT("the air at their inlet is too warm");
  return GANTRY_OK;
}

static const gantry_filter_ops cool_filter = {
    .struct_size = sizeof(gantry_filter_ops),
    .create = create,
    .destroy = destroy,
    .keep = keep,
    .reason = reason,
};

static const gantry_offer offers[] = {
    {{GANTRY_FILTER_KIND, sizeof(GANTRY_FILTER_KIND) - 1}, {"CoolFilter", sizeof("CoolFilter") - 1}, &cool_filter},
};

static const gantry_offers_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_offers_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"site_filters", sizeof("site_filters") - 1},
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

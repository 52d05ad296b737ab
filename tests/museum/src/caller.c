/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver that calls the filters and weighers of libraries itself: it picks the rows that pass all filters, the one of
 * the highest sum of scores first. */
#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>

#include "museum.h"

GANTRY_MANIFEST(MUSEUM_MANIFEST("caller") "topics = ['compute']\n[columns]\nneeds = ['host', 'up', 'disabled']\n");

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)options;
  return make_driver(host, call, out);
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

static void* memory_for(const gantry_driver* driver, uint64_t count, uint64_t size) {
  void* const memory = driver->host->scratch(driver->call, (count + 64) * size, 64);
  if (memory != NULL) __builtin_memset(memory, 0, (count + 64) * size);
  return memory;
}

/* Leaves out the rows that lack a value in a column that the offer needs. */
static void keep_complete(const gantry_driver* driver, const gantry_view* view, gantry_strings needs, uint64_t* rows) {
  for (uint64_t need = 0; need < needs.count; ++need) {
    const gantry_column* const column = driver->host->column(driver->call, view, needs.items[need]);
    if (column == NULL || column->validity == NULL) continue;
    for (uint32_t word = 0; word < (view->rows + 63) / 64; ++word) rows[word] &= column->validity[word];
  }
}

static gantry_code filter(const gantry_driver* driver, const gantry_request* request, const gantry_offer_loaded* offer,
                          uint64_t* rows) {
  const gantry_filter_ops* const ops = offer->table;
  const gantry_view* const view = request->view;
  const uint64_t words = (view->rows + 63) / 64;
  uint64_t* const removed = memory_for(driver, words, sizeof *removed);
  if (removed == NULL) return GANTRY_RESOURCE_EXHAUSTED;
  keep_complete(driver, view, offer->needs, rows);
  __builtin_memcpy(removed, rows, words * sizeof *rows);
  const gantry_filter_run run = {
      .struct_size = sizeof run, .instance = UINT32_MAX, .request = request, .view = view, .rows = rows};
  gantry_code code = ops->keep(offer->instance, driver->call, &run);
  if (code != GANTRY_OK) return code;
  unsigned long kept = 0;
  for (uint64_t word = 0; word < words; ++word) removed[word] &= ~rows[word];
  for (uint32_t row = 0; row < view->rows; ++row) kept += (unsigned long)bit(rows, row);
  gantry_filter_reason reason = {.struct_size = sizeof reason};
  if (ops->reason != NULL && ops->reason(offer->instance, driver->call, &run, removed, &reason) == GANTRY_OK)
    say(driver, "%.*s keeps %lu: %.*s %.*s %.17g %.17g", SHOWN(offer->name), kept, SHOWN(reason.text),
        SHOWN(reason.resource), reason.need, reason.best);
  for (uint32_t row = 0; row < view->rows && ops->limits != NULL; ++row) {
    gantry_filter_limits limits = {.struct_size = sizeof limits};
    if (!bit(rows, row) || ops->limits(offer->instance, driver->call, &run, row, &limits) != GANTRY_OK) continue;
    say(driver, "%.*s limits row %lu: %lu %.17g %.17g %.17g %.*s", SHOWN(offer->name), (unsigned long)row,
        (unsigned long)limits.present, limits.limits.vcpu, limits.limits.memory_mb, limits.limits.disk_gb,
        SHOWN(limits.limits.other));
    break;
  }
  return GANTRY_OK;
}

static gantry_code weigh(const gantry_driver* driver, const gantry_request* request, const gantry_offer_loaded* offer,
                         const uint64_t* rows, double* sums) {
  const gantry_weigher_ops* const ops = offer->table;
  const gantry_view* const view = request->view;
  double* const raw = memory_for(driver, view->rows, sizeof *raw);
  uint64_t* const scored = memory_for(driver, view->rows / 64 + 1, sizeof *scored);
  uint64_t* const present = memory_for(driver, view->rows / 64 + 1, sizeof *present);
  if (raw == NULL || scored == NULL || present == NULL) return GANTRY_RESOURCE_EXHAUSTED;
  __builtin_memcpy(scored, rows, (view->rows + 63) / 64 * sizeof *scored);
  keep_complete(driver, view, offer->needs, scored);
  __builtin_memcpy(present, scored, (view->rows + 63) / 64 * sizeof *present);
  gantry_weigher_run run = {.struct_size = sizeof run,
                            .instance = UINT32_MAX,
                            .request = request,
                            .view = view,
                            .rows = scored,
                            .raw = raw,
                            .present = present};
  const gantry_code code = ops->weigh(offer->instance, driver->call, &run);
  if (code != GANTRY_OK) return code;
  say(driver, "%.*s, multiplier %.*s %.17g, bounds %lu %.17g %.17g", SHOWN(offer->name), SHOWN(ops->multiplier_name),
      ops->multiplier, (unsigned long)run.bounds, run.minval, run.maxval);
  for (uint32_t row = 0; row < view->rows; ++row)
    if (bit(scored, row) && bit(present, row)) sums[row] += raw[row] * ops->multiplier;
  return GANTRY_OK;
}

static gantry_code pick_best(const gantry_driver* driver, const gantry_request* request, uint32_t instance,
                             uint64_t* rows, const double* sums) {
  for (;;) {
    uint32_t best = UINT32_MAX;
    for (uint32_t row = 0; row < request->view->rows; ++row)
      if (bit(rows, row) && (best == UINT32_MAX || sums[row] > sums[best])) best = row;
    if (best == UINT32_MAX) return GANTRY_NO_VALID_HOST;
    rows[best / 64] &= ~(UINT64_C(1) << (best % 64));
    const gantry_pick pick = {.struct_size = sizeof pick,
                              .instance = instance,
                              .row = best,
                              .present = GANTRY_PICK_WEIGHT,
                              .weight = sums[best]};
    const gantry_code code = driver->host->pick(driver->call, &pick);
    if (code != GANTRY_CLAIM_LOST) return code;
  }
}

static gantry_code decide(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  driver->call = call;
  const gantry_host* const host = driver->host;
  const gantry_offers* const offers = host->extension(host, TEXT(GANTRY_OFFERS_EXTENSION));
  if (offers == NULL) return host->fail(call, GANTRY_UNSUPPORTED, TEXT("the host has no gantry.offers/1"));
  uint64_t* const rows = memory_for(driver, request->view->rows / 64 + 1, sizeof *rows);
  double* const sums = memory_for(driver, request->view->rows, sizeof *sums);
  if (rows == NULL || sums == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  for (uint32_t word = 0; word < (request->view->rows + 63) / 64; ++word)
    rows[word] = request->complete[word] & (request->eligible == NULL ? UINT64_MAX : request->eligible[word]);
  const char* at = (const char*)offers->offers;
  for (uint32_t index = 0; index < offers->offer_count; ++index, at += offers->offer_stride) {
    const gantry_offer_loaded* const offer = (const gantry_offer_loaded*)at;
    say(driver, "offer %.*s %.*s of %.*s %.*s: %.*s, %lu options, needs %lu", SHOWN(offer->kind), SHOWN(offer->name),
        SHOWN(offer->library), SHOWN(offer->version), SHOWN(offer->help), (unsigned long)offer->options->option_count,
        (unsigned long)offer->needs.count);
    gantry_code code = GANTRY_OK;
    if (is_same(offer->kind, TEXT(GANTRY_FILTER_KIND))) code = filter(driver, request, offer, rows);
    if (is_same(offer->kind, TEXT(GANTRY_WEIGHER_KIND))) code = weigh(driver, request, offer, rows, sums);
    if (code != GANTRY_OK) return code;
  }
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    const gantry_code code = pick_best(driver, request, instance, rows, sums);
    if (code == GANTRY_NO_VALID_HOST) return host->fail(call, code, TEXT("no host passes the filters"));
    if (code != GANTRY_OK) return code;
  }
  return GANTRY_OK;
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = decide,
    .schedule_run_instance = decide,
};

MUSEUM_ENTRY("caller")

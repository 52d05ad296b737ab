/* SPDX-License-Identifier: Apache-2.0
 *
 * Drivers that each use one extension by its id: -DMUSEUM_COUNTS (gantry.capacity/1), -DMUSEUM_CHANGES
 * (gantry.changes/1), -DMUSEUM_EXPLAINS (gantry.explain/1) or -DMUSEUM_CHOOSES (gantry.candidates/1). */
#include <gantry/ext/candidates.h>
#include <gantry/ext/capacity.h>
#include <gantry/ext/changes.h>
#include <gantry/ext/explain.h>

#include "museum.h"

#if defined MUSEUM_COUNTS
#define NAME "counts"
#elif defined MUSEUM_CHANGES
#define NAME "changes"
#elif defined MUSEUM_EXPLAINS
#define NAME "explains"
#elif defined MUSEUM_CHOOSES
#define NAME "chooses"
#endif

GANTRY_MANIFEST(MUSEUM_MANIFEST(
    NAME) "topics = ['compute']\n"
          "[columns]\nneeds = ['up', 'disabled', 'vcpus', 'vcpus_used', 'host']\n");

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)options;
  return make_driver(host, call, out);
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

#if defined MUSEUM_COUNTS

static gantry_code count(gantry_driver* driver, gantry_call* call, const gantry_request* request, uint64_t* counts) {
  driver->call = call;
  const gantry_view* const view = request->view;
  if ((request->present & GANTRY_REQUEST_VCPUS) == 0)
    return driver->host->fail(call, GANTRY_UNSUPPORTED, TEXT("the request has no vcpus"));
  const int64_t* const vcpus = driver->host->column(call, view, TEXT("vcpus"))->values;
  const double* const used = driver->host->column(call, view, TEXT("vcpus_used"))->values;
  for (uint32_t row = 0; row < view->rows; ++row) {
    if (!bit(request->complete, row)) continue;
    const double room = (double)vcpus[row] - used[row];
    counts[row] = request->vcpus == 0 ? GANTRY_CAPACITY_UNBOUNDED
                  : room < 0          ? 0
                                      : (uint64_t)(room / (double)request->vcpus);
  }
  return GANTRY_OK;
}

static const void* extension(gantry_driver* driver, gantry_string id) {
  static const gantry_capacity capacity = {.struct_size = sizeof capacity, .count = count};
  (void)driver;
  return is_same(id, TEXT(GANTRY_CAPACITY_EXTENSION)) ? &capacity : NULL;
}

static gantry_code use_extension(gantry_driver* driver, const gantry_request* request) {
  (void)driver;
  (void)request;
  return GANTRY_OK;
}

#elif defined MUSEUM_CHANGES

static gantry_code use_extension(gantry_driver* driver, const gantry_request* request) {
  const gantry_host* const host = driver->host;
  const gantry_changes* const changes = host->extension(host, TEXT(GANTRY_CHANGES_EXTENSION));
  if (changes == NULL) return host->fail(driver->call, GANTRY_UNSUPPORTED, TEXT("the host has no gantry.changes/1"));
  uint32_t rows[256];
  uint64_t count = 0;
  const gantry_view* const view = request->view;
  gantry_code code = changes->rows(driver->call, view, view->generation, 0, rows, 256, &count);
  say(driver, "since this generation: %ld, %lu rows", (long)code, (unsigned long)count);
  code = changes->rows(driver->call, view, view->generation, GANTRY_CHANGES_BUT_TIMES, rows, 256, &count);
  say(driver, "but times: %ld, %lu rows", (long)code, (unsigned long)count);
  const gantry_view* const derived = host->derive(driver->call, view);
  if (derived == NULL) return GANTRY_RESOURCE_EXHAUSTED;
  code = changes->rows(driver->call, derived, 0, 0, rows, 256, &count);
  say(driver, "of a derived view: %ld", (long)code);
  return GANTRY_OK;
}

#elif defined MUSEUM_EXPLAINS

static gantry_code use_extension(gantry_driver* driver, const gantry_request* request) {
  const gantry_host* const host = driver->host;
  const gantry_explain* const explain = host->extension(host, TEXT(GANTRY_EXPLAIN_EXTENSION));
  if (explain == NULL) return host->fail(driver->call, GANTRY_UNSUPPORTED, TEXT("the host has no gantry.explain/1"));
  if (request->explain_hosts == GANTRY_EXPLAIN_NONE) return GANTRY_OK;
  const gantry_column* const up = host->column(driver->call, request->view, TEXT("up"));
  for (uint32_t row = 0; row < request->view->rows && row < 9; ++row) {
    const int passed = bit(up->values, row);
    const gantry_verdict verdicts[] = {
        {.name = TEXT("IsUp"), .reason = passed ? TEXT("") : TEXT("down"), .passed = (uint32_t)passed},
        {.name = TEXT("Any"), .passed = 1}};
    const gantry_term term = {TEXT("Order"), row, row / 8.0, 2.5};
    const gantry_host_explanation explanation = {
        .struct_size = sizeof explanation,
        .row = row,
        .present = passed ? GANTRY_EXPLANATION_WEIGHT | GANTRY_EXPLANATION_RANK : 0,
        .verdicts = verdicts,
        .verdict_count = 2,
        .verdict_stride = sizeof *verdicts,
        .terms = &term,
        .term_count = passed ? 1 : 0,
        .term_stride = sizeof term,
        .weight = passed ? 2.5 * row / 8.0 : 0,
        .rank = passed ? row : 0};
    const gantry_code code = explain->explain_host(driver->call, &explanation);
    say(driver, "explain_host of row %lu gives %ld", (unsigned long)row, (long)code);
  }
  return GANTRY_OK;
}

#elif defined MUSEUM_CHOOSES

static void tell(const gantry_driver* driver, const gantry_candidates* found, uint32_t rows) {
  say(driver, "candidates of %lu groups, size %s, %lu providers, %lu sets, %lu choices",
      (unsigned long)found->group_count, found->struct_size >= sizeof *found ? "holds all" : "too small",
      (unsigned long)found->provider_count, (unsigned long)found->set_count, (unsigned long)found->choice_count);
  for (uint32_t group = 0; group < found->group_count; ++group)
    say(driver, "group '%.*s'", SHOWN(found->groups[group]));
  for (uint64_t provider = 0; provider < found->provider_count; ++provider)
    say(driver, "provider '%.*s' has room for %lu", SHOWN(found->providers[provider]),
        (unsigned long)found->rooms[provider]);
  for (uint32_t row = 0; row < rows; ++row) {
    const gantry_slice sets = found->rows[row];
    for (uint32_t set = sets.begin; set < sets.begin + sets.count; ++set) {
      for (uint32_t group = 0; group < found->group_count; ++group) {
        const gantry_slice choices = found->sets[(uint64_t)set * found->group_count + group];
        for (uint32_t at = choices.begin; at < choices.begin + choices.count; ++at)
          say(driver, "row %lu, group %lu: provider %lu", (unsigned long)row, (unsigned long)group,
              (unsigned long)found->choices[at]);
      }
    }
  }
}

static gantry_code use_extension(gantry_driver* driver, const gantry_request* request) {
  const gantry_host* const host = driver->host;
  const gantry_candidate_services* const services = host->extension(host, TEXT(GANTRY_CANDIDATES_EXTENSION));
  if (services == NULL)
    return host->fail(driver->call, GANTRY_UNSUPPORTED, TEXT("the host has no gantry.candidates/1"));
  const gantry_candidates* const found = services->of(driver->call);
  if (found == NULL) {
    say(driver, "no candidates");
    return GANTRY_OK;
  }
  tell(driver, found, request->view->rows);
  for (uint32_t row = 0; row < request->view->rows; ++row) {
    if (found->rows[row].count == 0 || found->group_count > 8) continue;
    uint32_t chosen[8] = {0};
    const uint64_t last = found->rows[row].begin + found->rows[row].count - 1;
    for (uint32_t group = 0; group < found->group_count; ++group) {
      const gantry_slice choices = found->sets[last * found->group_count + group];
      chosen[group] = found->choices[choices.begin + choices.count - 1];
    }
    say(driver, "choose for row %lu gives %ld", (unsigned long)row,
        (long)services->choose(driver->call, 0, row, chosen, found->group_count));
    break;
  }
  return GANTRY_OK;
}

#endif

static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  driver->call = call;
  const gantry_code code = use_extension(driver, request);
  return code != GANTRY_OK ? code : place_instances(driver, request, 0);
}

static gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  driver->call = call;
  return place_instances(driver, request, 1);
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = schedule_run_instance,
#ifdef MUSEUM_COUNTS
    .extension = extension,
#endif
};

MUSEUM_ENTRY(NAME)

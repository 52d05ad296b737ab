// SPDX-License-Identifier: Apache-2.0
//
// A library of one filter and one weigher, and a user of each extension: from their exported functions abidiff reaches
// every type of ext/*.h.
#include <gantry/ext/ask.h>
#include <gantry/ext/candidates.h>
#include <gantry/ext/capacity.h>
#include <gantry/ext/changes.h>
#include <gantry/ext/explain.h>
#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>

GANTRY_MANIFEST(
    "id = 'reference'\n"
    "version = '1.0.0'\n"
    "description = 'Nothing but the types of the extensions'\n"
    "[offers.Keep]\n"
    "kind = 'gantry.filter/1'\n"
    "help = 'keeps each row'\n"
    "threads = 'reentrant'\n"
    "[offers.Weigh]\n"
    "kind = 'gantry.weigher/1'\n"
    "help = 'weighs each row alike'\n"
    "threads = 'reentrant'\n");

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_offered** out) {
  (void)host;
  (void)call;
  (void)options;
  *out = NULL;
  return GANTRY_OK;
}

static void destroy(gantry_offered* offered) {
  (void)offered;
}

static gantry_code keep(gantry_offered* filter, gantry_call* call, const gantry_filter_run* run) {
  (void)filter;
  (void)call;
  (void)run;
  return GANTRY_OK;
}

static gantry_code weigh(gantry_offered* weigher, gantry_call* call, gantry_weigher_run* run) {
  (void)weigher;
  (void)call;
  (void)run;
  return GANTRY_OK;
}

GANTRY_EXPORT const gantry_filter_ops reference_filter = {
    .struct_size = sizeof(gantry_filter_ops),
    .create = create,
    .destroy = destroy,
    .keep = keep,
};

GANTRY_EXPORT const gantry_weigher_ops reference_weigher = {
    .struct_size = sizeof(gantry_weigher_ops),
    .create = create,
    .destroy = destroy,
    .weigh = weigh,
    .multiplier = 1.0,
};

static const gantry_offer offers[] = {
    {{GANTRY_FILTER_KIND, sizeof GANTRY_FILTER_KIND - 1}, {"Keep", 4}, &reference_filter},
    {{GANTRY_WEIGHER_KIND, sizeof GANTRY_WEIGHER_KIND - 1}, {"Weigh", 5}, &reference_weigher},
};

static const gantry_offers_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_offers_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"reference", 9},
    .version = {"1.0.0", 5},
    .offers = offers,
    .offer_count = 2,
    .offer_stride = sizeof(gantry_offer),
};

const gantry_offers_info* gantry_offers_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  return &info;
}

// ---- what a driver is given, and what it gives
GANTRY_EXPORT uint32_t reference_user_of_offers(const gantry_offers* found, const gantry_offer_ops* first,
                                                const gantry_offer_loaded* loaded) {
  return found->offer_count + first->flags + (loaded->instance != NULL);
}

GANTRY_EXPORT gantry_code reference_user_of_changes(const gantry_changes* changes, gantry_call* call,
                                                    const gantry_view* view, uint32_t* rows, uint64_t* count) {
  return changes->rows(call, view, view->generation, GANTRY_CHANGES_BUT_TIMES, rows, view->rows, count);
}

GANTRY_EXPORT gantry_code reference_user_of_explain(const gantry_explain* explain, gantry_call* call,
                                                    const gantry_host_explanation* explanation) {
  return explain->explain_host(call, explanation);
}

GANTRY_EXPORT gantry_code reference_user_of_candidates(const gantry_candidate_services* services, gantry_call* call) {
  const gantry_candidates* candidates = services->of(call);
  return services->choose(call, 0, 0, candidates->choices, candidates->group_count);
}

GANTRY_EXPORT gantry_code reference_user_of_capacity(const gantry_capacity* capacity, gantry_driver* driver,
                                                     gantry_call* call, const gantry_request* request,
                                                     uint64_t* counts) {
  return capacity->count(driver, call, request, counts);
}

GANTRY_EXPORT gantry_code reference_user_of_ask(const gantry_ask_services* services, gantry_call* call,
                                                gantry_string name, gantry_string json, gantry_answer* out) {
  return services->ask(call, name, json, out);
}

// SPDX-License-Identifier: Apache-2.0
//
// The same as 1_0.c for the extensions: ext/changes.h, ext/candidates.h, ext/explain.h, ext/capacity.h and, for what
// libraries offer to drivers, ext/offers.h, ext/filter.h and ext/weigher.h.
#include <gantry/ext/candidates.h>
#include <gantry/ext/capacity.h>
#include <gantry/ext/changes.h>
#include <gantry/ext/explain.h>
#include <gantry/ext/filter.h>
#include <gantry/ext/offers.h>
#include <gantry/ext/weigher.h>

// ---- constants
FROZEN(__builtin_strcmp(GANTRY_OFFERS_EXTENSION, "gantry.offers/1") == 0);
FROZEN(__builtin_strcmp(GANTRY_FILTER_KIND, "gantry.filter/1") == 0);
FROZEN(__builtin_strcmp(GANTRY_WEIGHER_KIND, "gantry.weigher/1") == 0);

FROZEN(GANTRY_FILTER_ONCE_PER_REQUEST == 1);
FROZEN(GANTRY_FILTER_ON_REBUILD == 2);
FROZEN(GANTRY_RUN_REBUILD == 1);
FROZEN(GANTRY_REASON_NEED == 1);
FROZEN(GANTRY_REASON_BEST == 2);
FROZEN(GANTRY_WEIGHER_MINVAL == 1);
FROZEN(GANTRY_WEIGHER_MAXVAL == 2);

// ---- gantry_candidates
GREW(gantry_candidates, 80);
FIELD(gantry_candidates, struct_size, 0, uint32_t);
FIELD(gantry_candidates, group_count, 4, uint32_t);
FIELD(gantry_candidates, groups, 8, const gantry_string*);
FIELD(gantry_candidates, providers, 16, const gantry_string*);
FIELD(gantry_candidates, rooms, 24, const uint32_t*);
FIELD(gantry_candidates, provider_count, 32, uint64_t);
FIELD(gantry_candidates, rows, 40, const gantry_slice*);
FIELD(gantry_candidates, sets, 48, const gantry_slice*);
FIELD(gantry_candidates, set_count, 56, uint64_t);
FIELD(gantry_candidates, choices, 64, const uint32_t*);
FIELD(gantry_candidates, choice_count, 72, uint64_t);

// ---- gantry_candidate_services
FROZEN(__builtin_strcmp(GANTRY_CANDIDATES_EXTENSION, "gantry.candidates/1") == 0);
GREW(gantry_candidate_services, 24);
FIELD(gantry_candidate_services, struct_size, 0, uint32_t);
FIELD(gantry_candidate_services, reserved0, 4, uint32_t);
FIELD(gantry_candidate_services, of, 8, const gantry_candidates* (*)(gantry_call*));
FIELD(gantry_candidate_services, choose, 16,
      gantry_code (*)(gantry_call*, uint32_t, uint32_t, const uint32_t*, uint32_t));

// ---- gantry_verdict
GREW(gantry_verdict, 40);
FIELD(gantry_verdict, name, 0, gantry_string);
FIELD(gantry_verdict, reason, 16, gantry_string);
FIELD(gantry_verdict, passed, 32, uint32_t);
FIELD(gantry_verdict, reserved0, 36, uint32_t);

// ---- gantry_term
GREW(gantry_term, 40);
FIELD(gantry_term, name, 0, gantry_string);
FIELD(gantry_term, raw, 16, double);
FIELD(gantry_term, normalized, 24, double);
FIELD(gantry_term, multiplier, 32, double);

// ---- gantry_host_explanation
GREW(gantry_host_explanation, 64);
FIELD(gantry_host_explanation, struct_size, 0, uint32_t);
FIELD(gantry_host_explanation, instance, 4, uint32_t);
FIELD(gantry_host_explanation, row, 8, uint32_t);
FIELD(gantry_host_explanation, present, 12, uint32_t);
FIELD(gantry_host_explanation, verdicts, 16, const gantry_verdict*);
FIELD(gantry_host_explanation, verdict_count, 24, uint32_t);
FIELD(gantry_host_explanation, verdict_stride, 28, uint32_t);
FIELD(gantry_host_explanation, terms, 32, const gantry_term*);
FIELD(gantry_host_explanation, term_count, 40, uint32_t);
FIELD(gantry_host_explanation, term_stride, 44, uint32_t);
FIELD(gantry_host_explanation, weight, 48, double);
FIELD(gantry_host_explanation, rank, 56, uint64_t);

// ---- gantry_explain
FROZEN(__builtin_strcmp(GANTRY_EXPLAIN_EXTENSION, "gantry.explain/1") == 0);
FROZEN(GANTRY_EXPLANATION_WEIGHT == 1);
FROZEN(GANTRY_EXPLANATION_RANK == 2);
GREW(gantry_explain, 16);
FIELD(gantry_explain, struct_size, 0, uint32_t);
FIELD(gantry_explain, reserved0, 4, uint32_t);
FIELD(gantry_explain, explain_host, 8, gantry_code (*)(gantry_call*, const gantry_host_explanation*));

// ---- gantry_changes
FROZEN(__builtin_strcmp(GANTRY_CHANGES_EXTENSION, "gantry.changes/1") == 0);
GREW(gantry_changes, 16);
FIELD(gantry_changes, struct_size, 0, uint32_t);
FIELD(gantry_changes, reserved0, 4, uint32_t);
FIELD(gantry_changes, rows, 8,
      gantry_code (*)(gantry_call*, const gantry_view*, uint64_t, uint32_t, uint32_t*, uint64_t, uint64_t*));
FROZEN(GANTRY_CHANGES_BUT_TIMES == 1);

// ---- gantry_capacity
FROZEN(__builtin_strcmp(GANTRY_CAPACITY_EXTENSION, "gantry.capacity/1") == 0);
GREW(gantry_capacity, 16);
FIELD(gantry_capacity, struct_size, 0, uint32_t);
FIELD(gantry_capacity, reserved0, 4, uint32_t);
FIELD(gantry_capacity, count, 8, gantry_code (*)(gantry_driver*, gantry_call*, const gantry_request*, uint64_t*));
FROZEN(GANTRY_CAPACITY_UNBOUNDED == UINT64_MAX);

// ---- gantry_offer_ops
GREW(gantry_offer_ops, 24);
FIELD(gantry_offer_ops, struct_size, 0, uint32_t);
FIELD(gantry_offer_ops, flags, 4, uint32_t);
FIELD(gantry_offer_ops, create, 8,
      gantry_code (*)(const gantry_host*, gantry_call*, const gantry_options*, gantry_offered**));
FIELD(gantry_offer_ops, destroy, 16, void (*)(gantry_offered*));

// ---- gantry_offer
GREW(gantry_offer, 40);
FIELD(gantry_offer, kind, 0, gantry_string);
FIELD(gantry_offer, name, 16, gantry_string);
FIELD(gantry_offer, table, 32, const void*);

// ---- gantry_offers_info
GREW(gantry_offers_info, 64);
FIELD(gantry_offers_info, magic, 0, uint32_t);
FIELD(gantry_offers_info, struct_size, 4, uint32_t);
FIELD(gantry_offers_info, abi_major, 8, uint32_t);
FIELD(gantry_offers_info, abi_minor, 12, uint32_t);
FIELD(gantry_offers_info, id, 16, gantry_string);
FIELD(gantry_offers_info, version, 32, gantry_string);
FIELD(gantry_offers_info, offers, 48, const gantry_offer*);
FIELD(gantry_offers_info, offer_count, 56, uint32_t);
FIELD(gantry_offers_info, offer_stride, 60, uint32_t);

// ---- gantry_offer_loaded
GREW(gantry_offer_loaded, 120);
FIELD(gantry_offer_loaded, kind, 0, gantry_string);
FIELD(gantry_offer_loaded, name, 16, gantry_string);
FIELD(gantry_offer_loaded, library, 32, gantry_string);
FIELD(gantry_offer_loaded, version, 48, gantry_string);
FIELD(gantry_offer_loaded, help, 64, gantry_string);
FIELD(gantry_offer_loaded, table, 80, const void*);
FIELD(gantry_offer_loaded, instance, 88, gantry_offered*);
FIELD(gantry_offer_loaded, options, 96, const gantry_options*);
FIELD(gantry_offer_loaded, needs, 104, gantry_strings);

// ---- gantry_offers
GREW(gantry_offers, 24);
FIELD(gantry_offers, struct_size, 0, uint32_t);
FIELD(gantry_offers, offer_count, 4, uint32_t);
FIELD(gantry_offers, offers, 8, const gantry_offer_loaded*);
FIELD(gantry_offers, offer_stride, 16, uint64_t);

// ---- gantry_filter_run
GREW(gantry_filter_run, 40);
FIELD(gantry_filter_run, struct_size, 0, uint32_t);
FIELD(gantry_filter_run, instance, 4, uint32_t);
FIELD(gantry_filter_run, flags, 8, uint32_t);
FIELD(gantry_filter_run, reserved0, 12, uint32_t);
FIELD(gantry_filter_run, request, 16, const gantry_request*);
FIELD(gantry_filter_run, view, 24, const gantry_view*);
FIELD(gantry_filter_run, rows, 32, uint64_t*);

// ---- gantry_filter_limits
GREW(gantry_filter_limits, 48);
FIELD(gantry_filter_limits, struct_size, 0, uint32_t);
FIELD(gantry_filter_limits, present, 4, uint32_t);
FIELD(gantry_filter_limits, limits, 8, gantry_limits);

// ---- gantry_filter_reason
GREW(gantry_filter_reason, 56);
FIELD(gantry_filter_reason, struct_size, 0, uint32_t);
FIELD(gantry_filter_reason, present, 4, uint32_t);
FIELD(gantry_filter_reason, text, 8, gantry_string);
FIELD(gantry_filter_reason, resource, 24, gantry_string);
FIELD(gantry_filter_reason, need, 40, double);
FIELD(gantry_filter_reason, best, 48, double);

// ---- gantry_filter_ops
GREW(gantry_filter_ops, 48);
FIELD(gantry_filter_ops, struct_size, 0, uint32_t);
FIELD(gantry_filter_ops, flags, 4, uint32_t);
FIELD(gantry_filter_ops, create, 8,
      gantry_code (*)(const gantry_host*, gantry_call*, const gantry_options*, gantry_offered**));
FIELD(gantry_filter_ops, destroy, 16, void (*)(gantry_offered*));
FIELD(gantry_filter_ops, keep, 24, gantry_code (*)(gantry_offered*, gantry_call*, const gantry_filter_run*));
FIELD(gantry_filter_ops, limits, 32,
      gantry_code (*)(gantry_offered*, gantry_call*, const gantry_filter_run*, uint32_t, gantry_filter_limits*));
FIELD(gantry_filter_ops, reason, 40,
      gantry_code (*)(gantry_offered*, gantry_call*, const gantry_filter_run*, const uint64_t*, gantry_filter_reason*));

// ---- gantry_weigher_run
GREW(gantry_weigher_run, 72);
FIELD(gantry_weigher_run, struct_size, 0, uint32_t);
FIELD(gantry_weigher_run, instance, 4, uint32_t);
FIELD(gantry_weigher_run, flags, 8, uint32_t);
FIELD(gantry_weigher_run, bounds, 12, uint32_t);
FIELD(gantry_weigher_run, minval, 16, double);
FIELD(gantry_weigher_run, maxval, 24, double);
FIELD(gantry_weigher_run, request, 32, const gantry_request*);
FIELD(gantry_weigher_run, view, 40, const gantry_view*);
FIELD(gantry_weigher_run, rows, 48, const uint64_t*);
FIELD(gantry_weigher_run, raw, 56, double*);
FIELD(gantry_weigher_run, present, 64, uint64_t*);

// ---- gantry_weigher_ops
GREW(gantry_weigher_ops, 56);
FIELD(gantry_weigher_ops, struct_size, 0, uint32_t);
FIELD(gantry_weigher_ops, flags, 4, uint32_t);
FIELD(gantry_weigher_ops, create, 8,
      gantry_code (*)(const gantry_host*, gantry_call*, const gantry_options*, gantry_offered**));
FIELD(gantry_weigher_ops, destroy, 16, void (*)(gantry_offered*));
FIELD(gantry_weigher_ops, weigh, 24, gantry_code (*)(gantry_offered*, gantry_call*, gantry_weigher_run*));
FIELD(gantry_weigher_ops, multiplier_name, 32, gantry_string);
FIELD(gantry_weigher_ops, multiplier, 48, double);

// ---- the entry
FROZEN((IS_FUNCTION(gantry_offers_entry, const gantry_offers_info* (*)(uint32_t, uint32_t))));

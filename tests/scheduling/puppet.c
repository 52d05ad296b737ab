// SPDX-License-Identifier: Apache-2.0
//
// A driver that uses the host's services, well and badly, as a test tells it: the flavor of a request, or the member
// `case` of a method's arguments, names what it does.
#include <gantry/driver.h>
#include <gantry/ext/candidates.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'puppet'\n"
    "version = '1.0.0'\n"
    "description = 'A test driver'\n"
    "topics = ['compute']\n"
    "threads = 'reentrant'\n"
    "[methods]\n"
    "compute = ['run']\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

static const gantry_host* host;

static int is(gantry_string text, const char* wanted) {
  return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
}

// A text of `size` letters, in the call's memory. `front` and `back` enclose it.
static gantry_string long_text(gantry_call* call, const char* front, uint64_t size, const char* back) {
  char* text = host->scratch(call, strlen(front) + size + strlen(back) + 1, 1);
  memcpy(text, front, strlen(front));
  memset(text + strlen(front), 'x', size);
  memcpy(text + strlen(front) + size, back, strlen(back) + 1);
  return (gantry_string){text, strlen(text)};
}

// ---- decisions

static gantry_code pick(gantry_call* call, uint32_t instance, uint32_t row) {
  const gantry_pick pick = {.struct_size = sizeof pick, .instance = instance, .row = row};
  return host->pick(call, &pick);
}

static gantry_code pick_with(gantry_call* call, uint32_t present, gantry_limits limits, uint32_t group_limit) {
  const gantry_pick pick = {
      .struct_size = sizeof pick, .present = present, .limits = limits, .group_limit = group_limit};
  return host->pick(call, &pick);
}

// Each instance gets row 0 with this limit of memory, or a refusal.
static gantry_code within(gantry_call* call, const gantry_request* request, double memory_mb) {
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    const gantry_pick pick = {.struct_size = sizeof pick,
                              .instance = instance,
                              .present = GANTRY_LIMIT_MEMORY_MB,
                              .limits = {.memory_mb = memory_mb}};
    if (host->pick(call, &pick) == GANTRY_CLAIM_LOST) host->refuse(call, instance, TEXT("full"));
  }
  return GANTRY_OK;
}

// Whether the bit of the row is set; without a bitmap, whether there is such a row.
static int is_eligible(const gantry_request* request, uint32_t row) {
  if (row >= request->view->rows) return 0;
  return request->eligible == NULL || ((request->eligible[row / 64] >> (row % 64)) & 1) != 0;
}

// Each instance gets the first row that is not lost, and the others as alternates. `asks_all`: of rows that are not
// eligible, too.
static gantry_code in_turn(gantry_call* call, const gantry_request* request, int asks_all) {
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    gantry_code code = GANTRY_CLAIM_LOST;
    uint32_t row = 0;
    for (; code == GANTRY_CLAIM_LOST && row < request->view->rows; ++row) {
      if (asks_all || is_eligible(request, row)) code = pick(call, instance, row);
    }
    if (code != GANTRY_OK) return code;
    for (; row < request->view->rows; ++row) {
      const gantry_pick other = {.struct_size = sizeof other, .instance = instance, .row = row};
      if (asks_all || is_eligible(request, row)) code = host->alternate(call, &other);
      if (code != GANTRY_OK && code != GANTRY_CLAIM_LOST) return code;
    }
  }
  return GANTRY_OK;
}

// Each instance gets the row whose number is that of the eligible rows.
static gantry_code row_of_count(gantry_call* call, const gantry_request* request) {
  uint32_t count = 0;
  for (uint32_t row = 0; row < request->view->rows; ++row) count += is_eligible(request, row) ? 1 : 0;
  gantry_code code = GANTRY_OK;
  for (uint32_t instance = 0; code == GANTRY_OK && instance < request->instances; ++instance)
    code = pick(call, instance, count);
  return code;
}

static gantry_code pick_item(gantry_call* call, gantry_string resource, double amount) {
  const gantry_claim_item item = {.resource = resource, .amount = amount};
  const gantry_pick pick = {.struct_size = sizeof pick, .items = &item, .item_count = 1, .item_stride = sizeof item};
  return host->pick(call, &pick);
}

static gantry_code claim(gantry_call* call, gantry_string consumer, gantry_string resource, double amount,
                         double limit) {
  const gantry_claim_item item = {
      .resource = resource, .amount = amount, .limit = limit, .present = limit > 0 ? GANTRY_CLAIM_LIMIT : 0};
  const gantry_claim claim = {
      .struct_size = sizeof claim, .consumer = consumer, .items = &item, .item_count = 1, .item_stride = sizeof item};
  return host->claim(call, &claim);
}

// Picks row 0, or names it as an alternate, with providers that are not what the request offers there.
static gantry_code pick_stranger(gantry_call* call, gantry_string how) {
  const uint32_t providers[] = {is(how, "provider_of_another_row") ? 1
                                : is(how, "provider_out_of_range") ? 4294967295u
                                                                   : 0,
                                0};
  const gantry_candidate_services* candidates = host->extension(host, TEXT(GANTRY_CANDIDATES_EXTENSION));
  const uint32_t count = is(how, "too_many_providers") ? 2 : 1;
  const gantry_pick pick = {.struct_size = sizeof pick};
  gantry_code code = candidates->choose(call, 0, 0, is(how, "no_providers") ? NULL : providers, count);
  if (code == GANTRY_OK) code = host->pick(call, &pick);
  if (code != GANTRY_OK || !is(how, "alternate_out_of_range")) return code;
  const uint32_t stranger = 1000;
  code = candidates->choose(call, 0, 0, &stranger, 1);
  return code == GANTRY_OK ? host->alternate(call, &pick) : code;
}

static gantry_code decide_badly(gantry_call* call, gantry_string how) {
  if (is(how, "row_out_of_range")) return pick(call, 0, 1000);
  if (is(how, "instance_out_of_range")) return pick(call, 7, 0);
  if (is(how, "bad_row_then_ok")) return pick(call, 0, 1000), pick(call, 0, 0);
  if (is(how, "nan_limit")) return pick_with(call, GANTRY_LIMIT_VCPU, (gantry_limits){.vcpu = NAN}, 0);
  if (is(how, "negative_limit")) return pick_with(call, GANTRY_LIMIT_DISK_GB, (gantry_limits){.disk_gb = -1}, 0);
  if (is(how, "unknown_bit")) return pick_with(call, 1u << 20, (gantry_limits){0}, 0);
  if (is(how, "no_group_limit")) return pick_with(call, GANTRY_PICK_APART, (gantry_limits){0}, 0);
  if (is(how, "limits_are_a_list")) return pick_with(call, 0, (gantry_limits){.other = TEXT("[1]")}, 0);
  if (is(how, "limits_are_no_json")) return pick_with(call, 0, (gantry_limits){.other = TEXT("{\"a\":}")}, 0);
  if (is(how, "limits_too_long"))
    return pick_with(call, 0, (gantry_limits){.other = long_text(call, "{\"a\":\"", 65536, "\"}")}, 0);
  if (is(how, "resource_too_long")) return pick_item(call, long_text(call, "", 256, ""), 1);
  if (is(how, "own_resource")) return pick_item(call, TEXT("vcpu"), 1);
  if (is(how, "negative_amount")) return pick_item(call, TEXT("gpu"), -1);
  if (is(how, "pick_twice")) return pick(call, 0, 0), pick(call, 0, 1);
  if (is(how, "refuse_twice")) return host->refuse(call, 0, TEXT("a")), host->refuse(call, 0, TEXT("b"));
  if (is(how, "refuse_then_pick")) return host->refuse(call, 0, TEXT("no")), pick(call, 0, 0);
  if (is(how, "pick_then_refuse")) return pick(call, 0, 0), host->refuse(call, 0, TEXT("no"));
  if (is(how, "claims_in_a_decision")) return pick(call, 0, 0), claim(call, TEXT("a"), TEXT("gpu"), 1, 0);
  if (is(how, "replies_in_a_decision")) return pick(call, 0, 0), host->reply(call, TEXT("1"));
  if (is(how, "no_providers") || is(how, "too_many_providers") || is(how, "provider_of_another_row") ||
      is(how, "provider_out_of_range") || is(how, "alternate_out_of_range"))
    return pick_stranger(call, how);
  return GANTRY_UNSUPPORTED;
}

static gantry_code decide(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  (void)driver;
  const gantry_string how = request->flavor;
  if (is(how, "pick")) return pick(call, 0, 0);
  if (is(how, "down_host")) return pick(call, 0, 1);
  if (is(how, "limits"))
    return pick_with(call, 0, (gantry_limits){.other = TEXT("{\"numa_topology\":1,\"own\":2}")}, 0);
  if (is(how, "within_1000")) return within(call, request, 1000);
  if (is(how, "apart")) return pick_with(call, GANTRY_PICK_APART, (gantry_limits){0}, 1);
  if (is(how, "one_gpu")) return pick_item(call, TEXT("gpu"), 1);
  if (is(how, "second_only")) {
    host->refuse(call, 0, TEXT("too big"));
    return pick(call, 1, 0);
  }
  if (is(how, "nothing")) return GANTRY_OK;
  if (is(how, "all_in_turn")) return in_turn(call, request, 1);
  if (is(how, "eligible_in_turn")) return in_turn(call, request, 0);
  if (is(how, "row_of_count")) return row_of_count(call, request);
  if (is(how, "pick_and_42")) return pick(call, 0, 0), 42;
  if (is(how, "pick_and_internal")) return pick(call, 0, 0), host->fail(call, GANTRY_INTERNAL, TEXT("it broke"));
  if (is(how, "pick_and_deadline"))
    return pick(call, 0, 0), host->fail(call, GANTRY_DEADLINE_EXCEEDED, TEXT("it took too long"));
  if (is(how, "pick_and_no_host"))
    return pick(call, 0, 0), host->fail(call, GANTRY_NO_VALID_HOST, TEXT("not after all"));
  if (is(how, "callers_fault")) return host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("no such thing"));
  const gantry_code code = decide_badly(call, how);
  return code;
}

// ---- methods

static gantry_code cast(gantry_call* call, gantry_string consumer, gantry_string method, gantry_string args) {
  const gantry_cast cast = {.struct_size = sizeof cast, .consumer = consumer, .method = method, .args = args};
  return host->cast(call, &cast);
}

static gantry_code claim_many(gantry_call* call, uint32_t claims, uint32_t items) {
  gantry_claim_item* list = host->scratch(call, items * sizeof *list, 8);
  for (uint32_t i = 0; i < items; ++i) list[i] = (gantry_claim_item){.resource = TEXT("gpu"), .amount = 1};
  gantry_claim claim = {.struct_size = sizeof claim,
                        .consumer = TEXT("a"),
                        .items = list,
                        .item_count = items,
                        .item_stride = sizeof *list};
  for (uint32_t i = 0; i < claims; ++i) host->claim(call, &claim);
  return GANTRY_OK;
}

static gantry_code cast_many(gantry_call* call, uint32_t count, gantry_string args) {
  for (uint32_t i = 0; i < count; ++i) cast(call, (gantry_string){0}, TEXT("attach"), args);
  return GANTRY_OK;
}

static gantry_string nested(gantry_call* call, uint32_t depth) {
  char* text = host->scratch(call, 2 * depth, 1);
  memset(text, '[', depth);
  memset(text + depth, ']', depth);
  return (gantry_string){text, 2 * depth};
}

static gantry_code run(gantry_call* call, gantry_string how) {
  const gantry_string a = TEXT("a"), gpu = TEXT("gpu"), fpga = TEXT("fpga"), none = {0};
  const gantry_string instance = TEXT("0d0d0d0d-0000-4000-8000-000000000001");
  if (is(how, "claim")) return claim(call, a, gpu, 1, 2);
  if (is(how, "claim_both")) return claim(call, a, gpu, 1, 0), claim(call, a, fpga, 1, 0);
  if (is(how, "claim_twice")) return claim(call, a, gpu, 1, 0), claim(call, a, gpu, 2, 0);
  if (is(how, "claim_beyond")) return claim(call, a, gpu, 1, 2), claim(call, a, gpu, 2, 2);
  if (is(how, "claim_for_instance")) return claim(call, instance, TEXT("widgets"), 2, 0);
  if (is(how, "claim_memory")) return claim(call, a, TEXT("memory_mb"), 100, 0);
  if (is(how, "claim_and_fail")) return claim(call, a, gpu, 1, 0), host->fail(call, GANTRY_INTERNAL, TEXT("it broke"));
  if (is(how, "claim_and_cast")) return claim(call, a, gpu, 1, 0), cast(call, a, TEXT("attach"), TEXT("{}"));
  if (is(how, "cast_and_no_host")) return cast(call, none, TEXT("attach"), TEXT("{}")), GANTRY_NO_VALID_HOST;
  if (is(how, "reply")) return host->reply(call, TEXT("{\"a\":[1,null,\"\\u00e9\"]}"));
  if (is(how, "longest_names")) return claim(call, long_text(call, "", 255, ""), long_text(call, "", 255, ""), 1, 0);
  if (is(how, "many_claims")) return claim_many(call, 8, 1024);
  if (is(how, "most_casts")) return cast_many(call, 1024, TEXT("{}"));
  if (is(how, "deep_reply")) return host->reply(call, nested(call, 56));

  if (is(how, "time_left")) {
    char seconds[32];
    const int size = snprintf(seconds, sizeof seconds, "%.3f", (double)host->time_left_ns(call) / 1e9);
    return host->reply(call, (gantry_string){seconds, (uint64_t)size});
  }

  gantry_code code = GANTRY_UNSUPPORTED;
  if (is(how, "reply_twice")) code = host->reply(call, TEXT("1")), host->reply(call, TEXT("2"));
  if (is(how, "bad_reply")) host->reply(call, TEXT("{")), code = GANTRY_OK;
  if (is(how, "reply_of_a_word")) host->reply(call, TEXT("yes")), code = GANTRY_OK;
  if (is(how, "too_deep_a_reply")) host->reply(call, nested(call, 57)), code = GANTRY_OK;
  if (is(how, "too_long_a_reply")) host->reply(call, long_text(call, "\"", 16777216, "\"")), code = GANTRY_OK;
  if (is(how, "cast_of_a_list")) cast(call, none, TEXT("attach"), TEXT("[]")), code = GANTRY_OK;
  if (is(how, "cast_without_method")) cast(call, none, none, TEXT("{}")), code = GANTRY_OK;
  if (is(how, "cast_to_no_row")) {
    const gantry_cast far = {.struct_size = sizeof far, .row = 9, .method = TEXT("attach"), .args = TEXT("{}")};
    code = host->cast(call, &far);
  }
  if (is(how, "cast_for_a_stranger")) cast(call, a, TEXT("attach"), TEXT("{}")), code = GANTRY_OK;
  if (is(how, "too_many_casts")) code = cast_many(call, 1025, TEXT("{}"));
  if (is(how, "too_long_casts")) code = cast_many(call, 17, long_text(call, "{\"a\":\"", 1048576, "\"}"));
  if (is(how, "too_many_claims")) code = claim_many(call, 9, 1024);
  if (is(how, "too_many_items")) code = claim_many(call, 1, 1025);
  if (is(how, "claim_of_nothing")) code = claim_many(call, 1, 0);
  if (is(how, "claim_without_consumer")) code = claim(call, none, gpu, 1, 0);
  if (is(how, "claim_of_nan")) claim(call, a, gpu, NAN, 0), code = GANTRY_OK;
  if (is(how, "consumer_too_long")) code = claim(call, long_text(call, "", 256, ""), gpu, 1, 0);
  if (is(how, "resource_too_long")) code = claim(call, a, long_text(call, "", 256, ""), 1, 0);
  if (is(how, "consumer_not_utf8")) code = claim(call, TEXT("\xff"), gpu, 1, 0);
  if (is(how, "method_too_long")) code = cast(call, none, long_text(call, "", 256, ""), TEXT("{}"));
  if (is(how, "picks_in_a_method")) pick(call, 0, 0), code = GANTRY_OK;
  if (is(how, "refuses_in_a_method")) host->refuse(call, 0, TEXT("no")), code = GANTRY_OK;
  return code;
}

// The case is the value of the one member of args, {"case":"..."}.
static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  (void)driver;
  const uint64_t before = strlen("{\"case\":\""), after = strlen("\"}");
  if (method->args.size < before + after) return GANTRY_INVALID_ARGUMENT;
  return run(call, (gantry_string){method->args.data + before, method->args.size - before - after});
}

// ---- the others

static gantry_code hosts_up(gantry_driver* driver, gantry_call* call, const gantry_view* view, uint64_t* rows_out) {
  (void)driver;
  (void)view;
  rows_out[0] = 1;
  return pick(call, 0, 0);
}

static gantry_code update_service_capabilities(gantry_driver* driver, gantry_call* call, gantry_string service,
                                               gantry_string name, gantry_string capabilities) {
  (void)driver;
  (void)service;
  (void)name;
  if (is(capabilities, "{\"case\":\"list\"}")) host->reply(call, TEXT("[1]"));
  if (is(capabilities, "{\"case\":\"twice\"}")) host->reply(call, TEXT("{}")), host->reply(call, TEXT("{}"));
  if (is(capabilities, "{\"case\":\"claim\"}")) claim(call, TEXT("a"), TEXT("gpu"), 1, 0);
  if (is(capabilities, "{\"case\":\"reply\"}")) host->reply(call, TEXT("{\"a\":1}"));
  return GANTRY_OK;
}

static gantry_code create(const gantry_host* given, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)call;
  (void)options;
  host = given;
  *out = (gantry_driver*)&host;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  (void)driver;
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = decide,
    .schedule_run_instance = decide,
    .hosts_up = hosts_up,
    .update_service_capabilities = update_service_capabilities,
    .call_method = call_method,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_driver_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"puppet", 6},
    .version = {"1.0.0", 5},
    .ops = &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  return &info;
}

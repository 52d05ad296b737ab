/* SPDX-License-Identifier: Apache-2.0
 *
 * Uses each service, well and badly, and tells the answers. */
#ifndef GANTRY_MUSEUM_WITNESS_USES_H
#define GANTRY_MUSEUM_WITNESS_USES_H

#include "witness_columns.h"

static const char* answer(gantry_code code) {
  return code == GANTRY_OK ? "accepted" : "refused";
}

/* The services that work at any time. */
static void use_any_services(const gantry_driver* driver) {
  const gantry_host* const host = driver->host;
  host->count(host, TEXT("museum"), 3);
  static const gantry_string ids[] = {{"gantry.changes/1", 16}, {"gantry.explain/1", 16}, {"gantry.candidates/1", 19},
                                      {"gantry.offers/1", 15},  {"gantry.nothing/1", 16}, {"", 0}};
  for (uint64_t each = 0; each < sizeof ids / sizeof *ids; ++each)
    say(driver, "extension '%.*s' %s", SHOWN(ids[each]),
        host->extension(host, ids[each]) != NULL ? "is there" : "none");
  say(driver, "log_enabled of error %ld", (long)host->log_enabled(host, GANTRY_LOG_ERROR));
  for (int32_t level = GANTRY_LOG_DEBUG; level <= GANTRY_LOG_ERROR; ++level)
    host->log(host, driver->call, level, TEXT("a line of this level"));
}

static void use_call_services(const gantry_driver* driver, const gantry_view* view) {
  const gantry_host* const host = driver->host;
  gantry_call* const call = driver->call;
  say(driver, "should_stop %ld, time is %s", (long)host->should_stop(call),
      host->time_left_ns(call) > 0 ? "left" : "up");
  say(driver, "now %ld %s", (long)host->now(call), host->now(call) == host->now(call) ? "stays" : "changes");
  for (int draw = 0; draw < 4; ++draw) say(driver, "random %016lx", (unsigned long)host->random(call));
  for (uint64_t align = 1; align <= 64; align *= 2) {
    const void* const memory = host->scratch(call, 100, align);
    say(driver, "scratch aligned to %lu: %s", (unsigned long)align,
        memory == NULL                   ? "none"
        : (uintptr_t)memory % align == 0 ? "yes"
                                         : "no");
  }
  say(driver, "scratch of 1 TiB: %s", host->scratch(call, UINT64_C(1) << 40, 1) == NULL ? "none" : "given");
  say(driver, "column 'no such': %s", host->column(call, view, TEXT("no such")) == NULL ? "none" : "given");
  say(driver, "view of 'no such': %s", host->view(call, TEXT("no such")) == NULL ? "none" : "given");
  const gantry_view* const volumes = host->view(call, TEXT("volume"));
  if (volumes == NULL) {
    say(driver, "view of 'volume': none");
  } else {
    tell_view(driver, "volumes", volumes, volumes->rows);
  }
  static const gantry_string instances[] = {{"00000000-0000-4000-8000-000000000001", 36},
                                            {"00000000-0000-4000-8000-0000000000c1", 36},
                                            {"00000000-0000-4000-8000-ffffffffffff", 36}};
  for (uint64_t each = 0; each < sizeof instances / sizeof *instances; ++each) {
    gantry_location location = {.struct_size = sizeof location};
    const gantry_code code = host->locate(call, instances[each], &location);
    say(driver, "locate gives %ld, row %s", (long)code, location.row == UINT32_MAX ? "UINT32_MAX" : "set");
    if (code == GANTRY_OK) tell_location(driver, "location", &location, 0);
    /* A caller of another size is filled in as far as its struct reaches. */
    location = (gantry_location){.struct_size = GANTRY_END_OF(gantry_location, vm_state)};
    if (host->locate(call, instances[each], &location) == GANTRY_OK)
      say(driver, "a short location has size %lu and flavor of %lu bytes", (unsigned long)location.struct_size,
          (unsigned long)location.flavor.size);
  }
}

/* Derived views: a write stays in its view, and an append makes a list longer. */
static void use_views(const gantry_driver* driver, const gantry_view* view) {
  const gantry_host* const host = driver->host;
  gantry_call* const call = driver->call;
  const gantry_view* const derived = host->derive(call, view);
  if (derived == NULL) {
    say(driver, "derive: none");
    return;
  }
  static const gantry_uuid uuid = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
  static const uint32_t aggregate = 0;
  gantry_writable out = {.struct_size = sizeof out};
  say(driver, "derive: generation %s, write %s", derived->generation == 0 ? "0" : "set",
      answer(host->write(call, derived, TEXT("vcpus_used"), &out)));
  ((double*)out.values)[1] = 1234.5;
  ((uint64_t*)out.validity)[0] |= 2;
  out = (gantry_writable){.struct_size = sizeof out};
  say(driver, "write of JSON %s", answer(host->write(call, derived, TEXT("stats"), &out)));
  ((gantry_json*)out.values)[2] = (gantry_json){TEXT("{\"written\":1}"), 0};
  out.validity[0] |= 4;
  for (int twice = 0; twice < 2; ++twice) {
    say(driver, "append to instances %s", answer(host->append(call, derived, TEXT("instances"), 3, &uuid)));
    say(driver, "append to aggregates %s", answer(host->append(call, derived, TEXT("aggregates"), 4, &aggregate)));
  }
  static const gantry_string names[] = {{"vcpus_used", 10}, {"stats", 5}, {"instances", 9}, {"aggregates", 10}};
  for (uint64_t each = 0; each < sizeof names / sizeof *names; ++each) {
    const gantry_column* const now = host->column(call, derived, names[each]);
    const gantry_column* const before = host->column(call, view, names[each]);
    tell_column(driver, "derived", now, 6);
    tell_column(driver, "beside", before, 6);
  }
  const gantry_view* const second = host->derive(call, derived);
  say(driver, "derive of a derived view: %s", second == NULL ? "none" : "given");
}

static void use_steps(const gantry_driver* driver) {
  const gantry_step steps[] = {{.struct_size = sizeof(gantry_step),
                                .instance = UINT32_MAX,
                                .name = TEXT("all"),
                                .hosts_in = 65,
                                .hosts_out = 40,
                                .reason = TEXT("the witness counts")},
                               {.struct_size = sizeof(gantry_step), .name = TEXT("first"), .hosts_in = 40}};
  for (uint64_t each = 0; each < sizeof steps / sizeof *steps; ++each)
    driver->host->explain(driver->call, &steps[each]);
}

/* Picks with each field set, and names two alternates. */
static gantry_code place_fully(const gantry_driver* driver, const gantry_request* request, uint32_t instance) {
  const gantry_claim_item items[] = {
      {.resource = TEXT("licence"), .amount = 1.5, .limit = 10, .present = GANTRY_CLAIM_LIMIT},
      {.resource = TEXT("socket"), .amount = 2}};
  for (uint32_t row = instance; row < request->view->rows; ++row) {
    if (!bit(request->complete, row)) continue;
    gantry_pick pick = {.struct_size = sizeof pick,
                        .instance = instance,
                        .row = row,
                        .present = GANTRY_LIMIT_VCPU | GANTRY_LIMIT_MEMORY_MB | GANTRY_LIMIT_DISK_GB |
                                   GANTRY_PICK_WEIGHT | GANTRY_PICK_APART | GANTRY_PICK_TOGETHER,
                        .weight = 0.25,
                        .limits = {100, 1e6, 1e4, TEXT("{\"numa\":[0]}")},
                        .items = items,
                        .item_count = 2,
                        .item_stride = sizeof *items,
                        .group_limit = 2};
    const gantry_code code = driver->host->pick(driver->call, &pick);
    if (code == GANTRY_CLAIM_LOST) continue;
    say(driver, "pick of %lu %s", (unsigned long)instance, answer(code));
    for (uint32_t more = 1; more <= 2; ++more) {
      pick.row = (row + more * 5) % request->view->rows;
      say(driver, "alternate gives %ld", (long)driver->host->alternate(driver->call, &pick));
    }
    return code;
  }
  return GANTRY_NO_VALID_HOST;
}

static gantry_code use_method_services(const gantry_driver* driver) {
  const gantry_host* const host = driver->host;
  const gantry_claim_item items[] = {
      {.resource = TEXT("vcpu"), .amount = 2, .limit = 1000, .present = GANTRY_CLAIM_LIMIT},
      {.resource = TEXT("licence"), .amount = 0.5}};
  const gantry_claim claim = {.struct_size = sizeof claim,
                              .row = 2,
                              .consumer = TEXT("tenant-1"),
                              .items = items,
                              .item_count = 2,
                              .item_stride = sizeof *items};
  say(driver, "claim %s", answer(host->claim(driver->call, &claim)));
  const gantry_cast cast = {.struct_size = sizeof cast,
                            .row = 2,
                            .consumer = TEXT("tenant-1"),
                            .method = TEXT("begin"),
                            .args = TEXT("{\"size\":3}")};
  say(driver, "cast %s", answer(host->cast(driver->call, &cast)));
  use_steps(driver);
  say(driver, "reply %s", answer(host->reply(driver->call, TEXT("{\"told\":[1,2.5,null,\"x\"]}"))));
  return GANTRY_OK;
}

/* Bad picks, by the value of the hint `uses`. Each breaks the rules, so the operation fails. */
static gantry_code use_picks_badly(const gantry_driver* driver, const gantry_view* view, gantry_string uses) {
  static const gantry_claim_item own = {.resource = {"vcpu", 4}, .amount = 1};
  static const gantry_claim_item negative = {.resource = {"licence", 7}, .amount = -1};
  gantry_pick pick = {.struct_size = sizeof pick};
  if (is_same(uses, TEXT("row"))) pick.row = view->rows;
  if (is_same(uses, TEXT("size"))) pick.struct_size = 5000;
  if (is_same(uses, TEXT("bits"))) pick.present = UINT32_C(1) << 30;
  if (is_same(uses, TEXT("reserved"))) pick.reserved0 = 1;
  if (is_same(uses, TEXT("nan"))) pick.present = GANTRY_PICK_WEIGHT;
  if (is_same(uses, TEXT("nan"))) pick.weight = __builtin_nan("");
  if (is_same(uses, TEXT("json"))) pick.limits.other = TEXT("{\"open\":");
  if (is_same(uses, TEXT("utf8"))) pick.limits.other = TEXT("{\"\xff\":1}");
  if (is_same(uses, TEXT("own"))) pick.items = &own;
  if (is_same(uses, TEXT("negative"))) pick.items = &negative;
  if (pick.items != NULL) pick.item_count = 1;
  pick.item_stride = sizeof own;
  return driver->host->pick(driver->call, &pick);
}

static gantry_code use_badly(const gantry_driver* driver, const gantry_view* view, gantry_string uses) {
  const gantry_host* const host = driver->host;
  gantry_call* const call = driver->call;
  static const gantry_uuid uuid = {{1}};
  gantry_writable out = {.struct_size = sizeof out};
  gantry_code code = GANTRY_OK;
  if (is_same(uses, TEXT("reply"))) {
    code = host->reply(call, TEXT("{}"));
  } else if (is_same(uses, TEXT("cast"))) {
    const gantry_cast cast = {.struct_size = sizeof cast, .method = TEXT("m"), .args = TEXT("{}")};
    code = host->cast(call, &cast);
  } else if (is_same(uses, TEXT("claim"))) {
    const gantry_claim claim = {.struct_size = sizeof claim, .consumer = TEXT("c")};
    code = host->claim(call, &claim);
  } else if (is_same(uses, TEXT("write"))) {
    code = host->write(call, view, TEXT("vcpus_used"), &out);
  } else if (is_same(uses, TEXT("append"))) {
    const gantry_view* const derived = host->derive(call, view);
    code = derived == NULL ? GANTRY_OK : host->append(call, derived, TEXT("instances"), view->rows, &uuid);
  } else if (is_same(uses, TEXT("align"))) {
    code = host->scratch(call, 1, 3) == NULL ? GANTRY_INVALID_ARGUMENT : GANTRY_OK;
  } else if (is_same(uses, TEXT("unknown code"))) {
    return 77; /* a driver may pass on a code of a later host */
  } else if (is_same(uses, TEXT("argument"))) {
    return host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("the witness dislikes the argument"));
  } else if (is_same(uses, TEXT("deadline"))) {
    return host->fail(call, GANTRY_DEADLINE_EXCEEDED, TEXT("the witness gives up"));
  } else {
    code = use_picks_badly(driver, view, uses);
  }
  say(driver, "use '%.*s' %s", SHOWN(uses), answer(code));
  return GANTRY_OK;
}

/* A method that breaks one rule: its argument `uses` begins with the rule's letter. */
static gantry_code bend_method(const gantry_driver* driver, const gantry_method_call* method) {
  const gantry_host* const host = driver->host;
  const gantry_claim_item item = {.resource = TEXT("licence"), .amount = 1};
  gantry_claim claim = {
      .struct_size = sizeof claim, .consumer = TEXT("c"), .items = &item, .item_count = 1, .item_stride = sizeof item};
  gantry_cast cast = {.struct_size = sizeof cast, .method = TEXT("m"), .args = TEXT("{}")};
  gantry_code code = GANTRY_OK;
  /* The arguments are {"uses":"LETTER"}. */
  const char letter = method->args.size > 9 ? method->args.data[9] : '?';
  if (letter == 'r') code = host->reply(driver->call, TEXT("{} {}"));
  if (letter == 't') code = host->reply(driver->call, TEXT("1"));
  if (letter == 't') code = host->reply(driver->call, TEXT("2"));
  if (letter == 'n') claim.item_count = 0;
  if (letter == 'c') claim.consumer.size = 0;
  if (letter == 'w') claim.row = method->view->rows;
  if (letter == 'n' || letter == 'c' || letter == 'w') code = host->claim(driver->call, &claim);
  if (letter == 'm') cast.method.size = 0;
  if (letter == 'a') cast.args = TEXT("[]");
  if (letter == 'm' || letter == 'a') code = host->cast(driver->call, &cast);
  if (letter == 'p') {
    const gantry_pick pick = {.struct_size = sizeof pick};
    code = host->pick(driver->call, &pick);
  }
  say(driver, "bend '%c' %s", letter, answer(code));
  return GANTRY_OK;
}

#endif

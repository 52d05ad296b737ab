/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells what a host hands out, a line for each field, and what a host answers to good and bad uses of each service. The
 * hint `uses` of a request, or the argument `uses` of a method, asks for bad uses in place of good ones. */
#include "witness.h"

#include "fields.h"
#include "witness_columns.h"
#include "witness_uses.h"

GANTRY_MANIFEST(MUSEUM_MANIFEST(
    "witness") "topics = ['compute']\n"
               "[methods]\n"
               "compute = ['tell', 'bend']\n"
               "[columns]\n"
               "needs = ['up', 'disabled', 'vcpus', 'host']\n" WITNESS_COLUMNS
               "[options.truth]\ntype = 'boolean'\ndefault = true\nhelp = 'h'\n"
               "[options.whole]\ntype = 'integer'\ndefault = -7\nminimum = -9\nmaximum = 9\nhelp = 'h'\n"
               "[options.part]\ntype = 'real'\ndefault = 0.125\nhelp = 'h'\n"
               "[options.word]\ntype = 'string'\ndefault = 'a'\nchoices = ['a', 'b']\nhelp = 'h'\n"
               "[options.words]\ntype = 'strings'\ndefault = ['x', 'y']\nhelp = 'h'\n"
               "[options.pairs]\ntype = 'table'\ndefault = {k = 'v', a = 'b'}\nhelp = 'h'\n");

static void tell_options(const gantry_driver* driver, const gantry_options* options) {
  static const gantry_string names[] = {{"truth", 5}, {"whole", 5}, {"part", 4},
                                        {"word", 4},  {"words", 5}, {"pairs", 5}};
  for (uint64_t each = 0; each < sizeof names / sizeof *names; ++each) {
    const char* at = (const char*)options->options;
    for (uint64_t index = 0; index < options->option_count; ++index, at += options->option_stride) {
      const gantry_option* const option = (const gantry_option*)at;
      if (is_same(option->name, names[each])) tell_option(driver, "option", option, 0);
    }
  }
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  const gantry_code code = make_driver(host, call, out);
  if (code != GANTRY_OK) return code;
  tell_host(*out, "host", host, 0);
  say(*out, "host.name '%.*s'", SHOWN(host->name));
  tell_options(*out, options);
  use_any_services(*out);
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  driver->call = NULL;
  say(driver, "destroy");
  free(driver);
}

/* Tells the values of hints, extra specs and image properties by key: they have no order. */
static void tell_unordered(const gantry_driver* driver, const gantry_request* request) {
  const char* at = (const char*)request->hints;
  for (uint32_t index = 0; index < request->hint_count; ++index, at += request->hint_stride) {
    const gantry_hint* const hint = (const gantry_hint*)at;
    if (is_same(hint->key, TEXT("rack"))) tell_strings(driver, "hint", "rack", hint->values);
    if (is_same(hint->key, TEXT("group"))) tell_strings(driver, "hint", "group", hint->values);
  }
  static const gantry_string keys[] = {{"site:colour", 11}, {"hw:cpu_policy", 13}, {"hw_architecture", 15}};
  for (uint64_t key = 0; key < sizeof keys / sizeof *keys; ++key) {
    const gantry_pairs lists[] = {request->extra_specs, request->image_properties};
    for (uint64_t index = 0; index < lists[0].count + lists[1].count; ++index) {
      const gantry_pair* const pair =
          index < lists[0].count ? &lists[0].items[index] : &lists[1].items[index - lists[0].count];
      if (is_same(pair->key, keys[key])) say(driver, "'%.*s' is '%.*s'", SHOWN(pair->key), SHOWN(pair->value));
    }
  }
  say(driver, "spec %s, original %s, filter_properties %s", request->spec.size > 2 ? "is there" : "is empty",
      request->original.size > 2 ? "is there" : "is empty",
      request->filter_properties.size >= 2 ? "is there" : "is empty");
}

/* The value of the hint `uses`. */
static gantry_string uses_of(const gantry_request* request) {
  const char* at = (const char*)request->hints;
  for (uint32_t index = 0; index < request->hint_count; ++index, at += request->hint_stride) {
    const gantry_hint* const hint = (const gantry_hint*)at;
    if (is_same(hint->key, TEXT("uses")) && hint->values.count == 1) return hint->values.items[0];
  }
  return (gantry_string){0};
}

static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  driver->call = call;
  const gantry_string uses = uses_of(request);
  if (uses.size != 0) return use_badly(driver, request->view, uses);
  tell_request(driver, "request", request, request->view->rows);
  tell_unordered(driver, request);
  tell_context(driver, "context", driver->host->context(call), 0);
  tell_columns(driver, request->view);
  use_call_services(driver, request->view);
  use_views(driver, request->view);
  use_steps(driver);
  return place_instances(driver, request, 0);
}

static gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  driver->call = call;
  say(driver, "schedule_run_instance of %lu", (unsigned long)request->instances);
  const gantry_code code = driver->host->refuse(call, 0, TEXT("the witness refuses the first"));
  say(driver, "refuse gives %ld", (long)code);
  for (uint32_t instance = 1; instance < request->instances; ++instance) {
    const gantry_code placed = place_fully(driver, request, instance);
    if (placed != GANTRY_OK) return placed;
  }
  return GANTRY_OK;
}

static gantry_code hosts_up(gantry_driver* driver, gantry_call* call, const gantry_view* view, uint64_t* rows_out) {
  driver->call = call;
  tell_view(driver, "hosts_up", view, view->rows);
  for (uint32_t row = 0; row < view->rows; row += 2) rows_out[row / 64] |= UINT64_C(1) << (row % 64);
  return GANTRY_OK;
}

static gantry_code group_hosts(gantry_driver* driver, gantry_call* call, const gantry_group* group,
                               const gantry_view* view, uint64_t* rows_out) {
  driver->call = call;
  tell_group(driver, "group_hosts", group, view->rows);
  for (uint64_t index = 0; index < group->member_row_count; ++index)
    rows_out[group->member_rows[index] / 64] |= UINT64_C(1) << (group->member_rows[index] % 64);
  return GANTRY_OK;
}

static gantry_code update_service_capabilities(gantry_driver* driver, gantry_call* call, gantry_string service,
                                               gantry_string host, gantry_string capabilities) {
  driver->call = call;
  say(driver, "capabilities of '%.*s' on '%.*s': %.*s", SHOWN(service), SHOWN(host), SHOWN(capabilities));
  return driver->host->reply(call, TEXT("{\"seen\":true}"));
}

static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  driver->call = call;
  if (is_same(method->method, TEXT("bend"))) return bend_method(driver, method);
  tell_method_call(driver, "method", method, method->view->rows);
  return use_method_services(driver);
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = schedule_run_instance,
    .hosts_up = hosts_up,
    .group_hosts = group_hosts,
    .update_service_capabilities = update_service_capabilities,
    .call_method = call_method,
};

MUSEUM_ENTRY("witness")

/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver of methods alone, with a topic of its own and an option of each type: it takes and tells licences. */
#include <gantry/json.h>

#include "museum.h"

GANTRY_MANIFEST(MUSEUM_MANIFEST(
    "methods") "topics = ['licence']\n[methods]\nlicence = ['take', 'options']\n"
               "[columns]\nneeds = ['host', 'up']\nuses = ['claims.seat', 'stats.seats:i64']\n"
               "[options.strict]\ntype = 'boolean'\ndefault = false\nhelp = 'h'\n"
               "[options.most]\ntype = 'integer'\ndefault = 5\nminimum = 1\nmaximum = 100\nhelp = 'h'\n"
               "[options.share]\ntype = 'real'\ndefault = 1.0\nhelp = 'h'\n"
               "[options.unit]\ntype = 'string'\ndefault = 'seat'\nhelp = 'h'\n"
               "[options.vendors]\ntype = 'strings'\ndefault = []\nhelp = 'h'\n"
               "[options.prices]\ntype = 'table'\ndefault = {}\nhelp = 'h'\n");

typedef struct {
  gantry_driver base;
  int64_t most;
  double share;
  char told[1000]; /* all options as JSON */
  uint64_t told_size;
} methods_driver;

static void tell_option(gantry_json_writer* json, const gantry_option* option) {
  switch (option->type) {
    case GANTRY_OPTION_BOOLEAN:
    case GANTRY_OPTION_INTEGER: gantry_json_write_integer(json, option->integer); break;
    case GANTRY_OPTION_REAL: gantry_json_write_integer(json, (int64_t)(option->real * 1000)); break;
    case GANTRY_OPTION_STRING: gantry_json_write_text(json, option->string); break;
    case GANTRY_OPTION_STRINGS:
      gantry_json_open(json, '[');
      for (uint64_t index = 0; index < option->strings.count; ++index)
        gantry_json_write_text(json, option->strings.items[index]);
      gantry_json_close(json, ']');
      break;
    case GANTRY_OPTION_TABLE:
      gantry_json_open(json, '[');
      for (uint64_t index = 0; index < option->table.count; ++index) {
        gantry_json_write_text(json, option->table.items[index].key);
        gantry_json_write_text(json, option->table.items[index].value);
      }
      gantry_json_close(json, ']');
      break;
    default: break;
  }
}

static void read_options(methods_driver* driver, const gantry_options* options) {
  static const char* const names[] = {"strict", "most", "share", "unit", "vendors", "prices"};
  gantry_json_writer json = gantry_json_begin(driver->told, sizeof driver->told);
  gantry_json_open(&json, '{');
  for (uint64_t each = 0; each < sizeof names / sizeof *names; ++each) {
    const gantry_string name = {names[each], __builtin_strlen(names[each])};
    const char* at = (const char*)options->options;
    for (uint64_t index = 0; index < options->option_count; ++index, at += options->option_stride) {
      const gantry_option* const option = (const gantry_option*)at;
      if (!is_same(option->name, name)) continue;
      gantry_json_key(&json, names[each]);
      tell_option(&json, option);
      if (is_same(name, TEXT("most"))) driver->most = option->integer;
      if (is_same(name, TEXT("share"))) driver->share = option->real;
    }
  }
  gantry_json_close(&json, '}');
  driver->told_size = gantry_json_end(&json).size;
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  methods_driver* const driver = calloc(1, sizeof *driver);
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  driver->base.host = host;
  read_options(driver, options);
  *out = &driver->base;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  free(driver);
}

/* take(consumer, count): claims seats of the first host that has them, tells the host and the caller. */
static gantry_code take(const methods_driver* driver, gantry_call* call, const gantry_method_call* method) {
  const gantry_host* const host = driver->base.host;
  gantry_string value;
  char consumer[64];
  uint64_t size = 0;
  int64_t count = 0;
  if (!gantry_json_member(method->args, "consumer", &value) ||
      !gantry_json_text(value, consumer, sizeof consumer, &size) || size == 0 || size > sizeof consumer)
    return host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("consumer: expected a text of 1 to 64 bytes"));
  if (!gantry_json_member(method->args, "count", &value) || !gantry_json_integer(value, &count) || count < 1 ||
      count > driver->most)
    return host->fail(call, GANTRY_INVALID_ARGUMENT, TEXT("count: expected a number from 1 to most"));
  const gantry_column* const up = host->column(call, method->view, TEXT("up"));
  const gantry_column* const seats = host->column(call, method->view, TEXT("stats.seats"));
  for (uint32_t row = 0; row < method->view->rows; ++row) {
    if (!bit(method->complete, row) || !bit(up->values, row)) continue;
    if (seats->validity != NULL && !bit(seats->validity, row)) continue;
    const gantry_claim_item item = {.resource = TEXT("seat"),
                                    .amount = (double)count,
                                    .limit = (double)((const int64_t*)seats->values)[row] * driver->share,
                                    .present = GANTRY_CLAIM_LIMIT};
    const gantry_claim claim = {.struct_size = sizeof claim,
                                .row = row,
                                .consumer = {consumer, size},
                                .items = &item,
                                .item_count = 1,
                                .item_stride = sizeof item};
    gantry_code code = host->claim(call, &claim);
    if (code == GANTRY_CLAIM_LOST) continue;
    if (code != GANTRY_OK) return code;
    const gantry_cast cast = {.struct_size = sizeof cast,
                              .row = row,
                              .consumer = {consumer, size},
                              .method = TEXT("licence_taken"),
                              .args = method->args};
    code = host->cast(call, &cast);
    return code != GANTRY_OK ? code : host->reply(call, method->args);
  }
  return host->fail(call, GANTRY_NO_VALID_HOST, TEXT("no host has the seats"));
}

static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  const methods_driver* const self = (const methods_driver*)driver;
  if (is_same(method->method, TEXT("take"))) return take(self, call, method);
  return self->base.host->reply(call, (gantry_string){self->told, self->told_size});
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .call_method = call_method,
};

MUSEUM_ENTRY("methods")

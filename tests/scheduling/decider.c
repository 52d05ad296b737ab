// SPDX-License-Identifier: Apache-2.0
//
// A driver for tests of the scheduler: what it does is chosen by the request's flavor or the method's name.
#include <gantry/driver.h>
#include <gantry/json.h>
#include <string.h>

GANTRY_MANIFEST(
    "id = 'zoo'\n"
    "version = '1.0.0'\n"
    "description = 'A test driver'\n"
    "topics = ['compute']\n"
    "threads = 'reentrant'\n"
    "[methods]\n"
    "compute = ['pair', 'stranger', 'echo', 'where', 'recovered']\n");

#define TEXT(literal) ((gantry_string){(literal), sizeof(literal) - 1})

static const gantry_host* host;

static int is(gantry_string text, const char* wanted) {
  return text.size == strlen(wanted) && memcmp(text.data, wanted, text.size) == 0;
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

// All instances on row 0. "half": then it finds that there is no host after all. "recovered": a failure that was
// overcome, and no host.
static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  (void)driver;
  if (is(request->flavor, "recovered")) {
    host->fail(call, GANTRY_INTERNAL, TEXT("the cache is cold"));
    return GANTRY_NO_VALID_HOST;
  }
  for (uint32_t instance = 0; instance < request->instances; ++instance) {
    const gantry_pick pick = {.struct_size = sizeof pick, .instance = instance};
    const gantry_code code = host->pick(call, &pick);
    if (code != GANTRY_OK) return code;
  }
  if (is(request->flavor, "half")) return host->fail(call, GANTRY_NO_VALID_HOST, TEXT("not after all"));
  return GANTRY_OK;
}

static gantry_code claim_and_cast(gantry_call* call, gantry_string claimed_by, gantry_string cast_for) {
  const gantry_claim_item item = {.resource = TEXT("disks"), .amount = 1};
  const gantry_claim claim = {
      .struct_size = sizeof claim, .consumer = claimed_by, .items = &item, .item_count = 1, .item_stride = sizeof item};
  const gantry_cast cast = {
      .struct_size = sizeof cast, .consumer = cast_for, .method = TEXT("attach"), .args = TEXT("{}")};
  const gantry_code code = host->claim(call, &claim);
  return code != GANTRY_OK ? code : host->cast(call, &cast);
}

// The flavor of one instance, as a reply.
static gantry_code where(gantry_call* call) {
  gantry_location found = {.struct_size = sizeof found};
  const gantry_code code = host->locate(call, TEXT("00000000-0000-4000-8000-000000000007"), &found);
  if (code != GANTRY_OK) return code;
  char memory[256];
  gantry_json_writer reply = gantry_json_begin(memory, sizeof memory);
  gantry_json_open(&reply, '[');
  gantry_json_write_text(&reply, found.flavor);
  gantry_json_write_text(&reply, found.vm_state);
  gantry_json_write_integer(&reply, found.vcpus);
  gantry_json_write_integer(&reply, found.memory_mb);
  gantry_json_write_real(&reply, found.disk_gb);
  gantry_json_close(&reply, ']');
  return host->reply(call, gantry_json_end(&reply));
}

static gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  (void)driver;
  if (is(method->method, "pair")) {
    const gantry_code code = claim_and_cast(call, TEXT("first"), TEXT("first"));
    return code != GANTRY_OK ? code : claim_and_cast(call, TEXT("second"), TEXT("second"));
  }
  if (is(method->method, "stranger")) return claim_and_cast(call, TEXT("first"), TEXT("stranger"));
  if (is(method->method, "where")) return where(call);
  if (is(method->method, "recovered")) {
    host->fail(call, GANTRY_INTERNAL, TEXT("the cache is cold"));
    return GANTRY_NO_VALID_HOST;
  }
  return host->reply(call, method->args);
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = select_destinations,
    .call_method = call_method,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_driver_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"zoo", 3},
    .version = {"1.0.0", 5},
    .ops = &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  return &info;
}

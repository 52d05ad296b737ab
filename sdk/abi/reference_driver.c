// SPDX-License-Identifier: Apache-2.0
//
// The smallest driver: from its one exported function abidiff reaches every type of the ABI.
#include <gantry/driver.h>

GANTRY_MANIFEST(
    "id = 'reference'\n"
    "version = '1.0.0'\n"
    "description = 'Nothing but the types of the ABI'\n"
    "topics = ['reference']\n"
    "threads = 'reentrant'\n");

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)host;
  (void)call;
  (void)options;
  *out = NULL;
  return GANTRY_OK;
}

static void destroy(gantry_driver* driver) {
  (void)driver;
}

static gantry_code decide(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  (void)driver;
  (void)call;
  (void)request;
  return GANTRY_NO_VALID_HOST;
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = decide,
    .schedule_run_instance = decide,
};

static const gantry_driver_info info = {
    .magic = GANTRY_MAGIC,
    .struct_size = sizeof(gantry_driver_info),
    .abi_major = GANTRY_ABI_MAJOR,
    .abi_minor = GANTRY_ABI_MINOR,
    .id = {"reference", 9},
    .version = {"1.0.0", 5},
    .ops = &operations,
};

const gantry_driver_info* gantry_driver_entry(uint32_t host_major, uint32_t host_minor) {
  (void)host_major;
  (void)host_minor;
  return &info;
}

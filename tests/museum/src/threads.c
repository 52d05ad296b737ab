/* SPDX-License-Identifier: Apache-2.0
 *
 * A driver with a thread of its own, which uses the services that work on any thread and ends in destroy. */
#include <pthread.h>

#include "museum.h"

GANTRY_MANIFEST(MUSEUM_MANIFEST("threads") "topics = ['compute']\n[columns]\nneeds = ['up', 'disabled', 'host']\n");

typedef struct {
  gantry_driver base;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int wanted;  /* turns that the operations have asked for */
  int done;    /* turns of the thread */
  int is_over; /* destroy has begun */
} threads_driver;

static void* turn(void* argument) {
  threads_driver* const driver = argument;
  const gantry_host* const host = driver->base.host;
  pthread_mutex_lock(&driver->mutex);
  while (!driver->is_over) {
    if (driver->done == driver->wanted) {
      pthread_cond_wait(&driver->changed, &driver->mutex);
      continue;
    }
    host->log(host, NULL, GANTRY_LOG_INFO, TEXT("a turn of the thread"));
    host->count(host, TEXT("turns"), 1);
    if (host->log_enabled(host, GANTRY_LOG_ERROR) == 1 && host->extension(host, TEXT("gantry.changes/1")) != NULL)
      ++driver->done;
    pthread_cond_broadcast(&driver->changed);
  }
  pthread_mutex_unlock(&driver->mutex);
  return NULL;
}

static gantry_code create(const gantry_host* host, gantry_call* call, const gantry_options* options,
                          gantry_driver** out) {
  (void)options;
  threads_driver* const driver = calloc(1, sizeof *driver);
  if (driver == NULL) return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no memory"));
  driver->base.host = host;
  pthread_mutex_init(&driver->mutex, NULL);
  pthread_cond_init(&driver->changed, NULL);
  if (pthread_create(&driver->thread, NULL, turn, driver) != 0) {
    free(driver);
    return host->fail(call, GANTRY_RESOURCE_EXHAUSTED, TEXT("no thread"));
  }
  *out = &driver->base;
  return GANTRY_OK;
}

static void destroy(gantry_driver* base) {
  threads_driver* const driver = (threads_driver*)base;
  pthread_mutex_lock(&driver->mutex);
  driver->is_over = 1;
  pthread_cond_broadcast(&driver->changed);
  pthread_mutex_unlock(&driver->mutex);
  pthread_join(driver->thread, NULL);
  pthread_cond_destroy(&driver->changed);
  pthread_mutex_destroy(&driver->mutex);
  free(driver);
}

/* Has the thread take one turn and waits for its end. */
static void wait_for_a_turn(threads_driver* driver) {
  pthread_mutex_lock(&driver->mutex);
  const int wanted = ++driver->wanted;
  pthread_cond_broadcast(&driver->changed);
  while (driver->done < wanted) pthread_cond_wait(&driver->changed, &driver->mutex);
  pthread_mutex_unlock(&driver->mutex);
}

static gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  driver->call = call;
  wait_for_a_turn((threads_driver*)driver);
  return place_instances(driver, request, 0);
}

static gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  driver->call = call;
  wait_for_a_turn((threads_driver*)driver);
  return place_instances(driver, request, 1);
}

static const gantry_driver_ops operations = {
    .struct_size = sizeof(gantry_driver_ops),
    .create = create,
    .destroy = destroy,
    .select_destinations = select_destinations,
    .schedule_run_instance = schedule_run_instance,
};

MUSEUM_ENTRY("threads")

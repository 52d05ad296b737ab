/* SPDX-License-Identifier: Apache-2.0
 *
 * The client library: everything that a caller may want of the scheduler, over the unix socket or TCP. This is its C
 * face; client.hpp is C++ over it. sdk/methods.md describes the methods, their arguments and results.
 *
 * Conventions
 *  1. A gantry_client is used by one thread at a time; different clients are independent. It connects at the first
 *     call, keeps the connection, and reconnects by itself.
 *  2. Every call has a deadline, in milliseconds from now. A lost connection is retried until then where that is safe:
 *     reading methods, and changing ones because each carries an idempotency key, made up here if the caller gives none.
 *     So is an answer of code "unavailable". A daemon that has never answered is waited for more briefly: absent_wait_ms.
 *     One request is sent again at most three times after its connection was lost while the answer was awaited: it may
 *     be the request that ends the daemon.
 *  3. Text in is NUL-terminated UTF-8. Text out belongs to the reply and lives until gantry_reply_free.
 *  4. No exception leaves these functions, none installs a signal handler, none prints.
 */
#ifndef GANTRY_CLIENT_H
#define GANTRY_CLIENT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GANTRY_CLIENT_EXPORT __attribute__((visibility("default")))

typedef struct gantry_client gantry_client;

typedef struct gantry_client_options {
  uint32_t struct_size;
  int32_t timeout_ms;     /* for calls that say 0; 0: 30,000 */
  const char* context;    /* JSON object sent with each call; NULL: none */
  const char* user_agent; /* NULL: "gantry-client" */
  int32_t absent_wait_ms; /* how long a daemon that has not answered this client yet is waited for; 0: 2,000; -1: not */
  int32_t reserved0;
  const char* token;      /* sent with each call, never over plain http to another machine; NULL: $GANTRY_TOKEN */
  const char* token_file; /* holds the token on one line; NULL: $GANTRY_TOKEN_FILE, where there is no token either */
  const char* ca_file;    /* PEM: who may have signed a https daemon's certificate; NULL: $GANTRY_CA_FILE, else the
                             system's authorities */
} gantry_client_options;

/* target: a path, unix:///path, http://host:port or https://host:port. NULL: $GANTRY_URL, else unix:///run/gantry/gantry.sock.
 * options may be NULL. Connects to nothing yet. NULL: no memory, or a target of no known form. */
GANTRY_CLIENT_EXPORT gantry_client* gantry_client_new(const char* target, const gantry_client_options* options);
GANTRY_CLIENT_EXPORT void gantry_client_free(gantry_client* client);

typedef struct gantry_call_options {
  uint32_t struct_size;
  int32_t timeout_ms;          /* 0: the client's */
  const char* context;         /* JSON object instead of the client's; NULL: the client's */
  const char* request_id;      /* "req-<uuid>"; NULL: made up */
  const char* idempotency_key; /* NULL: made up */
} gantry_call_options;

typedef struct gantry_reply {
  uint32_t struct_size;
  int32_t ok;          /* 1: result holds; 0: the error fields do */
  const char* result;  /* JSON */
  const char* code;    /* "no_valid_host", ...; "unreachable": no daemon answered; "protocol": not Gantry's answer */
  const char* message; /* says what to do next */
  const char* details; /* JSON object, or "" */
  const char* request_id;
  int32_t http_status; /* 0: no answer */
  int32_t attempts;
} gantry_reply;

/* Calls a method: args is a JSON object or NULL. Never NULL but when out of memory. options may be NULL. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_client_call(gantry_client* client, const char* method, const char* args,
                                                      const gantry_call_options* options);
/* Reads a page that is no method: path is "/openapi.json" or "/readyz", the result the whole of it. context and
 * idempotency_key are not used. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_client_document(gantry_client* client, const char* path,
                                                          const gantry_call_options* options);
GANTRY_CLIENT_EXPORT void gantry_reply_free(gantry_reply* reply);

/* The methods that services and callers use most, args as in methods.md; each is gantry_client_call with the args put
 * together. JSON arguments may be NULL where methods.md gives a default. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_select_destinations(gantry_client* client, const char* request_spec,
                                                              const char* filter_properties);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_schedule_run_instance(gantry_client* client, const char* request_spec,
                                                                const char* filter_properties);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_schedule(gantry_client* client, const char* topic, const char* method,
                                                   const char* kwargs);
/* node may be NULL. */
GANTRY_CLIENT_EXPORT gantry_reply* gantry_update_resource_stats(gantry_client* client, const char* topic,
                                                                const char* host, const char* node, const char* stats);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_update_service_capabilities(gantry_client* client, const char* service,
                                                                      const char* host, const char* capabilities);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_service_register(gantry_client* client, const char* topic, const char* host,
                                                           const char* binary);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_report_state(gantry_client* client, const char* topic, const char* host);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_hosts_up(gantry_client* client, const char* topic);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_group_hosts(gantry_client* client, const char* group);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_receive_casts(gantry_client* client, const char* topic, const char* host,
                                                        int32_t wait_ms);
GANTRY_CLIENT_EXPORT gantry_reply* gantry_acknowledge_cast(gantry_client* client, const char* id);

#ifdef __cplusplus
}
#endif

#endif

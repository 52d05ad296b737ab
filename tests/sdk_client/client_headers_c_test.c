/* SPDX-License-Identifier: Apache-2.0
 *
 * client.h alone, in C11, against the shared library: it compiles, links, and can be used. */
#include <gantry/client.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  gantry_client_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.absent_wait_ms = -1;
  gantry_client* client = gantry_client_new("/nonexistent/gantry.sock", &options);
  if (client == NULL) return 1;
  gantry_reply* reply = gantry_client_call(client, "status", NULL, NULL);
  if (reply == NULL) return 2;
  const int as_expected = reply->ok == 0 && strcmp(reply->code, "unreachable") == 0;
  if (!as_expected) fprintf(stderr, "code %s: %s\n", reply->code, reply->message);
  gantry_reply_free(reply);
  gantry_client_free(client);
  return as_expected ? 0 : 3;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells each field of each struct that a host hands out. Written by fields.py. */

UNUSED static void tell_aggregate(const gantry_driver* driver, const char* at, const gantry_aggregate* it,
                                  uint32_t rows) {
  (void)rows;
  say(driver, "%s.id %ld", at, (long)it->id);
  say(driver, "%s.uuid '%.*s'", at, SHOWN(it->uuid));
  say(driver, "%s.name '%.*s'", at, SHOWN(it->name));
  tell_pairs(driver, at, "metadata", it->metadata);
}

UNUSED static void tell_view(const gantry_driver* driver, const char* at, const gantry_view* it, uint32_t rows) {
  (void)rows;
  say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");
  say(driver, "%s.rows %lu", at, (unsigned long)it->rows);
  say(driver, "%s.topic '%.*s'", at, SHOWN(it->topic));
  tell_aggregates(driver, it);
  say(driver, "%s.aggregate_count %lu", at, (unsigned long)it->aggregate_count);
}

UNUSED static void tell_context(const gantry_driver* driver, const char* at, const gantry_context* it, uint32_t rows) {
  (void)rows;
  say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");
  say(driver, "%s.is_admin %ld", at, (long)it->is_admin);
  say(driver, "%s.user_id '%.*s'", at, SHOWN(it->user_id));
  say(driver, "%s.project_id '%.*s'", at, SHOWN(it->project_id));
  say(driver, "%s.remote_address '%.*s'", at, SHOWN(it->remote_address));
  tell_strings(driver, at, "roles", it->roles);
}

UNUSED static void tell_group(const gantry_driver* driver, const char* at, const gantry_group* it, uint32_t rows) {
  (void)rows;
  say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");
  say(driver, "%s.uuid '%.*s'", at, SHOWN(it->uuid));
  say(driver, "%s.name '%.*s'", at, SHOWN(it->name));
  say(driver, "%s.policy '%.*s'", at, SHOWN(it->policy));
  say(driver, "%s.rules '%.*s'", at, SHOWN(it->rules));
  tell_strings(driver, at, "members", it->members);
  tell_rows(driver, at, "member_rows", it->member_rows, it->member_row_count);
  say(driver, "%s.member_row_count %lu", at, (unsigned long)it->member_row_count);
  tell_strings(driver, at, "hosts", it->hosts);
}

UNUSED static void tell_request(const gantry_driver* driver, const char* at, const gantry_request* it, uint32_t rows) {
  (void)rows;
  say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");
  say(driver, "%s.instances %lu", at, (unsigned long)it->instances);
  say(driver, "%s.alternates %lu", at, (unsigned long)it->alternates);
  say(driver, "%s.present %lu", at, (unsigned long)(it->present & 63));
  if (it->view == NULL)
    say(driver, "%s.view none", at);
  else
    tell_view(driver, "view", it->view, rows);
  tell_bitmap(driver, at, "complete", it->complete, rows);
  tell_strings(driver, at, "instance_uuids", it->instance_uuids);
  say(driver, "%s.vcpus %ld", at, (long)it->vcpus);
  say(driver, "%s.memory_mb %ld", at, (long)it->memory_mb);
  say(driver, "%s.root_gb %ld", at, (long)it->root_gb);
  say(driver, "%s.ephemeral_gb %ld", at, (long)it->ephemeral_gb);
  say(driver, "%s.swap_mb %ld", at, (long)it->swap_mb);
  say(driver, "%s.is_bfv %ld", at, (long)it->is_bfv);
  say(driver, "%s.disk_gb %.17g", at, it->disk_gb);
  say(driver, "%s.flavor '%.*s'", at, SHOWN(it->flavor));
  say(driver, "%s.availability_zone '%.*s'", at, SHOWN(it->availability_zone));
  say(driver, "%s.project_id '%.*s'", at, SHOWN(it->project_id));
  say(driver, "%s.user_id '%.*s'", at, SHOWN(it->user_id));
  tell_strings(driver, at, "force_hosts", it->force_hosts);
  tell_strings(driver, at, "force_nodes", it->force_nodes);
  tell_strings(driver, at, "ignore_hosts", it->ignore_hosts);
  say(driver, "%s.requested_host '%.*s'", at, SHOWN(it->requested_host));
  say(driver, "%s.requested_node '%.*s'", at, SHOWN(it->requested_node));
  tell_pairs(driver, at, "retry_hosts", (gantry_pairs){it->retry_hosts, it->retry_host_count});
  say(driver, "%s.retry_host_count %lu", at, (unsigned long)it->retry_host_count);
  say(driver, "%s.retry_attempts %lu", at, (unsigned long)it->retry_attempts);
  if (it->group == NULL)
    say(driver, "%s.group none", at);
  else
    tell_group(driver, "group", it->group, rows);
  say(driver, "%s.explain_hosts %lu", at, (unsigned long)it->explain_hosts);
  tell_bitmap(driver, at, "eligible", it->eligible, rows);
  tell_bitmap(driver, at, "claimable", it->claimable, rows);
}

UNUSED static void tell_method_call(const gantry_driver* driver, const char* at, const gantry_method_call* it,
                                    uint32_t rows) {
  (void)rows;
  say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");
  say(driver, "%s.topic '%.*s'", at, SHOWN(it->topic));
  say(driver, "%s.method '%.*s'", at, SHOWN(it->method));
  say(driver, "%s.args '%.*s'", at, SHOWN(it->args));
  if (it->view == NULL)
    say(driver, "%s.view none", at);
  else
    tell_view(driver, "view", it->view, rows);
  tell_bitmap(driver, at, "complete", it->complete, rows);
}

UNUSED static void tell_location(const gantry_driver* driver, const char* at, const gantry_location* it,
                                 uint32_t rows) {
  (void)rows;
  say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");
  say(driver, "%s.host '%.*s'", at, SHOWN(it->host));
  say(driver, "%s.node '%.*s'", at, SHOWN(it->node));
  say(driver, "%s.availability_zone '%.*s'", at, SHOWN(it->availability_zone));
  say(driver, "%s.flavor '%.*s'", at, SHOWN(it->flavor));
  say(driver, "%s.project_id '%.*s'", at, SHOWN(it->project_id));
  say(driver, "%s.vm_state '%.*s'", at, SHOWN(it->vm_state));
  say(driver, "%s.vcpus %ld", at, (long)it->vcpus);
  say(driver, "%s.memory_mb %ld", at, (long)it->memory_mb);
  say(driver, "%s.disk_gb %.17g", at, it->disk_gb);
}

UNUSED static void tell_host(const gantry_driver* driver, const char* at, const gantry_host* it, uint32_t rows) {
  (void)rows;
  say(driver, "%s.struct_size %s", at, it->struct_size >= sizeof *it ? "holds all" : "too small");
  say(driver, "%s.abi_major %lu", at, (unsigned long)it->abi_major);
  say(driver, "%s.log %s", at, it->log != NULL ? "is there" : "is missing");
  say(driver, "%s.log_enabled %s", at, it->log_enabled != NULL ? "is there" : "is missing");
  say(driver, "%s.count %s", at, it->count != NULL ? "is there" : "is missing");
  say(driver, "%s.extension %s", at, it->extension != NULL ? "is there" : "is missing");
  say(driver, "%s.fail %s", at, it->fail != NULL ? "is there" : "is missing");
  say(driver, "%s.context %s", at, it->context != NULL ? "is there" : "is missing");
  say(driver, "%s.should_stop %s", at, it->should_stop != NULL ? "is there" : "is missing");
  say(driver, "%s.time_left_ns %s", at, it->time_left_ns != NULL ? "is there" : "is missing");
  say(driver, "%s.now %s", at, it->now != NULL ? "is there" : "is missing");
  say(driver, "%s.random %s", at, it->random != NULL ? "is there" : "is missing");
  say(driver, "%s.scratch %s", at, it->scratch != NULL ? "is there" : "is missing");
  say(driver, "%s.column %s", at, it->column != NULL ? "is there" : "is missing");
  say(driver, "%s.view %s", at, it->view != NULL ? "is there" : "is missing");
  say(driver, "%s.locate %s", at, it->locate != NULL ? "is there" : "is missing");
  say(driver, "%s.derive %s", at, it->derive != NULL ? "is there" : "is missing");
  say(driver, "%s.write %s", at, it->write != NULL ? "is there" : "is missing");
  say(driver, "%s.append %s", at, it->append != NULL ? "is there" : "is missing");
  say(driver, "%s.pick %s", at, it->pick != NULL ? "is there" : "is missing");
  say(driver, "%s.alternate %s", at, it->alternate != NULL ? "is there" : "is missing");
  say(driver, "%s.refuse %s", at, it->refuse != NULL ? "is there" : "is missing");
  say(driver, "%s.explain %s", at, it->explain != NULL ? "is there" : "is missing");
  say(driver, "%s.claim %s", at, it->claim != NULL ? "is there" : "is missing");
  say(driver, "%s.reply %s", at, it->reply != NULL ? "is there" : "is missing");
  say(driver, "%s.cast %s", at, it->cast != NULL ? "is there" : "is missing");
}

UNUSED static void tell_option(const gantry_driver* driver, const char* at, const gantry_option* it, uint32_t rows) {
  (void)rows;
  say(driver, "%s.name '%.*s'", at, SHOWN(it->name));
  say(driver, "%s.type %ld", at, (long)it->type);
  say(driver, "%s.is_default %ld", at, (long)it->is_default);
  say(driver, "%s.integer %ld", at, (long)it->integer);
  say(driver, "%s.real %.17g", at, it->real);
  say(driver, "%s.string '%.*s'", at, SHOWN(it->string));
  tell_strings(driver, at, "strings", it->strings);
  tell_pairs(driver, at, "table", it->table);
}

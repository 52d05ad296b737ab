// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/instance_record.hpp"

#include "core/encoding/uuid.hpp"
#include "core/fleet/cells/cell_values.hpp"

namespace gantry::fleet {

namespace {

TextPointer own(std::string_view text) {
  return text.empty() ? nullptr : Text::make(text);
}

std::string write_or_nothing(const json::object& object) {
  return object.empty() ? std::string() : json::write(object);
}

std::string copy_of(const TextPointer& text) {
  return std::string(view_of(text));
}

}  // namespace

void pack(const Instance& instance, TextPool& pool, InstanceRecord& record) {
  record.project_id = pool.intern(instance.project_id);
  record.user_id = pool.intern(instance.user_id);
  record.host = pool.intern(instance.host);
  record.node = pool.intern(instance.node);
  record.availability_zone = pool.intern(instance.availability_zone);
  record.vm_state = pool.intern(instance.vm_state);
  record.task_state = pool.intern(instance.task_state);
  record.flavor = pool.intern(write_or_nothing(instance.flavor));
  record.image = pool.intern(instance.image);
  if (instance.image_properties.empty())
    record.image_properties = nullptr;
  else
    record.image_properties = pool.intern(json::write_canonical(instance.image_properties));
  record.name = own(instance.name);
  record.fault = own(instance.fault);
  record.request_id = own(instance.request_id);
  record.decision = own(write_or_nothing(instance.decision));
  record.launch_index = instance.launch_index;
  record.created_at = instance.created_at;
  record.updated_at = instance.updated_at;
  record.active_at = instance.active_at;
}

Instance unpack(const InstanceRecord& record) {
  Instance instance;
  instance.uuid = to_text(record.uuid);
  instance.name = copy_of(record.name);
  instance.project_id = copy_of(record.project_id);
  instance.user_id = copy_of(record.user_id);
  instance.host = copy_of(record.host);
  instance.node = copy_of(record.node);
  instance.availability_zone = copy_of(record.availability_zone);
  instance.vm_state = copy_of(record.vm_state);
  instance.task_state = copy_of(record.task_state);
  instance.fault = copy_of(record.fault);
  instance.flavor = parsed_object(view_of(record.flavor));
  instance.image = copy_of(record.image);
  instance.image_properties = parsed_object(view_of(record.image_properties));
  instance.launch_index = record.launch_index;
  instance.request_id = copy_of(record.request_id);
  instance.created_at = record.created_at;
  instance.updated_at = record.updated_at;
  instance.active_at = record.active_at;
  instance.decision = parsed_object(view_of(record.decision));
  return instance;
}

}  // namespace gantry::fleet

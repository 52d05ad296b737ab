// SPDX-License-Identifier: Apache-2.0
//
// The images of the instances on each host. They belong to the host: Nova knows no node of an instance here either.
#include <algorithm>
#include <string>

#include "core/fleet/topics/topic_hosts.hpp"

namespace gantry::fleet {

namespace {

void count(std::vector<ImageCount>& images, const TextPointer& properties, bool has_come) {
  const auto at = std::lower_bound(
      images.begin(), images.end(), properties->view(),
      [](const ImageCount& image, std::string_view wanted) { return image.properties->view() < wanted; });
  // Interned texts are equal only if they are the same.
  const bool is_known = at != images.end() && at->properties == properties;
  if (has_come && is_known)
    ++at->instances;
  else if (has_come)
    images.insert(at, {properties, 1});
  else if (is_known && --at->instances == 0)
    images.erase(at);
}

TextPointer written(const std::vector<ImageCount>& images) {
  if (images.empty()) return nullptr;
  std::string text;
  for (const auto& image : images) {
    text += (text.empty() ? "[[" : ",[") + std::to_string(image.instances) + ",";
    text.append(image.properties->view()).append("]");
  }
  return Text::make(text + "]");
}

}  // namespace

void TopicHosts::update_images(HostEntry& host, const InstanceRecord& instance, bool has_come) {
  if (!images_at_ || !instance.image_properties) return;
  count(host.images, instance.image_properties, has_come);
  show_images(host);
}

void TopicHosts::show_images(HostEntry& host) {
  host.image_properties = written(host.images);
  for (const auto& row : host.rows) table_.set_json(*row, *images_at_, host.image_properties);
}

void TopicHosts::add_image_properties_column() {
  if (images_at_) return;
  images_at_ = table_.add_column({std::string(image_properties_column), GANTRY_TYPE_JSON, true});
  for (const auto& [name, host] : hosts_) {
    for (const auto* resident : host->residents) {
      if (resident->image_properties) count(host->images, resident->image_properties, true);
    }
    show_images(*host);
  }
}

}  // namespace gantry::fleet

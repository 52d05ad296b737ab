// SPDX-License-Identifier: Apache-2.0
//
// IsolatedHostsFilter (from Icehouse on): isolated_images run on isolated_hosts only, and, with
// restrict_isolated_hosts_to_isolated_images, nothing else runs there. Without isolated_images only the latter counts.
// The image is the request's (Icehouse: image_ref of the instance's properties); without one it is not isolated.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "filters/filters.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

struct text_hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using name_set = std::unordered_set<std::string, text_hash, std::equal_to<>>;

const std::optional<std::string>& image_of(const question& asked) {
  static const std::optional<std::string> none_at_all;
  if (!asked.options.compatibility->image_is_an_object) return asked.request.image_ref;
  return asked.request.image ? asked.request.image->id : none_at_all;
}

class isolated_run final : public filter_run {
 public:
  isolated_run(const question& asked, const name_set& isolated, bool isolated_image)
      : asked_(asked),
        hosts_(asked.hosts),
        options_(asked.options),
        isolated_(isolated),
        isolated_image_(isolated_image) {}

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) { return passes(isolated_.contains(hosts_.host[row].value_or(""))); });
  }

  std::string reason() override {
    const auto& image = image_of(asked_);
    if (isolated_image_)
      return "isolated_images names image " + quoted(image.value_or("")) + ", which only isolated_hosts take";
    return "isolated_hosts take isolated_images only, and " +
           (image ? "image " + quoted(*image) + " is none" : "the request names no image");
  }

 private:
  bool passes(bool isolated_host) const {
    if (options_.isolated_images.empty()) return !isolated_host;
    if (options_.restrict_isolated_hosts_to_isolated_images) return isolated_image_ == isolated_host;
    return !isolated_image_ || isolated_host;
  }

  const question& asked_;
  const host_table& hosts_;
  const settings& options_;
  const name_set& isolated_;
  bool isolated_image_;
};

class isolated_hosts final : public filter {
 public:
  explicit isolated_hosts(const settings& options)
      : images_(options.isolated_images.begin(), options.isolated_images.end()),
        hosts_(options.isolated_hosts.begin(), options.isolated_hosts.end()) {}

  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const bool restricts = asked.options.restrict_isolated_hosts_to_isolated_images;
    if (images_.empty() && (hosts_.empty() || !restricts)) return nullptr;
    const auto& image = image_of(asked);
    const bool isolated_image = image && images_.contains(*image);
    if (!isolated_image && (hosts_.empty() || !restricts)) return nullptr;
    return std::make_unique<isolated_run>(asked, hosts_, isolated_image);
  }

 private:
  name_set images_;
  name_set hosts_;
};

}  // namespace

const filter_rule isolated_hosts_filter{"IsolatedHostsFilter", true, true, make_filter<isolated_hosts>,
                                        "isolated_hosts and isolated_images keep host and image apart"};

}  // namespace filter_driver

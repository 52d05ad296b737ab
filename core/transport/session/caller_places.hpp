// SPDX-License-Identifier: Apache-2.0
//
// The places of the calls that wait for an examination, which is shared, and then for their answers to be made one by
// one. Each caller has a bounded number of them, and all together, too.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace gantry::transport {

// [any thread] Outlives its places through them.
class CallerPlaces : public std::enable_shared_from_this<CallerPlaces> {
 public:
  // Gives the place back when it ends. An empty one is false.
  class Place {
   public:
    Place() = default;
    Place(std::shared_ptr<CallerPlaces> places, std::string caller)
        : places_(std::move(places)), caller_(std::move(caller)) {}
    ~Place() { release(); }
    Place(Place&& other) noexcept : places_(std::exchange(other.places_, nullptr)), caller_(std::move(other.caller_)) {}
    Place& operator=(Place&& other) noexcept {
      release();
      places_ = std::exchange(other.places_, nullptr);
      caller_ = std::move(other.caller_);
      return *this;
    }

    explicit operator bool() const { return places_ != nullptr; }
    void release() {
      if (const auto places = std::exchange(places_, nullptr)) places->give_back(caller_);
    }

   private:
    std::shared_ptr<CallerPlaces> places_;
    std::string caller_;
  };

  CallerPlaces(std::size_t most, std::size_t most_of_one) : most_(most), most_of_one_(most_of_one) {}

  // Empty: there is none left, for this caller or for all of them.
  Place take(std::string caller) {
    const std::lock_guard lock(mutex_);
    if (all_ == most_) return {};
    auto& taken = taken_[caller];
    if (taken == most_of_one_) return {};
    ++taken;
    ++all_;
    return {shared_from_this(), std::move(caller)};
  }

 private:
  void give_back(const std::string& caller) {
    const std::lock_guard lock(mutex_);
    --all_;
    const auto taken = taken_.find(caller);
    if (--taken->second == 0) taken_.erase(taken);
  }

  const std::size_t most_;
  const std::size_t most_of_one_;
  std::mutex mutex_;
  std::size_t all_ = 0;
  std::map<std::string, std::size_t> taken_;  // counts by caller
};

}  // namespace gantry::transport

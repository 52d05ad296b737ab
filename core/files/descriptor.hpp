// SPDX-License-Identifier: Apache-2.0
//
// Owns a file descriptor and closes it.
#pragma once

#include <unistd.h>

#include <utility>

namespace gantry::files {

class Descriptor {
 public:
  Descriptor() = default;
  // Takes ownership. A negative number, as a failed open() returns it, means that no file is open.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close_file();
      number_ = other.release();
    }
    return *this;
  }
  ~Descriptor() { close_file(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // Returns the number and gives up the ownership. The caller has to close the file.
  int release() { return std::exchange(number_, -1); }

 private:
  void close_file() const {
    if (is_open()) ::close(number_);
  }

  int number_ = -1;
};

}  // namespace gantry::files

// SPDX-License-Identifier: Apache-2.0
#include "core/files/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace gantry::files {
namespace {

int open_null() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

bool is_open_in_process(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

TEST(Descriptor, ClosesItsFileAtTheEndOfItsLife) {
  const int number = open_null();
  {
    const Descriptor file(number);
    EXPECT_TRUE(file.is_open());
    EXPECT_EQ(file.number(), number);
    EXPECT_TRUE(is_open_in_process(number));
  }
  EXPECT_FALSE(is_open_in_process(number));
}

TEST(Descriptor, IsNotOpenWithoutAFile) {
  EXPECT_FALSE(Descriptor().is_open());
  EXPECT_FALSE(Descriptor(-1).is_open());
}

TEST(Descriptor, HandsItsFileOverWhenItIsMoved) {
  const int number = open_null();
  Descriptor first(number);
  const Descriptor second(std::move(first));
  EXPECT_EQ(second.number(), number);
  EXPECT_TRUE(is_open_in_process(number));
}

TEST(Descriptor, ClosesTheFileThatAnAssignmentReplaces) {
  const int replaced = open_null();
  const int number = open_null();
  Descriptor file(replaced);
  file = Descriptor(number);
  EXPECT_EQ(file.number(), number);
  EXPECT_FALSE(is_open_in_process(replaced));
}

TEST(Descriptor, LeavesAReleasedFileOpen) {
  const int number = open_null();
  {
    Descriptor file(number);
    EXPECT_EQ(file.release(), number);
    EXPECT_FALSE(file.is_open());
  }
  ASSERT_TRUE(is_open_in_process(number));
  ::close(number);
}

}  // namespace
}  // namespace gantry::files

// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file/file_content.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/drivers/file/refusal.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::drivers {

Result<std::vector<std::byte>> read_content(int descriptor, std::string_view path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) {
    return refuse(path, {"readable", "a file that can be read", files::errno_text(errno)});
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0 || size > largest_driver_file) {
    return refuse(path, {"size", "1 to " + std::to_string(largest_driver_file) + " bytes", std::to_string(size),
                         "copy the file again from where it was built"});
  }
  std::vector<std::byte> content(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(descriptor, content.data() + done, size - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse(path, {"readable", "a file that can be read", files::errno_text(errno)});
    if (got == 0) {
      return refuse(path, {"size", std::to_string(size) + " bytes, as when it was opened",
                           std::to_string(done) + " bytes", "something is writing to it: install drivers by renaming"});
    }
    done += static_cast<std::size_t>(got);
  }
  return content;
}

}  // namespace gantry::drivers

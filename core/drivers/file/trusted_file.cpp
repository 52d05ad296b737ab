// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file/trusted_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>

#include "core/drivers/file/refusal.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/mode_text.hpp"
#include "core/files/write_access.hpp"

namespace gantry::drivers {
namespace {

Result<void> check_owner_and_mode(const struct stat& status, const std::string& where, std::string_view path) {
  const std::string_view what = S_ISDIR(status.st_mode) ? "directory" : "file";
  const std::string about = std::string(what) + " " + where;
  if (!files::has_trusted_owner(status)) {
    return refuse(path, {"owner", about + " to belong to root or to the service's user " + std::to_string(::geteuid()),
                         "user " + std::to_string(status.st_uid), "chown it to root"});
  }
  if (!files::strangers_may_write(status, files::GroupWrite::refused)) return {};
  const std::string mode = "mode " + files::mode_text(status.st_mode);
  if ((status.st_mode & S_ISVTX) != 0) {
    return refuse(path, {"mode", about + " to be writable by its owner only",
                         mode + ", a sticky directory such as /tmp, where anybody may put files",
                         "keep drivers in a directory of root's or of the service's user"});
  }
  return refuse(path, {"mode", about + " to be writable by its owner only", mode, "chmod go-w it"});
}

Error cannot_open(int error, const std::string& where, std::string_view path) {
  return refuse(path, {"readable", where + " to exist and be readable by the service", files::errno_text(error)});
}

class Walk {
 public:
  Walk(const std::string& path, LastLink last_link) : path_(path), last_link_(last_link) {}

  Result<files::Descriptor> go() {
    if (path_.empty() || path_.front() != '/') {
      return refuse(path_, {"path", "an absolute path", "a relative one", "write it with its leading /"});
    }
    push_names(path_);
    if (Result<void> entered = enter_root(); !entered) return std::move(entered).error();
    while (!names_.empty()) {
      const std::string name = std::move(names_.front());
      names_.pop_front();
      Result<std::optional<files::Descriptor>> found = step(name);
      if (!found) return std::move(found).error();
      if (*found) return *std::move(*found);
    }
    return refuse(path_, {"regular file", "a file", "a directory"});
  }

 private:
  // Puts the names of `text` in front of the names that are left.
  void push_names(std::string_view text) {
    std::deque<std::string> names;
    while (!text.empty()) {
      const std::size_t length = std::min(text.find('/'), text.size());
      const std::string_view name = text.substr(0, length);
      if (!name.empty() && name != ".") names.emplace_back(name);
      text.remove_prefix(std::min(length + 1, text.size()));
    }
    names_.insert(names_.begin(), names.begin(), names.end());
  }

  Result<void> enter_root() { return enter(files::Descriptor(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)), "/"); }

  Result<void> enter(files::Descriptor directory, std::string where) {
    struct stat status {};
    if (!directory.is_open() || ::fstat(directory.number(), &status) != 0) return cannot_open(errno, where, path_);
    if (Result<void> checked = check_owner_and_mode(status, where, path_); !checked) return checked;
    directory_ = std::move(directory);
    where_ = std::move(where);
    return {};
  }

  Result<std::optional<files::Descriptor>> step(const std::string& name) {
    std::string where = (where_ == "/" ? "" : where_) + "/" + name;
    if (name == "..") where = where_.substr(0, std::max<std::size_t>(where_.rfind('/'), 1));
    files::Descriptor next(::openat(directory_.number(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!next.is_open() || ::fstat(next.number(), &status) != 0) return cannot_open(errno, where, path_);
    const bool is_last = names_.empty();
    if (S_ISLNK(status.st_mode) && (!is_last || last_link_ == LastLink::followed)) {
      if (Result<void> followed = follow(next); !followed) return std::move(followed).error();
      return std::optional<files::Descriptor>{};
    }
    if (is_last) return open_file(next, status, where);
    if (!S_ISDIR(status.st_mode))
      return refuse(path_, {"path", where + " to be a directory", files::kind_text(status.st_mode)});
    if (Result<void> entered = enter(std::move(next), std::move(where)); !entered) return std::move(entered).error();
    return std::optional<files::Descriptor>{};
  }

  Result<void> follow(const files::Descriptor& link) {
    constexpr int most_links = 40;
    if (++links_ > most_links) {
      return refuse(path_, {"path", "at most " + std::to_string(most_links) + " symbolic links", "more"});
    }
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlinkat(link.number(), "", target.data(), target.size());
    if (length <= 0) return cannot_open(errno, where_, path_);
    const std::string_view text(target.data(), static_cast<std::size_t>(length));
    push_names(text);
    return text.front() == '/' ? enter_root() : Result<void>{};
  }

  Result<std::optional<files::Descriptor>> open_file(const files::Descriptor& found, const struct stat& status,
                                                     const std::string& where) {
    if (!S_ISREG(status.st_mode)) {
      return refuse(path_, {"regular file", "a file, not a link or anything special", files::kind_text(status.st_mode),
                            S_ISLNK(status.st_mode) ? "name the file that the link points to" : ""});
    }
    if (Result<void> checked = check_owner_and_mode(status, where, path_); !checked) return std::move(checked).error();
    if ((status.st_mode & (S_ISUID | S_ISGID)) != 0) {
      return refuse(path_, {"mode", "file " + where + " without the bits set-user-ID and set-group-ID",
                            "mode " + files::mode_text(status.st_mode), "chmod ug-s it"});
    }
    // Opens the checked descriptor: the name could mean another file by now.
    const std::string same = "/proc/self/fd/" + std::to_string(found.number());
    files::Descriptor readable(::open(same.c_str(), O_RDONLY | O_CLOEXEC));
    if (!readable.is_open()) return cannot_open(errno, where, path_);
    return std::optional<files::Descriptor>(std::move(readable));
  }

  const std::string& path_;
  const LastLink last_link_;
  std::deque<std::string> names_;  // left to walk
  files::Descriptor directory_;
  std::string where_;  // the path of directory_
  int links_ = 0;
};

}  // namespace

Result<files::Descriptor> open_trusted(const std::string& path, LastLink last_link) {
  return Walk(path, last_link).go();
}

Result<files::Descriptor> open_untrusted(const std::string& path) {
  files::Descriptor readable(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!readable.is_open() || ::fstat(readable.number(), &status) != 0) return cannot_open(errno, path, path);
  if (!S_ISREG(status.st_mode)) return refuse(path, {"regular file", "a file", files::kind_text(status.st_mode)});
  return readable;
}

}  // namespace gantry::drivers

// SPDX-License-Identifier: Apache-2.0
#include "core/store/write_ahead_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "core/store/file_descriptor.hpp"

namespace gantry::store {

namespace {

constexpr std::size_t header_size = 32;
constexpr std::size_t frame_header_size = 24;
constexpr std::uint32_t magic = 0x377f0682;  // its last bit: the words that are summed up are big-endian
constexpr std::uint32_t version = 3007000;
// What a disk writes whole or not at all.
constexpr std::uint64_t sector = 512;

using Bytes = std::span<const unsigned char>;
// Two words: salts, or a checksum.
using Pair = std::array<std::uint32_t, 2>;

std::uint32_t big_endian(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 | std::uint32_t{bytes[at + 2]} << 8 |
         std::uint32_t{bytes[at + 3]};
}

std::uint32_t little_endian(Bytes bytes, std::size_t at) {
  return std::uint32_t{bytes[at + 3]} << 24 | std::uint32_t{bytes[at + 2]} << 16 | std::uint32_t{bytes[at + 1]} << 8 |
         std::uint32_t{bytes[at]};
}

Pair pair_at(Bytes bytes, std::size_t at) {
  return {big_endian(bytes, at), big_endian(bytes, at + 4)};
}

template <class Word>
Pair summed(Pair sum, Bytes bytes, Word word) {
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    sum[0] += word(bytes, at) + sum[1];
    sum[1] += word(bytes, at + 4) + sum[0];
  }
  return sum;
}

std::string hexadecimal(std::uint32_t number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "0x%08x", static_cast<unsigned>(number));
  return text.data();
}

std::string hexadecimal(const Pair& pair) {
  return hexadecimal(pair[0]) + " " + hexadecimal(pair[1]);
}

struct Header {
  bool has_big_endian_words = false;
  std::uint32_t page_size = 0;
  Pair salts{};
  Pair checksum{};

  explicit Header(Bytes bytes)
      : has_big_endian_words((big_endian(bytes, 0) & 1) != 0),
        page_size(big_endian(bytes, 8)),
        salts(pair_at(bytes, 16)),
        checksum(pair_at(bytes, 24)) {}

  Pair sum_of(Bytes bytes, Pair from = {}) const {
    return has_big_endian_words ? summed(from, bytes, big_endian) : summed(from, bytes, little_endian);
  }
};

std::string difference(const std::string& what, const std::string& expected, const std::string& found) {
  return "expected " + what + " " + expected + ", found " + found;
}

std::optional<std::string> fault_of_header(Bytes bytes) {
  const Header header(bytes);
  if ((big_endian(bytes, 0) & ~1U) != magic) {
    return difference("its header to begin with", hexadecimal(magic) + " or " + hexadecimal(magic | 1),
                      hexadecimal(big_endian(bytes, 0)));
  }
  if (const auto sum = header.sum_of(bytes.first(24)); sum != header.checksum)
    return difference("its header to have the checksum", hexadecimal(sum), hexadecimal(header.checksum));
  if (big_endian(bytes, 4) != version)
    return difference("its header to say version", std::to_string(version), std::to_string(big_endian(bytes, 4)));
  const auto size = header.page_size;
  if (size >= 512 && size <= 65536 && (size & (size - 1)) == 0) return std::nullopt;
  return difference("its header to say a page size that is", "a power of 2 from 512 to 65536", std::to_string(size));
}

// A write that the disk refused after half of it, over the header of the round before: the number of the round is new,
// salts and checksum are not. SQLite begins a round once all frames are in the store.
bool is_half_renewed(std::array<unsigned char, header_size> bytes) {
  const auto before = big_endian(bytes, 12) - 1;
  for (std::size_t i = 0; i < 4; ++i) bytes[12 + i] = static_cast<unsigned char>(before >> (24 - 8 * i));
  return !fault_of_header(bytes);
}

struct Frame {
  std::uint64_t number = 0;  // from 1
  std::uint64_t offset = 0;
  bool commits = false;
  Pair salts{};
  Pair checksum{};
  Pair expected{};  // by what it holds and the checksum before it

  bool is_of(const Header& header) const { return salts == header.salts; }
  bool is_sound(const Header& header) const { return is_of(header) && checksum == expected; }
  // Of a frame with the header's salts that is not sound the database size may be older than the salts, but not if both
  // lie in one sector.
  bool surely_commits(const Header& header) const {
    const bool is_in_one_sector = offset / sector == (offset + frame_header_size - 1) / sector;
    return commits && is_of(header) && (is_sound(header) || is_in_one_sector);
  }
  std::string name() const { return "frame " + std::to_string(number) + " at offset " + std::to_string(offset); }
  std::string fault(const Header& header) const {
    if (!is_of(header)) return difference(name() + " to have the salts", hexadecimal(header.salts), hexadecimal(salts));
    return difference(name() + " to have the checksum", hexadecimal(expected), hexadecimal(checksum));
  }
};

class Log {
 public:
  Log(FileDescriptor file, std::string store_path, std::uint64_t size)
      : file_(std::move(file)), store_path_(std::move(store_path)), size_(size) {}

  Result<void> check() const {
    if (size_ <= header_size) return {};
    std::array<unsigned char, header_size> bytes{};
    if (auto read = read_into(bytes, 0); !read) return read;
    // No frame is written before the header is synced.
    if (const auto fault = fault_of_header(bytes)) {
      if (is_half_renewed(bytes)) return {};
      return damaged(*fault + ", with " + std::to_string(size_ - header_size) + " bytes behind it");
    }
    if (auto checked = check_frames(Header(bytes)); !checked) return checked;
    return sync();
  }

 private:
  // A frame that goes on from the checksum of a commit was written once that commit had been synced, with all before
  // it. What does not hold up to such a commit is damage. Frames that a torn or failed transaction left behind, or an
  // earlier round, never go on so.
  Result<void> check_frames(const Header& header) const {
    std::vector<unsigned char> bytes(frame_header_size + header.page_size);
    std::optional<Frame> broken;
    Frame before;
    before.checksum = header.checksum;
    for (std::uint64_t offset = header_size; offset + bytes.size() <= size_; offset += bytes.size()) {
      if (auto read = read_into(bytes, offset); !read) return read;
      const Frame frame = frame_of(bytes, header, before, offset);
      if (!frame.is_sound(header)) {
        if (!broken) broken = frame;
      } else if (broken && before.surely_commits(header)) {
        return damaged(broken->fault(header) + ", while frame " + std::to_string(before.number) +
                       " behind it commits and frame " + std::to_string(frame.number) + " goes on from there");
      }
      before = frame;
    }
    return {};
  }

  static Frame frame_of(Bytes bytes, const Header& header, const Frame& before, std::uint64_t offset) {
    Frame frame;
    frame.number = before.number + 1;
    frame.offset = offset;
    frame.commits = big_endian(bytes, 4) != 0;
    frame.salts = pair_at(bytes, 8);
    frame.checksum = pair_at(bytes, 16);
    frame.expected = header.sum_of(bytes.subspan(frame_header_size), header.sum_of(bytes.first(8), before.checksum));
    return frame;
  }

  // Of a killed process the last commit may not be on the disk yet, and the next would follow it as if it were.
  Result<void> sync() const {
    if (fdatasync(file_.number()) == 0) return {};
    return failed("cannot be synced", errno);
  }

  Result<void> read_into(std::span<unsigned char> bytes, std::uint64_t offset) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const auto rest = bytes.subspan(done);
      const ssize_t got = pread(file_.number(), rest.data(), rest.size(), static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return failed("cannot be read", errno);
      if (got == 0) return failed("became shorter while it was read; end the program that uses it", 0);
      done += static_cast<std::size_t>(got);
    }
    return {};
  }

  Error failed(const std::string& what, int number) const {
    const std::string why = number != 0 ? ": " + std::generic_category().message(number) : "";
    return Error{
        ErrorCode::unavailable, "store " + store_path_ + ": its log " + store_path_ + "-wal " + what + why, {}};
  }

  Error damaged(const std::string& what) const {
    return Error{ErrorCode::failed_precondition,
                 "store " + store_path_ + ": damaged: its log " + store_path_ + "-wal: " + what +
                     "; both were left as they were: put a copy of both in their place, or move the log away and lose "
                     "what was committed since the last checkpoint",
                 {}};
  }

  FileDescriptor file_;
  std::string store_path_;
  std::uint64_t size_;
};

}  // namespace

Result<void> check_write_ahead_log(const std::string& store_path) {
  const std::string path = store_path + "-wal";
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!file.is_open() || fstat(file.number(), &status) != 0) {
    const int number = errno;
    if (number == ENOENT) return {};
    return Error{number == EACCES ? ErrorCode::permission_denied : ErrorCode::unavailable,
                 "store " + store_path + ": its log " + path +
                     " cannot be opened for reading: " + std::generic_category().message(number),
                 {}};
  }
  return Log(std::move(file), store_path, static_cast<std::uint64_t>(status.st_size)).check();
}

}  // namespace gantry::store

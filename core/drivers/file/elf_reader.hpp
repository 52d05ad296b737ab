// SPDX-License-Identifier: Apache-2.0
//
// Reads the bytes of an ELF file with bounds checks. Translates addresses in memory into offsets in the file by the
// segments that were added.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gantry::drivers {

class ElfReader {
 public:
  explicit ElfReader(std::span<const std::byte> content) : content_(content) {}

  std::uint64_t size() const { return content_.size(); }

  bool contains(std::uint64_t offset, std::uint64_t length) const {
    return offset <= content_.size() && length <= content_.size() - offset;
  }

  // Returns the bytes in a range of the file. Empty if the range reaches beyond the file.
  std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t length) const {
    return contains(offset, length) ? content_.subspan(offset, length) : std::span<const std::byte>{};
  }

  // Returns a copy of the T at `offset`. nullopt if the T reaches beyond the file.
  template <class T>
  std::optional<T> at(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!contains(offset, sizeof(T))) return std::nullopt;
    T value;
    std::memcpy(&value, content_.data() + offset, sizeof(T));
    return value;
  }

  // Returns the text at `offset` up to its NUL. nullopt if there is no NUL before the offset `end` or `end` is beyond
  // the file.
  std::optional<std::string_view> text(std::uint64_t offset, std::uint64_t end) const {
    if (end > content_.size() || offset >= end) return std::nullopt;
    const auto* begin = reinterpret_cast<const char*>(content_.data() + offset);
    const std::size_t length = ::strnlen(begin, end - offset);
    if (length == end - offset) return std::nullopt;
    return std::string_view(begin, length);
  }

  void add_segment(const Elf64_Phdr& segment) { segments_.push_back(segment); }

  // Returns the offset in the file of the byte at an address. nullopt if no segment holds the address.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : segments_) {
      if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
        return segment.p_offset + (address - segment.p_vaddr);
      }
    }
    return std::nullopt;
  }

 private:
  std::span<const std::byte> content_;
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace gantry::drivers

// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/file/elf_dynamic.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "core/drivers/file/refusal.hpp"

namespace gantry::drivers {
namespace {

struct DynamicTable {
  std::map<Elf64_Sxword, std::uint64_t> values;  // the last of each tag but DT_NEEDED
  std::vector<std::uint64_t> needed;

  std::optional<std::uint64_t> find(Elf64_Sxword tag) const {
    const auto found = values.find(tag);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
};

Error broken(std::string_view path, std::string expected, std::string found) {
  return refuse(path, {"ELF dynamic section", std::move(expected), std::move(found),
                       "the file is damaged: copy it again from where it was built"});
}

// ld.so uses the address alone and reads until DT_NULL. It ignores the segment's offset and size.
Result<void> check_place(const ElfReader& reader, const Elf64_Phdr& dynamic, std::string_view path) {
  const auto offset = reader.offset_of(dynamic.p_vaddr);
  if (offset == dynamic.p_offset) return {};
  return refuse(path, {"ELF dynamic section's place",
                       "offset " + std::to_string(dynamic.p_offset) + " at its address, where ld.so reads it",
                       offset ? "offset " + std::to_string(*offset) : "nothing of the file there",
                       "the file is damaged: copy it again from where it was built"});
}

Result<DynamicTable> read_table(const ElfReader& reader, const Elf64_Phdr& dynamic, std::string_view path) {
  if (Result<void> checked = check_place(reader, dynamic, path); !checked) return std::move(checked).error();
  DynamicTable table;
  for (std::uint64_t done = 0; done + sizeof(Elf64_Dyn) <= dynamic.p_filesz; done += sizeof(Elf64_Dyn)) {
    const auto entry = reader.at<Elf64_Dyn>(dynamic.p_offset + done);
    if (!entry) break;
    if (entry->d_tag == DT_NULL) return table;
    if (entry->d_tag == DT_NEEDED) {
      table.needed.push_back(entry->d_un.d_val);
    } else {
      table.values[entry->d_tag] = entry->d_un.d_val;
    }
  }
  return refuse(path, {"ELF dynamic section's end", "DT_NULL within its " + std::to_string(dynamic.p_filesz) + " bytes",
                       "none", "the file is damaged: copy it again from where it was built"});
}

// How many symbols the GNU hash table reaches: it has no count of its own, the end of the last chain is the end.
std::optional<std::uint64_t> count_by_gnu_hash(const ElfReader& reader, std::uint64_t table) {
  const auto header = reader.at<std::array<std::uint32_t, 4>>(table);
  if (!header) return std::nullopt;
  const auto [bucket_count, first_symbol, bloom_words, bloom_shift] = *header;
  const std::uint64_t buckets = table + sizeof(*header) + std::uint64_t{bloom_words} * 8;
  if (!reader.contains(buckets, std::uint64_t{bucket_count} * 4)) return std::nullopt;
  std::uint32_t last = 0;
  for (std::uint64_t bucket = 0; bucket < bucket_count; ++bucket) {
    last = std::max(last, reader.at<std::uint32_t>(buckets + bucket * 4).value_or(0));
  }
  if (last < first_symbol) return first_symbol;
  const std::uint64_t chains = buckets + std::uint64_t{bucket_count} * 4;
  for (std::uint64_t symbol = last;; ++symbol) {
    const auto link = reader.at<std::uint32_t>(chains + (symbol - first_symbol) * 4);
    if (!link) return std::nullopt;
    if ((*link & 1U) != 0) return symbol + 1;
  }
}

std::optional<std::uint64_t> count_symbols(const ElfReader& reader, const DynamicTable& table) {
  std::optional<std::uint64_t> count;
  if (const auto address = table.find(DT_HASH)) {
    const auto offset = reader.offset_of(*address);
    const auto header = offset ? reader.at<std::array<std::uint32_t, 2>>(*offset) : std::nullopt;
    if (!header) return std::nullopt;
    count = (*header)[1];
  }
  if (const auto address = table.find(DT_GNU_HASH)) {
    const auto offset = reader.offset_of(*address);
    const auto reached = offset ? count_by_gnu_hash(reader, *offset) : std::nullopt;
    if (!reached) return std::nullopt;
    count = std::max(count.value_or(0), *reached);
  }
  return count.value_or(0);
}

// Symbols that the linker makes on its own, and the names of version nodes.
bool is_of_the_linker(std::string_view name, const Elf64_Sym& symbol) {
  constexpr std::array<std::string_view, 6> names = {"_init", "_fini", "__bss_start", "_edata", "_end", "__end__"};
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  return symbol.st_shndx == SHN_ABS && symbol.st_value == 0;
}

class DynamicReader {
 public:
  DynamicReader(const ElfReader& reader, DynamicTable table, std::string_view path)
      : reader_(reader), table_(std::move(table)), path_(path) {}

  Result<void> read(ElfFile& file) {
    if (Result<void> found = find_texts(); !found) return found;
    for (const std::uint64_t offset : table_.needed) {
      const auto name = text(offset);
      if (!name || name->empty())
        return broken(path_, "the name of a needed library", "an offset outside of its texts");
      file.libraries.emplace_back(*name);
    }
    for (const auto tag : {DT_RPATH, DT_RUNPATH}) {
      if (Result<void> read = read_text(tag, file.search_path); !read) return read;
    }
    for (const Elf64_Sxword tag : {DT_AUXILIARY, DT_FILTER, DT_AUDIT, DT_DEPAUDIT}) {
      if (Result<void> read = read_text(tag, file.other_objects); !read) return read;
    }
    const std::uint64_t flags_1 = table_.find(DT_FLAGS_1).value_or(0);
    file.asks_to_be_global = (flags_1 & DF_1_GLOBAL) != 0;
    file.asks_to_be_first = (flags_1 & DF_1_INITFIRST) != 0;
    if ((flags_1 & DF_1_PIE) != 0) {
      return refuse(path_, {"ELF type", "a shared object", "a program that can be placed anywhere (PIE)",
                            "link it with -shared"});
    }
    const std::uint64_t flags = table_.find(DT_FLAGS).value_or(0);
    file.has_text_relocations = table_.find(DT_TEXTREL).has_value() || (flags & DF_TEXTREL) != 0;
    file.has_static_tls = (flags & DF_STATIC_TLS) != 0;
    return read_symbols(file);
  }

 private:
  Result<void> find_texts() {
    const auto address = table_.find(DT_STRTAB);
    const auto offset = address ? reader_.offset_of(*address) : std::nullopt;
    const std::uint64_t size = table_.find(DT_STRSZ).value_or(0);
    if (!offset || !reader_.contains(*offset, size)) {
      return broken(path_, "a table of texts inside the file", address ? "one outside of it" : "none");
    }
    texts_ = *offset;
    texts_end_ = *offset + size;
    return {};
  }

  std::optional<std::string_view> text(std::uint64_t offset) const {
    if (offset > texts_end_ - texts_) return std::nullopt;
    return reader_.text(texts_ + offset, texts_end_);
  }

  Result<void> read_text(Elf64_Sxword tag, std::string& out) const {
    const auto offset = table_.find(tag);
    if (!offset) return {};
    const auto found = text(*offset);
    if (!found) return broken(path_, "texts inside its table", "one outside of it (tag " + std::to_string(tag) + ")");
    // An empty search path still is one.
    out = found->empty() ? "\"\"" : std::string(*found);
    return {};
  }

  Result<void> read_symbols(ElfFile& file) const {
    const auto address = table_.find(DT_SYMTAB);
    const auto offset = address ? reader_.offset_of(*address) : std::nullopt;
    const auto count = count_symbols(reader_, table_);
    if (!offset || !count || *count > reader_.size() || !reader_.contains(*offset, *count * sizeof(Elf64_Sym))) {
      return broken(path_, "a table of dynamic symbols inside the file", "none, or one that reaches beyond its end");
    }
    for (std::uint64_t index = 1; index < *count; ++index) {
      const auto symbol = reader_.at<Elf64_Sym>(*offset + index * sizeof(Elf64_Sym));
      if (!symbol || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL) continue;
      const bool is_undefined = symbol->st_shndx == SHN_UNDEF;
      if (is_undefined && ELF64_ST_BIND(symbol->st_info) == STB_WEAK) continue;
      const auto name = text(symbol->st_name);
      if (!name) return broken(path_, "the name of each dynamic symbol", "an offset outside of its texts");
      if (is_undefined) {
        file.undefined.emplace_back(*name);
      } else if (!is_of_the_linker(*name, *symbol)) {
        file.exported.push_back({std::string(*name), static_cast<unsigned char>(ELF64_ST_TYPE(symbol->st_info))});
      }
    }
    std::sort(file.undefined.begin(), file.undefined.end());
    std::sort(file.exported.begin(), file.exported.end(),
              [](const ElfSymbol& left, const ElfSymbol& right) { return left.name < right.name; });
    return {};
  }

  const ElfReader& reader_;
  const DynamicTable table_;
  const std::string_view path_;
  std::uint64_t texts_ = 0;
  std::uint64_t texts_end_ = 0;
};

}  // namespace

Result<void> read_dynamic(const ElfReader& reader, const Elf64_Phdr& dynamic, std::string_view path, ElfFile& file) {
  Result<DynamicTable> table = read_table(reader, dynamic, path);
  if (!table) return std::move(table).error();
  return DynamicReader(reader, *std::move(table), path).read(file);
}

}  // namespace gantry::drivers

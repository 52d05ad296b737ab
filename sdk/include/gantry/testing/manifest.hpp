// SPDX-License-Identifier: Apache-2.0
//
// Reads the manifest of the driver, or of the library of offers, that a test is linked with, so that a test need not
// repeat the needed columns and the options. Needs toml++ (Debian: libtomlplusplus-dev). Example:
//
//   const auto manifest = gantry::testing::manifest::of_program();
//   host.needs = manifest.needs();
//   host.options = manifest.options();          // every option with its default
//   host.options.integer("reserve_mb", 1024);   // replaces one default
#pragma once

#include <elf.h>
#include <toml++/toml.h>
#include <gantry/testing/fake_request.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry::testing {

class manifest {
 public:
  // Returns the manifest in the running program. Throws std::runtime_error if the program holds none.
  static manifest of_program() { return of_file("/proc/self/exe"); }
  // Returns the manifest in an ELF file. Throws std::runtime_error if the file holds none.
  static manifest of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::string text = section(bytes, ".gantry.manifest");
    if (text.empty()) throw std::runtime_error(path + ": expected a section .gantry.manifest, found none");
    return manifest(text);
  }
  // Reads the text of a manifest. Throws toml::parse_error if the text is not TOML.
  explicit manifest(std::string_view text) : manifest(toml::table(toml::parse(text))) {}

  // Returns the part of the offer `name`. Throws std::runtime_error if the manifest has no such offer.
  manifest offer(const std::string& name) const {
    const toml::table* found = table_["offers"][name].as_table();
    if (found == nullptr) throw std::runtime_error("the manifest has no [offers." + name + "]");
    return manifest(*found);
  }

  // Returns the names in columns.needs, without their types.
  std::vector<std::string> needs() const {
    std::vector<std::string> names;
    if (const toml::array* columns = table_["columns"]["needs"].as_array()) {
      for (const std::string& column : texts(*columns)) names.push_back(column.substr(0, column.find(':')));
    }
    return names;
  }

  // Returns all options that have a default, with the default as the value. An option with required = true is left out:
  // the test gives its value.
  fake_options options() const {
    fake_options options;
    if (const toml::table* declared = table_["options"].as_table()) {
      for (const auto& [name, option] : *declared) {
        if (const toml::table* described = option.as_table()) add(options, std::string(name.str()), *described);
      }
    }
    return options;
  }

 private:
  explicit manifest(toml::table table) : table_(std::move(table)) {}

  static std::vector<std::string> texts(const toml::array& array) {
    std::vector<std::string> found;
    for (const toml::node& item : array) found.push_back(item.value_or(std::string()));
    return found;
  }

  static void add(fake_options& options, const std::string& name, const toml::table& described) {
    const auto type = described["type"].value_or(std::string());
    const auto value = described["default"];
    if (!value) return;
    if (type == "boolean") options.boolean(name, value.value_or(false));
    if (type == "integer") options.integer(name, value.value_or(std::int64_t{0}));
    if (type == "real") options.real(name, value.value_or(0.0));
    if (type == "string") options.string(name, value.value_or(std::string()));
    if (const toml::array* items = value.as_array(); items != nullptr && type == "strings")
      options.strings(name, texts(*items));
    if (const toml::table* items = value.as_table(); items != nullptr && type == "table") {
      std::map<std::string, std::string> pairs;
      for (const auto& [key, item] : *items) pairs[std::string(key.str())] = item.value_or(std::string());
      options.table(name, pairs);
    }
  }

  // Returns the content of a section of an ELF file of this machine's class, without trailing NULs. Empty if the file
  // has no such section.
  static std::string section(const std::string& bytes, std::string_view name) {
    Elf64_Ehdr header;
    if (bytes.size() < sizeof(header) || bytes.compare(0, SELFMAG, ELFMAG) != 0) return {};
    std::memcpy(&header, bytes.data(), sizeof(header));
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    if (header.e_shoff + sections.size() * sizeof(Elf64_Shdr) > bytes.size()) return {};
    std::memcpy(sections.data(), bytes.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
    for (const Elf64_Shdr& each : sections) {
      const char* const found = bytes.data() + sections.at(header.e_shstrndx).sh_offset + each.sh_name;
      if (found != name) continue;
      std::string text = bytes.substr(each.sh_offset, each.sh_size);
      while (!text.empty() && text.back() == '\0') text.pop_back();
      return text;
    }
    return {};
  }

  toml::table table_;
};

}  // namespace gantry::testing

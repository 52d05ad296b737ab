#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Doxygen reads the SDK's headers without a warning, and their comments are in what it writes.
# Usage: headers_make_documentation.sh DOXYFILE DIRECTORY
set -eu

if ! command -v doxygen >/dev/null; then
  echo "SKIPPED: doxygen is not installed; packaging/install-packages --lint installs it"
  exit 77
fi
rm -rf "$2"
mkdir -p "$2"
{
  cat "$1"
  echo "OUTPUT_DIRECTORY = $2"
} | doxygen -

# expect PAGE SENTENCE
expect() {
  if ! grep -qF "$2" "$documentation/$1"; then
    echo "$documentation/$1: expected the sentence '$2', found none"
    exit 1
  fi
}
documentation=$2/html
expect driver_8h.html 'Memory never changes its owner.'
expect structgantry__pick.html 'index, 0 to instances-1'
expect classgantry_1_1call.html 'Sets the sentence of a failure, for people.'
expect classgantry_1_1filter.html 'Mandatory.'

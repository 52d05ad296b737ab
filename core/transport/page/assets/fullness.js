// SPDX-License-Identifier: Apache-2.0
// How full a host is: what is used of what may be given out, which is its capacity times the allocation ratio.
import { decimal, gigabytes, mebibytes } from "./formats.js";

export const resources = {
  memory: {
    name: "memory",
    title: "Memory",
    total: "memory_mb",
    used: "memory_mb_used",
    ratio: "ram_allocation_ratio",
    words: mebibytes,
  },
  vcpus: {
    name: "vCPUs",
    title: "vCPUs",
    total: "vcpus",
    used: "vcpus_used",
    ratio: "cpu_allocation_ratio",
    words: (value) => decimal(value, 0),
  },
  disk: {
    name: "disk",
    title: "Disk",
    total: "local_gb",
    used: "local_gb_used",
    ratio: "disk_allocation_ratio",
    words: gigabytes,
  },
};

export function limitOf(row, resource) {
  const { total, ratio } = resources[resource];
  return (row[total] ?? NaN) * (row[ratio] || 1);
}

// From 0 to 1 and beyond; NaN where the host has not said.
export function fullness(row, resource) {
  if (resource === "fullest") {
    const each = Object.keys(resources)
      .map((name) => fullness(row, name))
      .filter((part) => !Number.isNaN(part));
    return each.length ? Math.max(...each) : NaN;
  }
  const limit = limitOf(row, resource);
  return limit > 0 ? (row[resources[resource].used] ?? 0) / limit : NaN;
}

// "96.2 GiB of 128 GiB"
export function useWords(row, resource) {
  const limit = limitOf(row, resource);
  const { used, words } = resources[resource];
  return Number.isFinite(limit) ? `${words(row[used] ?? 0)} of ${words(limit)}` : "not reported";
}

// The classes of the text beside the picture: [words, least, below].
export const classes = [
  ["below 20 %", -1, 0.2],
  ["20–40 %", 0.2, 0.4],
  ["40–60 %", 0.4, 0.6],
  ["60–80 %", 0.6, 0.8],
  ["80–95 %", 0.8, 0.95],
  ["95 % and more", 0.95, Infinity],
];

// The name of the colour of a part.
export function colourOf(part) {
  if (Number.isNaN(part)) return "--fill-away";
  if (part >= 0.95) return "--fill-full";
  return `--fill-${Math.max(0, Math.min(7, Math.floor((part / 0.95) * 8)))}`;
}

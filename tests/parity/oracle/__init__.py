# SPDX-License-Identifier: Apache-2.0
"""The oracle: random fleets and requests, and what Debian's Nova decides about them."""

# SPDX-License-Identifier: MIT
"""What the scripts beside this file have in common: the package, and the Swift that builds it."""

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def build(product, scratch_path=None):
    """Builds an executable as it would be shipped, and says where it is."""
    command = ["swift", "build", "--package-path", PACKAGE, "-c", "release", "--product", product]
    if scratch_path:
        command += ["--scratch-path", scratch_path]
    if subprocess.run(command + ["--quiet"]).returncode != 0:
        sys.exit(f"{product} does not build.")
    path = subprocess.run(command + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
    return Path(path) / product


def swift_version():
    version = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    return re.search(r"Swift version (\S+)", version)[1]

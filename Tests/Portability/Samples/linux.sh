#!/usr/bin/env bash
# It asks what it runs on.
if [ "$(uname)" = Linux ]; then
  apt-get install -y valgrind
  valgrind ./program
fi

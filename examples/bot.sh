#!/bin/sh
# A bot for `exec:`: it plays the first legal move.
#
#     casino-core arena "exec:sh examples/bot.sh" random
#
# docs/agents.md describes what a bot is asked, and what it answers.
while read -r request; do
    id=$(printf '%s' "$request" | sed 's/.*"id": \([0-9]*\).*/\1/')
    move=$(printf '%s' "$request" | sed 's/.*"moves": \["\([^"]*\)".*/\1/')
    printf '{"id": %s, "move": "%s"}\n' "$id" "$move"
done

#!/bin/sh
# step.sh WHAT COMMAND...: say what is being done and how long it took, in one line; the command's
# own output appears only when it fails, and then in full. VERBOSE=1 shows it always.
what=$1
shift
printf '%s ... ' "$what"
begin=$(date +%s)
if [ -n "${VERBOSE:-}" ]; then
  echo
  "$@"
  status=$?
  log=/dev/null
else
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  "$@" > "$log" 2>&1
  status=$?
fi
seconds=$(($(date +%s) - begin))
if [ "$status" -eq 0 ]; then
  echo "${seconds} s"
else
  echo "failed after ${seconds} s:"
  cat "$log"
fi
exit "$status"

#!/bin/sh
# Where there is no systemd: runs what a unit says, as its user and with its environment, and again whenever it ended. It
# reads drop-ins of the instance for `Environment` only. A signal to this script ends it in order.
#   keep.sh /etc/systemd/system/scriptrail@.service router
set -eu
unit=$1
instance=${2:-}

# The values of a key, a line each.
of() { sed -n "s/^$1=//p" "$unit" | sed "s/%i/$instance/g"; }

run() {
  cd "$(of WorkingDirectory | grep . || echo /)"
  command=$(of ExecStart)
  user=$(of User)
  set -- "PATH=$PATH"
  while IFS= read -r line; do [ -z "$line" ] || set -- "$@" "$line"; done <<END
$(of Environment; sed -n 's/^Environment=//p' "${unit%.service}$instance.service.d"/*.conf 2>/dev/null)
END
  file=$(of EnvironmentFile)
  if [ -n "$file" ]; then
    while IFS= read -r line; do
      case $line in [A-Z]*=*) set -- "$@" "$line" ;; esac
    done <"$file"
  fi
  if [ -n "$user" ] && [ "$(id -un)" != "$user" ]; then
    set -- "$@" "HOME=$(getent passwd "$user" | cut -d: -f6)" \
      setpriv "--reuid=$user" "--regid=$(id -g "$user")" --init-groups
  fi
  # In words, as systemd takes it here.
  # shellcheck disable=SC2086
  exec env -i "$@" $command
}

trap 'trap - TERM INT; kill "$child" 2>/dev/null && wait "$child"; exit 0' TERM INT
while :; do
  run &
  child=$!
  wait "$child" || true
  sleep "$(of RestartSec | grep . || echo 1)"
done

#!/bin/sh
# Installs the Albedo agent from the folder into which its pack was unpacked.
#
#   sudo ./install.sh              for the whole machine, as a systemd service
#   ./install.sh --root DIR        below a folder, without being root (default there: ~/albedo)
#   ./install.sh --no-start ...    install only
set -eu

say() { printf '%s\n' "$*"; }
fail() { printf 'albedo: %s\n' "$*" >&2; exit 1; }

usage() {
  say "Usage: install.sh [--root DIR] [--no-start]"
  say "  without --root, as root: installs for the whole machine (needs systemd)"
  say "  otherwise: installs below DIR (default \$HOME/albedo) and starts in the background"
}

pack=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=''
start=1
while [ $# -gt 0 ]; do
  case "$1" in
    --root) [ $# -ge 2 ] || fail "--root needs a folder"; root=$2; shift 2 ;;
    --root=*) root=${1#--root=}; shift ;;
    --no-start) start=0; shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; fail "unknown option $1" ;;
  esac
done

for file in agent.mjs etc/albedo/albedo.yaml; do
  [ -f "$pack/$file" ] || fail "$pack/$file is missing; run install.sh from the unpacked agent pack"
done

# The command that fetched the pack has compared the checksums; what they do not name is none of it.
if [ -f "$pack/SHA256SUMS" ]; then
  stranger=$(cd "$pack" && find . ! -type d ! -path './etc/*' ! -name SHA256SUMS | sed 's|^\./||' |
    while read -r name; do cut -c67- SHA256SUMS | grep -qxF -- "$name" || printf '%s ' "$name"; done)
  [ -z "$stranger" ] || fail "${stranger% } is not in SHA256SUMS; remove the folder $pack and fetch the pack again"
fi

# The runtime: the one of the pack when it runs on this machine, else a Node 24 or newer that is installed.
major() { "$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0; }
packed=0
if [ -x "$pack/node" ] && [ "$(major "$pack/node")" -ge 24 ]; then
  node=$pack/node
  packed=1
elif command -v node >/dev/null 2>&1; then
  node=$(command -v node)
  found=$(major "$node")
  [ "$found" -ge 24 ] || fail "the agent needs Node 24 or newer, $node is version $found. Install it from https://nodejs.org and run this again."
else
  fail "the agent needs Node 24 or newer, and this pack has none for $(uname -m). Install it from https://nodejs.org and run this again."
fi

uid=$(id -u)
if [ -z "$root" ] && [ "$uid" -eq 0 ]; then
  machine=1
  root=/
  program=/usr/lib/albedo
else
  machine=0
  root=${root:-${HOME:?}/albedo}
  mkdir -p "$root" || fail "the folder $root cannot be made"
  root=$(CDPATH='' cd -- "$root" && pwd)
  program=$root/usr/lib/albedo
fi
at() { if [ "$root" = / ]; then printf '%s' "$1"; else printf '%s%s' "$root" "$1"; fi; }

# Copies beside the old file first, so that a running agent never sees half of one.
put() {
  cp "$1" "$2.new" || fail "$2 cannot be written"
  chmod "$3" "$2.new"
  mv -f "$2.new" "$2"
}

stop_running() {
  pidfile=$(at /run/albedo/agent.pid)
  [ -f "$pidfile" ] || return 0
  old=$(cat "$pidfile")
  case "$old" in '' | *[!0-9]*) return 0 ;; esac
  if kill -0 "$old" 2>/dev/null && tr '\0' ' ' <"/proc/$old/cmdline" 2>/dev/null | grep -q "agent.mjs run"; then
    say "Stopping the agent that runs (process $old)."
    kill "$old"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      kill -0 "$old" 2>/dev/null || break
      sleep 1
    done
  fi
  rm -f "$pidfile"
}

mkdir -p "$program/plugins" "$(at /etc/albedo/keys)" "$(at /etc/albedo/services)" "$(at /var/lib/albedo)" \
  "$(at /run/albedo)" "$(at /opt/albedo/logs)" "$(at /usr/local/bin)" || fail "the folders below $root cannot be made"
for interval in 5s 30s 1m 2m 5m 10m 15m 30m 1h 6h 12h 1d; do mkdir -p "$(at "/opt/albedo/run/$interval")"; done
chmod 700 "$(at /etc/albedo/keys)" "$(at /var/lib/albedo)"

if [ "$packed" -eq 1 ]; then
  put "$pack/node" "$program/node" 755
  node=$program/node
fi
put "$pack/agent.mjs" "$program/agent.mjs" 644
for tool in ardpkg albedoctl; do
  if [ -f "$pack/$tool.mjs" ]; then put "$pack/$tool.mjs" "$program/$tool.mjs" 644; fi
done
for part in "$pack"/pty/*/*.node; do
  [ -f "$part" ] || continue
  folder=$program/pty/$(basename "$(dirname "$part")")
  mkdir -p "$folder"
  put "$part" "$folder/$(basename "$part")" 644
done
for part in "$pack"/plugins/serial/*/*.node; do
  [ -f "$part" ] || continue
  folder=$program/plugins/serial/$(basename "$(dirname "$part")")
  mkdir -p "$folder"
  put "$part" "$folder/$(basename "$part")" 644
done
for plugin in "$pack"/plugins/*.mjs; do
  [ -f "$plugin" ] || continue
  put "$plugin" "$program/plugins/$(basename "$plugin")" 644
  command=$(at "/usr/local/bin/$(basename "$plugin" .mjs)")
  printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$node" "$program/plugins/$(basename "$plugin")" >"$command.new"
  chmod 755 "$command.new"
  mv -f "$command.new" "$command"
done

# Whether the network lets the agent out is said here too, where the installer looks. `agent_said` prints its messages.
say_link() {
  tries=0
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 1
    heard=$(agent_said 2>/dev/null | grep -E ' link: (connected|no connection) to ' | tail -n 1) || heard=''
    case "$heard" in
      *' link: connected to '*) say "It is connected to the cloud."; return 0 ;;
      *' link: no connection to '*) tries=$((tries + 1)); [ "$tries" -lt 4 ] || break ;;
    esac
  done
  if [ -n "$heard" ]; then
    say "It does not reach the cloud yet: ${heard#* link: }"
    say "It goes on trying. The network has to let it connect to that address; nothing has to be opened towards this machine."
  else
    say "It has not reached the cloud yet, and goes on trying."
  fi
}

# The keys are this device's identity and always taken; a configuration that was edited here is kept.
for key in "$pack"/etc/albedo/keys/*; do
  [ -f "$key" ] && put "$key" "$(at "/etc/albedo/keys/$(basename "$key")")" 600
done
config=$(at /etc/albedo/albedo.yaml)
new=$pack/etc/albedo/albedo.yaml
if [ ! -f "$config" ] || cmp -s "$config" "$config.pack" || cmp -s "$config" "$new"; then
  put "$new" "$config" 640
else
  say "Kept your configuration $config; the one of this pack is beside it as albedo.yaml.pack."
fi
put "$new" "$config.pack" 640
version=$("$node" "$program/agent.mjs" -v) || fail "the agent does not run with $node"
say "Installed the Albedo agent $version in $program (configuration: $config)."

if [ "$machine" -eq 1 ] && [ -d /run/systemd/system ]; then
  sed -e "s|@NODE@|$node|" -e "s|@AGENT@|$program/agent.mjs|" -e "s|@ROOT@|/|" "$pack/albedo.service" \
    >/etc/systemd/system/albedo.service
  systemctl daemon-reload
  if [ "$start" -eq 1 ]; then
    systemctl enable albedo.service >/dev/null 2>&1
    since=$(date +%s)
    systemctl restart albedo.service
    say "The service albedo runs. See what it does: journalctl -fu albedo"
    agent_said() { journalctl -u albedo -o cat --since "@$since" --no-pager; }
    say_link
  else
    say "Start it with: systemctl enable --now albedo"
  fi
  exit 0
fi

log=$(at /var/log/albedo.log)
mkdir -p "$(dirname "$log")"
if [ "$start" -eq 0 ]; then
  say "Start it with: \"$node\" --max-semi-space-size=1 --max-old-space-size=64 \"$program/agent.mjs\" run --root \"$root\""
  exit 0
fi
stop_running
before=0
[ ! -f "$log" ] || before=$(wc -l <"$log")
MALLOC_ARENA_MAX=1 nohup "$node" --max-semi-space-size=1 --max-old-space-size=64 "$program/agent.mjs" run --root "$root" >>"$log" 2>&1 </dev/null &
pid=$!
printf '%s\n' "$pid" >"$(at /run/albedo/agent.pid)"
sleep 1
kill -0 "$pid" 2>/dev/null || { tail -n 5 "$log" >&2; fail "the agent ended at once; its messages are in $log"; }
say "The agent runs as process $pid. See what it does: tail -f $log"
agent_said() { tail -n "+$((before + 1))" "$log"; }
say_link
say "It does not start by itself with the machine; for that, install it as root on a machine with systemd."

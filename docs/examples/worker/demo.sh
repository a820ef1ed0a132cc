#!/bin/sh
# A whole dispatch in a folder of its own: a repository, a worktree, a contract, a worker that needs no account.
# Usage: demo.sh FOLDER; gatewright, git and python3 have to be on the PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1" && cd "$1"
export CLAUDE_CONFIG_DIR="$PWD/transcripts"   # the worker writes its transcript here, and not into your own folder
export MOGUI_MASTER_HOST_RUNTIME=claude        # what you, who dispatches, run in

shown() { echo; echo "\$ $*"; "$@"; }
quiet_git() { git -c user.name=demo -c user.email=demo@example.org "$@"; }

quiet_git init -q -b main widgets
quiet_git -C widgets commit -q --allow-empty -m "Begin"
quiet_git -C widgets worktree add -q -b greeting ../worktree

cat > runtimes.yaml <<YAML
runtimes:
  example:
    launch: [python3, "$here/agent.py", --model, "{model}"]
    vendors: [codex]
    transcripts: claude
YAML
cat > gatewright.toml <<TOML
ledger = "ledger.db"
orchestrator = "local"
runtimes = "runtimes.yaml"
TOML
cat > contract.md <<'MARKDOWN'
---
repository: widgets
checkout: ../worktree
allow: [docs/**]
forbid: []
acceptance: [the page greets its reader]
evidence:
  - file: docs/hello.txt
  - run: grep -q hello docs/hello.txt
exclusions: []
model: verified
---
# Greet the reader

- Scope: `docs/hello.txt`
MARKDOWN

task='Read the contract, then write `docs/hello.txt` with the line `hello from a worker`.'
echo
echo "\$ gatewright dispatch --project . --contract contract.md --worktree \"\$PWD/worktree\" \\"
echo "    --runtime example --model gpt-5.3-codex --spec '$task'"
gatewright dispatch --project . --contract contract.md --worktree "$PWD/worktree" \
	--runtime example --model gpt-5.3-codex --spec "$task" | tee dispatch.txt
job=$(sed -n 's/^DISPATCHED \(ctx_[0-9a-f]*\):.*/\1/p' dispatch.txt)
test -n "$job"
shown gatewright tasks wait --project . --timeout 60
shown gatewright accept --project . --job "$job" --contract contract.md --worktree worktree -f table

"""Screens of agents, one or more for each that is known, and the ways in which the same screen may come."""

import textwrap
from typing import NamedTuple


class Shown(NamedTuple):
    """A screen with what it shows."""

    row: int
    text: str
    shows: str
    kind: str | None = None


HOOK, LIMIT, UNKNOWN, BUSY, PREPARED = "hook-trust", "limit", "unknown", "busy", "prepared-prompt"
BOX = "────────────────────────────\n❯ \n────────────────────────────\n  ? for shortcuts\n"
CODEX = "\n› Explain this codebase\n\n  gpt-5.6-sol high · 97% context left\n"

SCREENS = [
    Shown(1, "Trust this folder?\n\n› 1. Trust and continue\n  2. Back to Agent Command Center\n", HOOK, "trust"),
    Shown(1, "› Trust and continue\n  Back to Agent Command Center\n", HOOK, "trust"),
    Shown(2, "Folder access\n\nTrusting will apply to the repository root /srv/a\n\n› 1. Trust\n", HOOK, "trust"),
    Shown(2, "Trusting will apply to the repository root\n", HOOK, "trust"),
    Shown(3, "This folder is not trusted.\n\n› Open restricted\n", HOOK, "trust"),
    Shown(4, "Do you trust the contents of this directory? Untrusted\ncontents are a risk.\n", HOOK, "trust"),
    Shown(4, "› 1. Yes, continue\n  2. No, quit\n\n  Press enter to continue\n", HOOK, "trust"),
    Shown(4, "Press enter to continue\n", HOOK, "start-menu"),
    Shown(5, "Do you want to allow Codex to work in this folder without asking?\n", HOOK, "trust"),
    Shown(6, "Hooks need review\n\n2 hooks are new or changed.\n\n› 1. Review hooks\n", HOOK, "hook-trust"),
    Shown(6, "› 1. Trust all and continue\n  2. Continue without trusting\n", HOOK, "hook-trust"),
    Shown(6, "Press enter to confirm or esc to go back\n", HOOK, "start-menu"),
    Shown(7, "✨ Update available! 0.170.0 -> 0.171.0\n\n› 1. Update now\n  2. Skip\n", HOOK, "start-menu"),
    Shown(7, "  3. Skip until next version\n", HOOK, "start-menu"),
    Shown(8, "Choose working directory to resume this session\n\n› 1. Use it\n", HOOK, "start-menu"),
    Shown(9, "Codex just got an upgrade. Introducing a new model.\n\n› 1. Try it\n", HOOK, "start-menu"),
    Shown(10, "Would you like to run the following command?\n\n  $ rm -r out\n\n› 1. Yes (y)\n", HOOK, "approval"),
    Shown(10, "Would you like to make the following edits?\n› 1. Yes (y)\n", HOOK, "approval"),
    Shown(10, "Would you like to grant these permissions?\n› 1. Yes (y)\n", HOOK, "approval"),
    Shown(11, 'Do you want to approve network access to "example.invalid"?\n', HOOK, "approval"),
    Shown(12, "Welcome to Codex, a coding agent\n\n> 1. Sign in with ChatGPT\n", HOOK, "login"),
    Shown(12, "  2. Sign in with Device Code\n  3. Sign in another way\n", HOOK, "login"),
    Shown(13, "■ You’ve hit your usage limit. Try again at 8:58 PM.\n" + CODEX, LIMIT, "quota"),
    Shown(14, "■ Usage limit reached. Wait or pay.\n" + CODEX, LIMIT, "quota"),
    Shown(14, "■ You're out of credits. Buy more.\n" + CODEX, LIMIT, "quota"),
    Shown(14, "■ Your workspace is out of credits.\n" + CODEX, LIMIT, "quota"),
    Shown(14, "■ You've hit your spend cap.\n" + CODEX, LIMIT, "quota"),
    Shown(15, "■ Selected model is at capacity. Please try a different model.\n" + CODEX, UNKNOWN, "service"),
    Shown(15, "■ We're currently experiencing high load.\n" + CODEX, UNKNOWN, "service"),
    Shown(15, "■ exceeded retry limit, last status: 429\n" + CODEX, UNKNOWN, "service"),
    Shown(16, "■ Quota exceeded. Check your plan and billing details.\n" + CODEX, LIMIT, "quota"),
    Shown(17, "Approaching rate limits\nSwitch to a smaller model?\n\n› 1. Switch\n  2. Keep\n", UNKNOWN, "advisory"),
    Shown(17, "⚠ Approaching rate limits\n" + CODEX, PREPARED),
    Shown(18, "› Ask Codex to do anything\n\n  gpt-5.6-sol · /srv/yard/alpha\n", PREPARED),
    Shown(18, "codex>\n", PREPARED),
    Shown(18, "›\n", PREPARED),
    Shown(19, "• Working (12s • esc to interrupt)\n" + CODEX, BUSY),
    Shown(20, "Accessing workspace:\n\n/srv/yard/alpha\n\n❯ No, exit\n  Yes, I trust this folder\n", HOOK, "trust"),
    Shown(20, "Quick safety check: Is this a project you created or one you trust?\n", HOOK, "trust"),
    Shown(20, "  Yes, I trust this folder\n❯ No, exit\n", HOOK, "trust"),
    Shown(21, "❯ 1. Yes, I trust this folder\n  2. No, exit\n", HOOK, "trust"),
    Shown(22, "╭───────╮\n│ Do you trust the files in this folder? │\n╰───────╯\n", HOOK, "trust"),
    Shown(23, "WARNING: Claude Code running in Bypass Permissions mode\n\n❯ 1. No, exit\n", HOOK, None),
    Shown(23, "Bypass Permissions mode\n\n  2. Yes, I accept\n", HOOK, "posture"),
    Shown(24, "New MCP server found in this project: notes\n\n❯ 1. Use it\n", HOOK, "hook-trust"),
    Shown(24, "3 new MCP servers found in .mcp.json\n", HOOK, "hook-trust"),
    Shown(24, "2 new MCP servers found in .mcp.json\n\n❯ [✔] notes\n  [ ] mail\n", HOOK, "hook-trust"),
    Shown(25, "Allow external CLAUDE.md file imports?\n\n❯ 1. Yes, allow\n", HOOK, "trust"),
    Shown(26, "This project pre-approves the following tool permissions:\n  Bash(ls)\n", HOOK, "trust"),
    Shown(27, "Detected a custom API key in your environment\n\n❯ 1. Yes\n  2. No\n", HOOK, "login"),
    Shown(28, "Select login method:\n\n❯ 1. Account\n  2. Console\n", HOOK, "login"),
    Shown(28, "Choose the text style that looks best with your terminal\n\n❯ 1. Dark mode\n", HOOK, "login"),
    Shown(29, "  ⎿  Not logged in · Please run /login\n\n" + BOX, HOOK, "login"),
    Shown(29, "  ⎿  Invalid API key · Fix external API key\n\n" + BOX, HOOK, "login"),
    Shown(29, "  ⎿  OAuth token revoked · Please run /login\n\n" + BOX, HOOK, "login"),
    Shown(29, "  ⎿  OAuth token expired\n\n" + BOX, HOOK, "login"),
    Shown(30, "Unable to connect to Anthropic services\n\nFailed to connect: ERR\n", UNKNOWN, "service"),
    Shown(31, "Bash command\n\n  rm -r out\n\nDo you want to proceed?\n❯ 1. Yes\n  2. No\n", HOOK, "approval"),
    Shown(31, "Would you like to proceed?\n\n❯ 1. Yes\n  2. No, keep planning\n", HOOK, "approval"),
    Shown(32, "  ⎿  You've hit your session limit\u00a0· resets 6:30pm (Europe/Berlin)\n\n" + BOX, LIMIT, "quota"),
    Shown(33, "  ⎿  You've hit your limit · resets 3pm (UTC)\n\n" + BOX, LIMIT, "quota"),
    Shown(
        34,
        "  ⎿  5-hour limit reached ∙ resets 3pm\n     /upgrade to increase your usage limit.\n\n" + BOX,
        LIMIT,
        "quota",
    ),
    Shown(35, "  ⎿  You've hit your weekly limit · resets Mon 9am (UTC)\n\n" + BOX, LIMIT, "quota"),
    Shown(35, "  ⎿  You've reached your Opus limit\n\n" + BOX, LIMIT, "quota"),
    Shown(35, "  ⎿  Sonnet limit reached ∙ resets 3pm\n\n" + BOX, LIMIT, "quota"),
    Shown(35, "  ⎿  You've hit your Fable limit\n\n" + BOX, LIMIT, "quota"),
    Shown(36, "  ⎿  You've hit your monthly spend limit\n\n" + BOX, LIMIT, "quota"),
    Shown(36, "  ⎿  You're out of usage credits\n\n" + BOX, LIMIT, "quota"),
    Shown(36, "  ⎿  Credit balance is too low\n\n" + BOX, LIMIT, "quota"),
    Shown(37, "  ⎿  API Error: Request rejected (429) · rate limited\n\n" + BOX, LIMIT, "quota"),
    Shown(38, "  ⎿  Server is temporarily limiting requests (not your usage limit)\n\n" + BOX, UNKNOWN, "service"),
    Shown(38, "  ⎿  Overloaded\n\n" + BOX, UNKNOWN, "service"),
    Shown(38, '  ⎿  API Error: 529 {"type":"error"}\n\n' + BOX, UNKNOWN, "service"),
    Shown(39, "What do you want to do?\n\n❯ 1. Stop and wait for limit to reset\n  2. Upgrade\n", LIMIT, "quota"),
    Shown(39, "❯ 1. Stop and wait for limit to reset\n", LIMIT, "quota"),
    Shown(39, "  /upgrade to increase your usage limit.\n", LIMIT, "quota"),
    Shown(39, "What do you want to do?\n\n❯ 1. Stop and wait for limit to reset\n\nEnter to confirm\n", LIMIT, "quota"),
    Shown(40, "  You've used 90% of your session limit · resets 3pm\n\n" + BOX, PREPARED),
    Shown(40, "  Approaching your 5-hour usage limit\n", UNKNOWN, "advisory"),
    Shown(41, "╭──────╮\n│ ❯    │\n╰──────╯\n  ⏵⏵ auto mode on (shift+tab to cycle)\n", PREPARED),
    Shown(41, '─────\n❯ Try "fix lint errors"\n─────\n  ⏵⏵ bypass permissions on (shift+tab to cycle)\n', PREPARED),
    Shown(42, "⚠ Workspace Trust Required\n\n  [a] Trust this workspace\n  [q] Quit\n", HOOK, "trust"),
    Shown(42, "▶ [a] Trust this workspace\n  [q] Quit\n", HOOK, "trust"),
    Shown(43, "Run this command?\n Not in the list\n → Run (once) (y)\n   Skip & tell the agent\n", HOOK, "approval"),
    Shown(
        43, " → Run (once) (y)\n   Add Shell(ls) to allowlist? (tab)\n   Run Everything (shift+tab)\n", HOOK, "approval"
    ),
    Shown(44, "    • Pass --trust, --yolo, or -f if you trust this directory\n$ \n", HOOK, "trust"),
    Shown(
        45,
        "  You've hit your usage limit\n  Get Cursor Pro for more Agent usage\n\n → Add a follow-up\n",
        LIMIT,
        "quota",
    ),
    Shown(45, "Your usage limits will reset when your monthly cycle ends on 1/1/2027.\n", LIMIT, "quota"),
    Shown(46, " ┌────────────────────┐\n │ → Add a follow-up  │\n └────────────────────┘\n", PREPARED),
    Shown(46, " → Plan, search, build anything\n", PREPARED),
    Shown(46, " ⬡ Generating.. ctrl+c to stop\n", BUSY),
    Shown(47, "│ Do you trust the files in this folder? │\n│ ● 1. Trust folder (alpha) │\n", HOOK, "trust"),
    Shown(
        47,
        "│ ● Trust folder (alpha)         │\n│   Trust parent folder (work)   │\n│   Don't trust                  │\n",
        HOOK,
        "trust",
    ),
    Shown(
        48,
        "│ Usage limit reached for gemini-3-pro.  │\n│ ● 1. Keep trying  │\n│   2. Switch to gemini-3-flash │\n",
        LIMIT,
        "quota",
    ),
    Shown(49, "✕ You have exhausted your daily quota on this model.\n", LIMIT, "quota"),
    Shown(49, "✕ You have exhausted your capacity on this model.\n", LIMIT, "quota"),
    Shown(49, "✕ You have reached your daily gemini-3-pro quota limit.\n", LIMIT, "quota"),
    Shown(49, '✕ [API Error: {"status": RESOURCE_EXHAUSTED}]\n', LIMIT, "quota"),
    Shown(49, '✕ [API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]\n', LIMIT, "quota"),
    Shown(50, "We are currently experiencing high demand.\n", UNKNOWN, "service"),
    Shown(51, "How would you like to authenticate for this project?\n\n● 1. Login\n", HOOK, "login"),
    Shown(51, "⠋ Waiting for authentication... (Press ESC to cancel)\n", HOOK, "login"),
    Shown(52, "Do you trust the contents of this project?\n\n> Yes, I trust this folder\n", HOOK, "trust"),
    Shown(52, "Antigravity CLI requires permission to read, edit and run files here.\n", HOOK, "trust"),
    Shown(53, "✕ Model quota limit exceeded.\n", LIMIT, "quota"),
    Shown(54, "How's the CLI experience so far? (optional)\n  1: Bad  2: Fine  3: Good\n", HOOK, "survey"),
    Shown(
        55,
        "Do you trust the contents of this directory?\n\nGrok Build may run or modify contents of it.\n",
        HOOK,
        "trust",
    ),
    Shown(55, "Grok Build may run or modify contents of it.\n\n❯ Go on here\n  Take another folder\n", HOOK, "trust"),
    Shown(56, "Approve in your browser to finish signing in\n\n  code ABCD\n", HOOK, "login"),
    Shown(57, "  New worktree\n  Resume session\n  Changelog\n\n❯ \n", HOOK, "start-menu"),
    Shown(57, "  New worktree\n  Resume session\n  Changelog\n", HOOK, "start-menu"),
    Shown(58, "│ Confirm folder trust │\n│ ❯ 1. Yes │\n", HOOK, "trust"),
    Shown(59, "You are in trust all tools mode\n", HOOK, "posture"),
    Shown(59, "You are about to enter trust all tools mode\n\n❯ Yes\n  No\n", HOOK, "posture"),
    Shown(60, "Error: rate_limit_reached_error\n", LIMIT, "quota"),
    Shown(60, "Error code: 429 - {'error': {'type': 'rate_limit_reached_error'}}\n", LIMIT, "quota"),
    Shown(60, "✕ 429 Allocated quota exceeded, please increase it.\n", LIMIT, "quota"),
    Shown(61, "△ Permission required\n  Allow once   Allow always   Reject\n", HOOK, "approval"),
    Shown(61, "△ Permission required\n  $ rm -r out\n\n  Allow once   Allow always   Reject\n", HOOK, "approval"),
    Shown(61, "Too Many Requests [retrying in 8s attempt #2]\n", LIMIT, "quota"),
    Shown(61, "The usage limit reached for your plan\n", LIMIT, "quota"),
    Shown(62, "bash: codex: command not found\nme@host:~/alpha$ \n", UNKNOWN, "dead"),
    Shown(62, "zsh: command not found: codex\nhost% \n", UNKNOWN, "dead"),
    Shown(62, "sh: 1: codex: not found\n", UNKNOWN, "dead"),
    Shown(62, "/bin/sh: 1: exec: codex: not found\n", UNKNOWN, "dead"),
    Shown(62, "bash: /srv/bin/codex: No such file or directory\n", UNKNOWN, "dead"),
    Shown(62, "zsh: permission denied: codex\n", UNKNOWN, "dead"),
    Shown(62, "fish: Unknown command: codex\n", UNKNOWN, "dead"),
    Shown(62, "  ⎿  There's an issue with the selected model (x). It may not exist.\n\n" + BOX, UNKNOWN, "dead"),
    Shown(62, "Bye.\n\nme@host:~/alpha$ \n", UNKNOWN, "dead"),
]


def curly(text: str) -> str:
    """Straight quotes as typesetters set them."""
    return text.replace("'", "’")


def hard_spaces(text: str) -> str:
    """No-break spaces between words."""
    return "\n".join(_indented(line, lambda words: words.replace(" ", "\u00a0")) for line in text.split("\n"))


def coloured(text: str) -> str:
    """Each word in a colour of its own."""
    return "\n".join(
        _indented(line, lambda words: " ".join(f"\x1b[1;3{len(word) % 8}m{word}\x1b[0m" for word in words.split(" ")))
        for line in text.split("\n")
    )


def moved(text: str) -> str:
    """The cursor moved on where blanks would stand."""
    return "\r\n".join(_indented(line, lambda words: words.replace(" ", "\x1b[1C")) for line in text.split("\n"))


def stripped(text: str) -> str:
    """No blanks within lines, as a stream without its cursor moves has it."""
    return "\n".join(_indented(line, lambda words: words.replace(" ", "")) for line in text.split("\n"))


def wrapped(columns: int, text: str) -> str:
    """Lines broken between words, and none of them longer than a screen is wide."""
    return "\n".join(
        "\n".join(textwrap.wrap(line, columns, drop_whitespace=True, break_on_hyphens=False) or [""])
        for line in text.split("\n")
    )


def cut(columns: int, text: str) -> str:
    """Lines cut where the screen ends, within words too."""
    return "\n".join(
        "\n".join(line[at : at + columns] for at in range(0, len(line), columns)) or "" for line in text.split("\n")
    )


def _indented(line, change):
    words = line.lstrip()
    return line[: len(line) - len(words)] + change(words)

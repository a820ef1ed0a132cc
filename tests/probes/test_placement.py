"""The block in which a worker says where it stands: exactly one form."""

import pytest

from gatewright.model import Placement
from gatewright.probes.placement import parsed, read_placement

BLOCK = "in_expected_worktree: yes\nis_master_checkout: no\nbranch: job/17\n"


@pytest.mark.acceptance("A08")
@pytest.mark.parametrize("text", [BLOCK, BLOCK.rstrip("\n")])
def test_three_lines_say_where_a_worker_stands(text):
    assert parsed(text) == Placement(given=True, in_expected_worktree=True, is_master_checkout=False, branch="job/17")


@pytest.mark.acceptance("A08")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "yes\nno\nmain\n",
        BLOCK + "\n",
        "\n" + BLOCK,
        "I stand here:\n" + BLOCK,
        BLOCK.replace("yes", "Yes"),
        BLOCK.replace("yes", "true"),
        BLOCK.replace("yes", "yes "),
        BLOCK.replace(": yes", ":yes"),
        BLOCK.replace("job/17", ""),
        BLOCK.replace("job/17", "job 17"),
        BLOCK.replace("\n", "\r\n"),
        "- " + BLOCK.replace("\n", "\n- "),
        "is_master_checkout: no\nin_expected_worktree: yes\nbranch: job/17\n",
        "in_expected_worktree: yes\nis_master_checkout: no\n",
        BLOCK + "is_master_checkout: yes\n",
    ],
)
def test_any_other_form_says_nothing(text):
    found = parsed(text)
    assert (found.in_expected_worktree, found.is_master_checkout) == (None, None)
    assert found.problem == "it is not the three lines that it should be"


def test_a_report_that_cannot_be_read_is_given_and_says_nothing(tmp_path):
    assert read_placement(str(tmp_path / "gone")) == Placement(given=True, problem="there is no such file")
    assert read_placement(str(tmp_path)).problem is not None
    assert read_placement(None) == Placement()

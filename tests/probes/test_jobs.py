"""Proving a job: what counts as its id, and which commands read nothing."""

import pytest

from gatewright.probes.jobs import holds_word, prove, reads_content


@pytest.mark.acceptance("R07")
@pytest.mark.parametrize(
    ("text", "word", "held"),
    [
        ("ctx_1", "ctx_1", True),
        ('{"id":"ctx_1"}', "ctx_1", True),
        ("a,ctx_1,b", "ctx_1", True),
        ("ctx_1.", "ctx_1", True),
        ("jobs/ctx_1/log", "ctx_1", True),
        ("ctx_12", "ctx_1", False),
        ("ctx_12 ctx_1", "ctx_1", True),
        ("xctx_1", "ctx_1", False),
        ("_ctx_1", "ctx_1", False),
        ("ctx_1-2", "ctx_1", False),
        ("2-ctx_1", "ctx_1", False),
        ("ctx_1é", "ctx_1", False),
        ("CTX_1", "ctx_1", False),
        ("ctx", "c.x", False),
        ("a.b", "a.b", True),
        ("ctx_\n1", "ctx_1", False),
        ("", "ctx_1", False),
    ],
)
def test_an_id_is_found_as_a_whole_word(text, word, held):
    assert holds_word(text, word) is held


@pytest.mark.acceptance("R06")
@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("echo ctx_1", False),
        ("printf ctx_1", False),
        ("/bin/echo ctx_1", False),
        ("ls jobs", False),
        ("ls jobs | grep ctx_1", False),
        ("cd jobs && ls", False),
        ("cd jobs; ls ctx_1", False),
        ("A=1 B=2 echo ctx_1", False),
        ("find . -name 'ctx_1*'", False),
        ("true || echo ctx_1", False),
        ("cat a;\necho ctx_1", False),
        ("cat jobs/ctx_1.json", True),
        ("grep ctx_1 log", True),
        ("orca orchestration dispatch-show --task t --json | grep -o ctx_1 | head -1", True),
        ("find . -name ctx_1 -exec cat {} +", True),
        ('echo "$(cat log)"', True),
        ("echo `cat log`", True),
        ("echo one; cat log", True),
        ("cat 'a;echo'", True),
        ("echo 'unfinished", True),
        ("", True),
    ],
)
def test_a_command_that_prints_words_of_its_own_or_names_of_files_reads_nothing(command, reads):
    assert reads_content(command) is reads


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("exit 3", "the probe exited with 3"),
        ("echo another", "its id is no word of what the probe printed"),
        ("yes x | head -c 3000000", "its id is no word of the beginning and the end of what the probe printed"),
        ("sleep 300", "the probe was over its 2 s"),
    ],
)
def test_why_a_job_is_not_proven_is_said(command, problem):
    job = prove("ctx_1", command, seconds=2)
    assert (job.proven, job.problem) == (False, problem)


@pytest.mark.parametrize("job_id", ["", " ", "\t\n", "\u200b"])
def test_a_job_without_an_id_is_not_looked_for(tmp_path, job_id):
    assert prove(job_id, f"touch '{tmp_path}/ran'").problem == "it has no id"
    assert list(tmp_path.iterdir()) == []

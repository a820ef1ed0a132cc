"""A post for each kind of ledger, as the tests of the ledger have it."""

from tests.ledger.conftest import check_gate as check_gate
from tests.ledger.conftest import file_post as file_post
from tests.ledger.conftest import post as post

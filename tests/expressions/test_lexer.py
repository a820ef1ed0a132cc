"""Tokens: every literal's value, and every character and word that cannot stand, with the place it stands at."""

import pytest
from tests.expressions.faults import marked, of_parser

from gatewright.errors import ExpressionError
from gatewright.expressions import lexer, parser

SYNTAX, CHARACTER, LIMIT = "EXPR_SYNTAX", "EXPR_CHARACTER", "EXPR_LIMIT"


def values(text):
    return [token.value for token in lexer.tokens(text)[:-1]]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("90_000", 90000),
        ("0x1F", 31),
        ("0XfF_0a", 0xFF0A),
        ("9223372036854775807", 2**63 - 1),
        ("0x7FFFFFFFFFFFFFFF", 2**63 - 1),
        ("1.5", 1.5),
        ("1_0.2_5", 10.25),
        ("9e4", 9e4),
        ("2E-3", 0.002),
        ("1.25e+2", 125.0),
        ("1e-400", 0.0),
        ('"a"', "a"),
        ("'a'", "a"),
        ('""', ""),
        ("'say \"hi\"'", 'say "hi"'),
        ('"it\'s"', "it's"),
        (r'"\"\\\'"', "\"\\'"),
        (r'"\n\t\r\0"', "\n\t\r\0"),
        (r'"\x41\u00e9\U0001F600"', "Aé😀"),
        (r'r"\d+\."', r"\d+\."),
        (r"R'\w'", r"\w"),
        ('"é 신뢰 😀"', "é 신뢰 😀"),
        ('"a\tb"', "a\tb"),
    ],
)
def test_a_literal_has_its_value_and_kind(text, value):
    (found,) = values(text)
    assert (type(found), found) == (type(value), value)


def test_white_space_and_line_breaks_of_every_kind_only_separate():
    assert [token.text for token in lexer.tokens(" \t a\r\n>\n1 ")] == ["a", ">", "1", ""]


def test_tokens_know_their_characters():
    assert [(token.start, token.end) for token in lexer.tokens("ab >= 12")] == [(0, 2), (3, 5), (6, 8), (8, 8)]


@pytest.mark.parametrize("text", ["", "   ", "\n\t\r\n"])
def test_an_empty_expression_is_refused(text):
    fault = of_parser(text)
    assert (fault.code, fault.start, fault.end) == (SYNTAX, 0, 1)
    assert "empty" in fault.message


@pytest.mark.parametrize("size", [4097, 100_000])
def test_a_text_beyond_the_limit_is_refused_before_it_is_read(size):
    fault = of_parser("\x00" * size)
    assert (fault.code, fault.start, fault.end) == (LIMIT, 4096, size)


def test_a_text_at_the_limit_is_read():
    assert len(lexer.tokens("a == 1" + " " * 4090)) == 4


# -- numbers -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "at", "words"),
    [
        ("9223372036854775808", LIMIT, "9223372036854775808", "64 bits"),
        ("0x8000000000000000", LIMIT, "0x8000000000000000", "64 bits"),
        ("9" * 4000, LIMIT, "9" * 4000, "64 bits"),
        ("0x" + "f" * 4000, LIMIT, "0x" + "f" * 4000, "64 bits"),
        ("1e400", LIMIT, "1e400", "finite"),
        ("1.0e309", LIMIT, "1.0e309", "finite"),
        ("010", SYNTAX, "010", "leading zero"),
        ("00", SYNTAX, "00", "leading zero"),
        ("0_0", SYNTAX, "0_0", "leading zero"),
        ("0o17", SYNTAX, "0o", "decimal"),
        ("0B11", SYNTAX, "0B", "decimal"),
        ("0x", SYNTAX, "0x", "runs into"),
        ("5k", SYNTAX, "5k", "runs into"),
        ("0x1Fg", SYNTAX, "0x1Fg", "runs into"),
        ("1e", SYNTAX, "1e", "runs into"),
        ("1and", SYNTAX, "1a", "runs into"),
        ("1_", SYNTAX, "1_", "`_`"),
        ("1__0", SYNTAX, "1_", "`_`"),
    ],
)
def test_a_number_that_readers_could_take_differently_is_refused(text, code, at, words):
    fault = of_parser(f"agents > {text}")
    assert fault.code == code
    assert marked(f"agents > {text}", fault) == at
    assert words in f"{fault.message} {fault.hint}"


def test_the_least_integer_of_64_bits_can_be_written():
    assert parser.parse("-9223372036854775808").value == -(2**63)


# -- texts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        (r'a == "\q"', r"\q", "escape"),
        (r'a == "\N{BULLET}"', r"\N", "escape"),
        (r'a == "\101"', r"\1", "escape"),
        (r'a == "\u12"', r"\u", "escape"),
        (r'a == "\x1"', r"\x", "escape"),
        (r'a == "ok\d"', r"\d", 'r"'),
        (r'a == "\ud800"', r"\ud800", "surrogate"),
        (r'a == "\uDFFF"', r"\uDFFF", "surrogate"),
        (r'a == "\U00110000"', r"\U00110000", "Unicode"),
        (r'a == "\UFFFFFFFF"', r"\UFFFFFFFF", "Unicode"),
        ('a == "x', '"', "quote"),
        ("a == 'x", "'", "quote"),
        ('a == "x\ny"', '"', r"\n"),
        ("a == 'x\ny'", "'", r"\n"),
        ('a == "x\ry"', '"', "quote"),
        ('a == "', '"', "quote"),
        ('a == "\nb', '"', "quote"),
        ('a == r"x', '"', "quote"),
        ('a == f"x"', "f", "message"),
        ('a == F"{b}"', "F", "message"),
        ('a == rf"x"', "rf", "message"),
        ('a == b"x"', "b", 'r"'),
        ('a == u"x"', "u", 'r"'),
        ("a == Rb'x'", "Rb", 'r"'),
        ('a == t"x"', "t", 'r"'),
    ],
)
def test_a_text_that_is_none_is_refused_at_its_character(text, at, words):
    fault = of_parser(text)
    assert marked(text, fault) == at
    assert words in f"{fault.message} {fault.hint}"


# -- characters ----------------------------------------------------------------------------------------------------

HIDDEN = {
    "\x00": "U+0000",
    "\x0b": "U+000B",
    "\x0c": "U+000C",
    "\x1b": "U+001B",
    "\x7f": "U+007F",
    "\x85": "U+0085",
    "\xa0": "U+00A0 NO-BREAK SPACE",
    "\xad": "U+00AD SOFT HYPHEN",
    "\u200b": "U+200B ZERO WIDTH SPACE",
    "\u200d": "U+200D",
    "\u202e": "U+202E RIGHT-TO-LEFT OVERRIDE",
    "\u2028": "U+2028 LINE SEPARATOR",
    "\u2066": "U+2066",
    "\u3000": "U+3000 IDEOGRAPHIC SPACE",
    "\ufeff": "U+FEFF",
    "\ufffc": "U+FFFC",
    "\ud800": "U+D800",
    "\U000e0041": "U+E0041",
}


@pytest.mark.parametrize("template", ["agents{} > 1", '"é" == "a{}"', "{}agents > 1", "agents > 1{}"])
@pytest.mark.parametrize("char", HIDDEN, ids=[name.split(" ")[0] for name in HIDDEN.values()])
def test_a_character_that_nobody_sees_is_refused_wherever_it_stands(char, template):
    text = template.format(char)
    fault = of_parser(text)
    assert (fault.code, marked(text, fault)) == (CHARACTER, char)
    assert HIDDEN[char] in fault.message


@pytest.mark.parametrize(
    ("char", "words"), [("\xa0", "space"), ("\u202f", "space"), ("\u200b", "delete"), ("\x00", "delete")]
)
def test_a_hidden_character_comes_with_what_to_do(char, words):
    assert words in of_parser(f"agents{char}> 1").hint


@pytest.mark.parametrize(
    ("char", "hint"),
    [
        ("‘", "`'`"),
        ("’", "`'`"),
        ("“", '`"`'),
        ("”", '`"`'),
        ("„", '`"`'),
        ("«", '`"`'),
        ("»", '`"`'),
        ("″", '`"`'),
        ("′", "`'`"),
        ("´", "`'`"),
        ("‹", "`'`"),
        ("≤", "`<=`"),
        ("≥", "`>=`"),
        ("≠", "`!=`"),
        ("−", "`-`"),
        ("–", "`-`"),
        ("—", "`-`"),
        ("×", "`*`"),
        ("∧", "`and`"),
        ("∨", "`or`"),
        ("¬", "`not`"),
        ("∈", "`in`"),
        ("∉", "`not in`"),
        ("＝", "`=`"),
        ("＞", "`>`"),
        ("（", "`(`"),
        ("，", "`,`"),
        ("；", "`;`"),
        ("１", "`1`"),
        ("²", "`2`"),
        ("ｍ", "`m`"),
        ("м", "ASCII"),
        ("é", "ASCII"),
        ("∞", "ASCII"),
        ("😀", "ASCII"),
        ("٣", "ASCII"),
        ("→", "ASCII"),
    ],
)
def test_a_character_of_a_word_processor_comes_with_the_plain_one(char, hint):
    text = f"agents {char} 2"
    fault = of_parser(text)
    assert (fault.code, marked(text, fault)) == (CHARACTER, char)
    assert f"U+{ord(char):04X}" in fault.message
    assert hint in fault.hint


def test_a_fault_has_at_least_one_character():
    with pytest.raises(ExpressionError) as caught:
        lexer.tokens("")
    assert caught.value.faults[0].end == 1

"""A page of HTML as a tree, read strictly: what is opened is closed, in order."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br"}


class Element:
    """An element with its attributes, its children, and the text right in it."""

    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.parts = []  #: texts and elements, in their order

    @property
    def children(self):
        """The elements right in it."""
        return [part for part in self.parts if isinstance(part, Element)]

    @property
    def words(self):
        """The text right in it."""
        return "".join(part for part in self.parts if isinstance(part, str))

    def all(self, *tags):
        """Every element below this one, of these tags."""
        for child in self.children:
            if not tags or child.tag in tags:
                yield child
            yield from child.all(*tags)

    @property
    def text(self):
        """The text in it, and in what is below."""
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.top = self.at = Element("", {}, None)

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        element = Element(tag, dict(attrs), self.at)
        self.at.parts.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.parts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")


def read(text):
    """The tree of a page."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.at is reader.top
    assert text.startswith("<!DOCTYPE html>\n")
    (page,) = reader.top.children
    return page

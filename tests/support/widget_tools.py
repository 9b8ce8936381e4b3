"""What the tests of widgets share."""

from html.parser import HTMLParser


def words_of(html: str) -> str:
    """Return what a page shows as text, each block apart, runs of spaces as one.

    >>> words_of("<p>a <b>b</b>&lt;</p><p>c</p>")
    'a b< c'
    """
    found = []

    class Reader(HTMLParser):
        """Collects text, and a space where a block begins or ends."""

        def handle_starttag(self, tag, attrs):
            found.append("" if tag in ("b", "span", "code", "a") else " ")

        def handle_endtag(self, tag):
            self.handle_starttag(tag, [])

        def handle_data(self, data):
            found.append(data)

    Reader().feed(html)
    return " ".join("".join(found).split())

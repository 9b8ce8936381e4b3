"""Python source in colour, for light and dark pages alike: dark text on white, whatever is around it."""

from html import escape

SHEET = (
    "color:#1a1a1a;background:#ffffff;margin:0;padding:.4em .6em;border:1px solid #c9ced6;overflow-x:auto;"
    "line-height:1.35;white-space:pre"
)


def highlighted(source: str) -> str:
    """Return Python source as HTML with explicit colours; without them where Pygments is missing."""
    return f'<pre style="{SHEET}">{coloured(source)}</pre>'


def coloured(source: str) -> str:
    """Return Python source as HTML in which each token that has a colour is a `<span>`."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return escape(source, quote=False)
    return highlight(source, PythonLexer(), HtmlFormatter(noclasses=True, nowrap=True)).rstrip("\n")

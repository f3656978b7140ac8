"""The page in a real browser, hostile names and all: nothing is refused because nothing is tried."""

import shutil
import subprocess
from pathlib import Path

import pytest

from agentaudit.export.render.as_html import render_html
from tests.export.dossiers import HOSTILE, dossier, joined

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--enable-logging=stderr",
)  # fmt: skip

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium here to open the page")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """The page of a case whose every word is hostile."""
    (file,) = render_html(dossier(word=HOSTILE))
    path = tmp_path / "manifest.html"
    path.write_bytes(joined(file.pieces))
    return path


def opened(path: Path, *act: str) -> subprocess.CompletedProcess[str]:
    """Open a page with a profile of its own."""
    assert BROWSER is not None
    argv = (BROWSER, *OPTIONS, f"--user-data-dir={path.parent / 'profile'}", *act, path.as_uri())
    return subprocess.run(argv, capture_output=True, text=True, check=True, timeout=120)


def violations(done: subprocess.CompletedProcess[str]) -> int:
    """How often the browser said that the policy forbade something."""
    return done.stderr.count("violates the following Content Security Policy")


def overflow(path: Path, width: int) -> int:
    """How many pixels of a page lie beyond a window of that width; its policy is taken out so that it can be asked."""
    text = path.read_text()
    begin = text.index("<meta http-equiv")
    ask = "const page = document.documentElement; document.title = `${page.scrollWidth - page.clientWidth} px beyond`"
    open_ = text[:begin] + text[text.index(">", begin) + 1 :].replace("</body>", f"<script>{ask}</script></body>")
    measured = path.with_name(f"measured-{width}.html")
    measured.write_text(open_)
    done = opened(measured, f"--window-size={width},900", "--dump-dom")
    return int(done.stdout.partition("<title>")[2].partition(" px beyond")[0])


@pytest.mark.parametrize("width", [600, 1000])
def test_nothing_is_pushed_out_of_the_window(page: Path, width: int) -> None:
    """Hostile words of any width are broken, on a small screen too."""
    assert overflow(page, width) == 0


def test_the_policy_forbids_nothing_that_the_page_needs(page: Path) -> None:
    """The browser shows the page whole and has nothing to refuse."""
    done = opened(page, "--dump-dom")
    assert violations(done) == 0
    assert "What this cannot show" in done.stdout
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in done.stdout


def test_the_policy_forbids_what_somebody_puts_in(page: Path) -> None:
    """A script and a style that were put into the page afterwards do nothing."""
    text = page.read_text()
    page.write_text(
        text.replace("<main>", '<main><p style="color:red">x</p><script>document.title = "gone"</script>', 1)
    )
    done = opened(page, "--dump-dom")
    assert violations(done) >= 2
    assert "<title>gone</title>" not in done.stdout


def test_the_page_prints(page: Path) -> None:
    """Printed, it is a PDF of some pages."""
    pdf = page.with_suffix(".pdf")
    opened(page, "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
    octets = pdf.read_bytes()
    assert octets.startswith(b"%PDF-")
    assert octets.count(b"/Type /Page\n") + octets.count(b"/Type /Page ") + octets.count(b"/Type/Page/") >= 3

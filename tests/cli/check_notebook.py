"""check_notebook.py SHFLVIZ SOURCE - runs examples/notebook.ipynb with the wheel's package and this build's program,
and checks what the magics put below the cells. Exit status 77 if this machine lacks nbclient or IPython."""
import os
import re
import sys
from pathlib import Path

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError as missing:
    print(f"no {missing.name} on this machine (pip install nbclient ipykernel): the notebook is not run")
    sys.exit(77)

program, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
os.environ["PATH"] = f"{program.parent}:{os.environ['PATH']}"
os.environ["PYTHONPATH"] = str(source / "packaging/wheel")


def run(cells):
    """Runs cells; returns the HTML below each."""
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return ["".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)
            for cell in notebook.cells if cell.cell_type == "code"]


def expect(html, *patterns):
    for pattern in patterns:
        if not re.search(pattern, html, re.S):
            sys.exit(f"below a cell there is no {pattern}:\n{re.sub('base64,[^>]*', 'base64,...', html)}")


code = nbformat.v4.new_code_cell
picture = '<img [^>]*src="data:image/svg.xml;base64,'
loaded, call, summed, raced = run(nbformat.read(source / "examples/notebook.ipynb", as_version=4).cells)
expect(loaded, "^$")
expect(call, picture, "assumed: x = lane")
expect(summed, picture, "sum 528")  # 1 + ... + 32
expect(raced, picture, "<li><b>shared_race</b> line 5: .*row", "→ put __syncthreads", "%%shflviz --call &#x27;reverse")

# Code that does not compile, a word that is not a command, and a machine without a compiler.
os.environ["SHFLVIZ_CLANG"] = "/nowhere/clang++"
wrong = run([code("%load_ext shflviz"), code("%shflviz xor --mask 64 --width 5"), code("%%shflviz\n__global__ void k() {}")])
expect(wrong[1], "^<pre>shflviz: .*allowed: .*</pre>$")
expect(wrong[2], "^<pre>shflviz: .*cannot run &#x27;/nowhere/clang\\+\\+&#x27;")
del os.environ["SHFLVIZ_CLANG"]
here = f"import os; os.chdir({str(source / 'examples')!r})\n"
named = run([code(here + "%load_ext shflviz"), code("%shflviz run scan.cu"), code('%%shflviz\n#include "scan.cu"')])
expect(named[1], picture, "lane 31: 28")
expect(named[2], picture, "lane 31: 28")
wrong = run([code("%load_ext shflviz"), code("%%shflviz\n__global__ void k() { wrong; }")])
expect(wrong[1], "<pre>.*cell.cu:2: error: use of undeclared identifier &#x27;wrong&#x27;")

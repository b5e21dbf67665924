"""shflviz: see how the lanes of a GPU warp exchange values. The program itself is the command shflviz."""
import shutil
from importlib import metadata


def program():
    """The path of the program that pip installed with this package; in a checkout, that of the program in PATH."""
    try:
        files = metadata.files("shflviz") or []
    except metadata.PackageNotFoundError:
        files = []
    installed = [str(file.locate().resolve()) for file in files if file.parts[-2:] == ("bin", "shflviz")]
    found = installed[0] if installed else shutil.which("shflviz")
    if not found:
        raise FileNotFoundError("the program shflviz is not in PATH; try: pip install --force-reinstall shflviz")
    return found


def load_ipython_extension(shell):
    """Called by %load_ext shflviz."""
    from .magic import Magics

    shell.register_magics(Magics)

import os
import sys

from . import program

os.execv(program(), ["shflviz", *sys.argv[1:]])

"""check_wgsl.py SOURCE WORK - runs conformance/wgsl.py's page in Chromium on the CPU, where subgroups have 4 lanes.

Exits with 77 if there is no browser, or none with WebGPU and subgroups."""
import os, subprocess, sys, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_browser

source, work = sys.argv[1:]
if not find_browser():
    sys.exit(77)
os.makedirs(work, exist_ok=True)
page = os.path.join(work, "wgsl.html")
with open(page, "wb") as file:
    subprocess.run([sys.executable, "-B", os.path.join(source, "conformance", "wgsl.py"), "--page"], stdout=file, check=True)
shown = Browser(extra=["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan,WebGPU"])
try:
    shown.send("Page.navigate", url="file://" + page)
    title, began = "running", time.time()
    while title not in ("passed", "failed", "not run") and time.time() < began + 120:
        time.sleep(0.1)
        title = shown.run("document.title")
    print(shown.run("document.getElementById('card').textContent"))
finally:
    shown.close()
sys.exit({"passed": 0, "not run": 77}.get(title, 1))

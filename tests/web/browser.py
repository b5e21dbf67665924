"""A headless Chromium, driven through a pipe by the DevTools protocol. Needs only Python's standard
library."""
import base64, json, os, shutil, subprocess, tempfile, time


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Navigated(RuntimeError):
    """The browser went to another page during the call."""


class Browser:
    def __init__(self, width=1000, height=700, extra=()):
        self.profile = tempfile.mkdtemp()
        to_read, self.write = os.pipe()
        self.read, to_write = os.pipe()

        def descriptors():  # Chromium reads from 3 and writes to 4
            read, write = os.dup(to_read), os.dup(to_write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [find_browser(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-dev-shm-usage", f"--user-data-dir={self.profile}", f"--window-size={width},{height}",
             *extra, "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.rest, self.session, self.events = 0, b"", None, []
        page = next(t for t in self.send("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.read, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    kind = Navigated if "navigated" in answer["error"]["message"] else RuntimeError
                    raise kind(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, fragment=""):
        """Opens a file and waits until the page is ready, or has reported why it is not."""
        self.events.clear()
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        while True:
            said = self.run("""(() => {
                const ready = document.documentElement?.dataset.ready, trouble = document.getElementById('trouble');
                return ready ? Number(ready) : trouble && !trouble.hidden ? trouble.textContent : null; })()""")
            if said is not None:
                return said
            time.sleep(0.01)

    def run(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", str(result)))
        return result["result"].get("value")

    def press(self, key, text=None, code=None, modifiers=0):
        """Presses and releases a key, like a keyboard; `key` is KeyboardEvent.key."""
        event = {"key": key, "modifiers": modifiers}
        if text is None and len(key) == 1:
            text = key
        self.send("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event, **({"text": text} if text else {}))
        self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot")["data"]))

    def close(self):
        try:
            self.session = None
            self.send("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(timeout=20)
        shutil.rmtree(self.profile, ignore_errors=True)

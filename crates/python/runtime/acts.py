"""What tests do to the world outside their process: files, processes, the network.

In a sandbox, such acts do nothing or are refused; a written test would do them to whoever runs it. Python tells of them before they are
done (PEP 578), also where they fail. Reading files is no such act, nor is writing below the folder for temporary files by its whole path.
"""

import os
import sys
import tempfile

# Events that act on nobody's files, but on the machine.
_ACTS = (
    "os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.posix_spawn", "os.spawn", "os.startfile", "os.system", "pty.spawn",
    "signal.pthread_kill", "subprocess.Popen", "webbrowser.open", "syslog.openlog", "syslog.syslog",
)
_NETWORKS = ("socket.", "ftplib.", "http.client.", "imaplib.", "nntplib.", "poplib.", "smtplib.", "telnetlib.", "urllib.")
# Events that change files: how many of their first arguments are paths.
_FILES = {
    "os.chflags": 1, "os.chmod": 1, "os.chown": 1, "os.mkdir": 1, "os.remove": 1, "os.rename": 2, "os.rmdir": 1, "os.setxattr": 1,
    "os.removexattr": 1, "os.truncate": 1, "os.utime": 1, "os.link": 2, "os.symlink": 2, "shutil.rmtree": 1, "shutil.move": 2, "sqlite3.connect": 1,
}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LONGEST = 60


class Acts:
    """The acts of the test that runs."""

    def __init__(self):
        self.on = False
        self.first = ""
        self.temporary = os.path.join(os.path.realpath(tempfile.gettempdir()), "")
        sys.addaudithook(self._told)

    def begin(self):
        """From now on, acts are those of a test."""
        self.first, self.on = "", True

    def end(self):
        """The first act since then in words; empty if there was none."""
        self.on = False
        return self.first

    def _told(self, event, arguments):
        if not self.on or self.first:
            return
        self.on = False
        try:
            self.first = self._act(event, arguments)
        except Exception:
            self.first = ""
        self.on = True

    def _act(self, event, arguments):
        if event == "socket.__new__" and arguments[1] == sys.modules["_socket"].AF_UNIX:
            # Event loops have a pair of these; connecting one elsewhere is told apart.
            return ""
        if event in _ACTS or event.startswith(_NETWORKS) and event != "socket.gethostname":
            return event
        if event == "open":
            path, _, flags = arguments
            return "writing %s" % self._outside([path]) if flags & _WRITES and self._outside([path]) else ""
        if event in _FILES:
            outside = self._outside(arguments[:_FILES[event]])
            return "%s of %s" % (event, outside) if outside else ""
        return ""

    def _outside(self, paths):
        """The first of these paths that is not below the folder for temporary files; empty if all are."""
        for path in paths:
            if isinstance(path, int):
                # An open file: opening it was told.
                continue
            text = os.fsdecode(path)
            if text in (":memory:", os.devnull):
                continue
            if not os.path.isabs(text) or not os.path.realpath(text).startswith(self.temporary):
                return repr(text[:_LONGEST])
        return ""

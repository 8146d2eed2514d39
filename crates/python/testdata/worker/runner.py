"""A runner for tests of workers: a test names a function of `subject` and its argument."""

import importlib

import subject
from testhound_runtime.watch import StepTimeout


class Runner:
    def __init__(self, host):
        self.host = host

    def run(self, test):
        name, argument = test
        self.host.watch.step += 1
        self.host.watch.on = True
        try:
            value = getattr(subject, name)(argument)
        except StepTimeout:
            value = "too long"
        finally:
            self.host.watch.on = False
        if value == "retire":
            self.host.retire("asked to")
        return {"value": value, "fresh": self.host.probes and self.host.probes.fresh()}

    def ask_hits(self, test):
        """All that a test hits, which counts as not yet seen."""
        self.host.probes.clear()
        getattr(subject, test[0])(test[1])
        hits = self.host.probes.hits()
        self.host.probes.restore()
        return hits

    def ask_apart(self, test):
        """Runs a test whose hits are of no interest."""
        with self.host.probes.apart():
            getattr(subject, test[0])(test[1])

    def ask_skip(self, name):
        """What a function gives before and after the probes that it hits are left out, how many it hit, and how many it hits still."""
        probes, module = self.host.probes, importlib.import_module(name)
        probes.gather()
        before = module.everything()
        hit = sum(map(len, probes.fresh().values()))
        probes.due = 0
        probes.rest()
        probes.hit[:] = bytes(len(probes.hit))
        return [before, module.everything(), hit, sum(probes.hit)]

    def ask_way(self, _):
        return type(self.host.probes).__name__

    def ask_import(self, name):
        importlib.import_module(name)

    def ask_double(self, number):
        return 2 * number


def load(arguments, host):
    if arguments == "bad":
        raise ValueError("this subject is bad")
    return Runner(host)

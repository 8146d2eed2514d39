"""Functions with probes in all kinds of places."""


def branches(number):
    try:
        if number > 0:
            for one in range(number):
                if one == 3:
                    break
            else:
                return "done"
        elif number == -5:
            raise ValueError(number)
        else:
            with open("/dev/null"):
                pass
    except ValueError:
        return "wrong"
    finally:
        if number == 7:
            number = "seven"
    return number


def closure(number):
    def inner(other):
        if other:
            return [one for one in range(other)]
        return 0

    return inner(number)


def generator(number):
    while number:
        yield number
        number -= 1


class Holder:
    def method(self, number=1, *, other=2):
        if number:
            return other
        return number


def everything():
    """Calls all of it."""
    shown = [branches(number) for number in (-5, -1, 0, 2, 5, 7)]
    shown += [closure(0), closure(2), list(generator(3)), Holder().method(), Holder().method(0)]
    return repr(shown)

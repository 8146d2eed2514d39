"""Finds where in a harness a piece of Python is wrong: the interpreter tells the place in generated text, people want that in their file.

Every character of generated text is known by the place it comes from: that of the same character, or that of the hole it fills.
"""


def spread(template, filler):
    """The text of a template as a list: every character with its line and column in the harness."""
    characters = []
    for part, (line, column) in zip(template["parts"], template["places"]):
        (kind, what), = part.items()
        if kind == "text":
            characters += [(one, line, column + index) for index, one in enumerate(what)]
        else:
            characters += [(one, line, column) for one in filler(kind, what)]
    return characters


def statement(template, filler):
    """The same with assignments as Python writes them."""
    characters = spread(template, filler)
    pairs = zip(characters, characters[1:] + [("", 0, 0)])
    return [one for one, following in pairs if one[0] + following[0] != ":="]


def stripped(characters):
    while characters and characters[0][0].isspace():
        characters = characters[1:]
    while characters and characters[-1][0].isspace():
        characters = characters[:-1]
    return characters


def find(pieces):
    """Of pieces of Python the first that is wrong: its line, column and what the interpreter says; nothing if all are right.

    A piece is the text that makes a statement of it, and its characters.
    """
    for before, characters in pieces:
        characters = stripped(characters)
        text = "".join(one for one, _, _ in characters)
        if not text:
            continue
        try:
            compile("def made(self):\n " + before + text + "\n", "<piece>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return place(error, len(before), characters) + (error.msg,)
        except (ValueError, RecursionError, MemoryError) as error:
            return characters[0][1:] + (str(error),)
    return None


def place(error, before, characters):
    """The line and column in the harness that an error in a piece means."""
    line = error.lineno or 0
    at = (error.offset or 1) - 2 - before if line == 2 else 0 if line < 2 else len(characters)
    at = max(at, 0)
    if at < len(characters):
        return characters[at][1:]
    _, line, column = characters[-1]
    return line, column + 1

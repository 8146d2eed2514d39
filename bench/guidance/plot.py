"""Box plots as SVG: median, quartiles, whiskers to the last value within 1.5 interquartile ranges, the rest as points."""

import statistics
import xml.sax.saxutils

HEIGHT, TOP, LEFT, WIDTH = 320, 20, 60, 56


def boxes(groups, label):
    """One box per named list of values between 0 and 100."""
    y = lambda value: TOP + HEIGHT * (1 - value / 100)
    width = LEFT + WIDTH * len(groups) + 20
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 150}" font-family="sans-serif" font-size="11">']
    for tick in range(0, 101, 20):
        parts.append(f'<line x1="{LEFT}" x2="{width - 10}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>')
    parts.append(f'<text x="14" y="{TOP + HEIGHT / 2}" transform="rotate(-90 14 {TOP + HEIGHT / 2})" text-anchor="middle">{label}</text>')
    for number, (name, values) in enumerate(groups.items()):
        middle = LEFT + WIDTH * (number + 0.5)
        parts += box(middle, sorted(values), y)
        text = xml.sax.saxutils.escape(name)
        parts.append(f'<text x="{middle}" y="{TOP + HEIGHT + 16}" transform="rotate(45 {middle} {TOP + HEIGHT + 16})">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


def box(middle, values, y):
    if not values:
        return []
    low, median, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    reach = 1.5 * (high - low)
    inside = [value for value in values if low - reach <= value <= high + reach]
    line = lambda x1, y1, x2, y2, more="": f'<line x1="{x1:.1f}" y1="{y(y1):.1f}" x2="{x2:.1f}" y2="{y(y2):.1f}" stroke="#333"{more}/>'
    parts = [line(middle, inside[0], middle, low), line(middle, high, middle, inside[-1])]
    parts += [line(middle - 8, end, middle + 8, end) for end in (inside[0], inside[-1])]
    parts.append(f'<rect x="{middle - 16}" y="{y(high):.1f}" width="32" height="{max(1, y(low) - y(high)):.1f}" fill="#9ecae1" stroke="#333"/>')
    parts.append(line(middle - 16, median, middle + 16, median, ' stroke-width="2"'))
    parts += [f'<circle cx="{middle}" cy="{y(value):.1f}" r="2.5" fill="none" stroke="#333"/>' for value in values if value not in inside]
    return parts

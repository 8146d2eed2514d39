def rounded(amount):
    return round(amount, 2)


def shown(amount):
    return "%.2f" % amount


def digits(amount):
    count = 0
    while amount > 0:
        amount //= 10
        count += 1
    return count

from shop.money import digits


def test_digits():
    assert digits(120) == 3

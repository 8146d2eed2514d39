import os
import pytest


@pytest.mark.parametrize("count, total", [(1, 5), (2, 10), (30, 135)])
def test_total(cart, count, total):
    cart.add("tea", 5, count)
    assert cart.total() == total


class TestAdd:
    def test_none(self, cart):
        with pytest.raises(ValueError):
            cart.add("tea", 5, 0)

    def test_tmp(self, cart, tmp_path):
        (tmp_path / "x").write_text("hello")
        assert os.path.exists("shop/cart.py")


@pytest.mark.skip(reason="later")
def test_later():
    assert False


def test_wrong(cart):
    assert cart.total() == 1

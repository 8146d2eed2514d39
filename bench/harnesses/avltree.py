"""A set of keys in a balanced binary search tree (AVL), for measurements."""


class Node:
    __slots__ = ("key", "left", "right", "height")

    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.height = 1


def height(node):
    return 0 if node is None else node.height


class AVLTree:
    """Keys in order; every operation takes logarithmic time."""

    def __init__(self, keys=()):
        self.root = None
        self.count = 0
        for key in keys:
            self.insert(key)

    def __len__(self):
        return self.count

    def __contains__(self, key):
        node = self.root
        while node is not None:
            if key == node.key:
                return True
            node = node.left if key < node.key else node.right
        return False

    def insert(self, key):
        """Adds a key; gives whether it is new."""
        before = self.count
        self.root = self._insert(self.root, key)
        return self.count > before

    def _insert(self, node, key):
        if node is None:
            self.count += 1
            return Node(key)
        if key == node.key:
            return node
        if key < node.key:
            node.left = self._insert(node.left, key)
        else:
            node.right = self._insert(node.right, key)
        return self._balance(node)

    def delete(self, key):
        """Removes a key; gives whether it was there."""
        before = self.count
        self.root = self._delete(self.root, key)
        return self.count < before

    def _delete(self, node, key):
        if node is None:
            return None
        if key < node.key:
            node.left = self._delete(node.left, key)
        elif key > node.key:
            node.right = self._delete(node.right, key)
        else:
            self.count -= 1
            if node.left is None:
                return node.right
            if node.right is None:
                return node.left
            successor = node.right
            while successor.left is not None:
                successor = successor.left
            node.key = successor.key
            self.count += 1
            node.right = self._delete(node.right, successor.key)
        return self._balance(node)

    def _balance(self, node):
        node.height = 1 + max(height(node.left), height(node.right))
        lean = height(node.left) - height(node.right)
        if lean > 1:
            if height(node.left.left) < height(node.left.right):
                node.left = self._rotate_left(node.left)
            return self._rotate_right(node)
        if lean < -1:
            if height(node.right.right) < height(node.right.left):
                node.right = self._rotate_right(node.right)
            return self._rotate_left(node)
        return node

    def _rotate_left(self, node):
        top = node.right
        node.right = top.left
        top.left = node
        node.height = 1 + max(height(node.left), height(node.right))
        top.height = 1 + max(height(top.left), height(top.right))
        return top

    def _rotate_right(self, node):
        top = node.left
        node.left = top.right
        top.right = node
        node.height = 1 + max(height(node.left), height(node.right))
        top.height = 1 + max(height(top.left), height(top.right))
        return top

    def keys(self):
        """All keys in order."""
        found, stack, node = [], [], self.root
        while stack or node is not None:
            while node is not None:
                stack.append(node)
                node = node.left
            node = stack.pop()
            found.append(node.key)
            node = node.right
        return found

    def is_balanced(self):
        """Whether the heights of the sides of every node differ by at most one."""

        def check(node):
            if node is None:
                return 0
            left, right = check(node.left), check(node.right)
            if left is None or right is None or abs(left - right) > 1:
                return None
            return 1 + max(left, right)

        return check(self.root) is not None

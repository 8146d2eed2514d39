package demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"rawtypes", "unchecked"})
class StackTest {
    @Test
    void elements_afterPush_returnsArrayList() {
        Stack stack = new Stack();
        Stack stack2 = stack.push("b");
        List list = stack.elements();
        assertArrayEquals(new Object[] {"b"}, list.toArray());
        assertEquals(1, list.size());
        assertSame(stack, stack2);
    }

    @Test
    void pop_afterPush_returnsNull() {
        Stack stack = new Stack();
        Stack stack2 = stack.push(null);
        Object object = stack.pop();
        assertNull(object);
        assertSame(stack, stack2);
        assertEquals(0, stack.size());
    }

    @Test
    void pop_newStack_throwsIllegalStateException() {
        Stack stack = new Stack();
        assertThrows(IllegalStateException.class, () -> stack.pop());
        assertEquals(0, stack.size());
    }

    @Test
    void push_a_returnsStack() {
        Stack stack = new Stack();
        Stack stack2 = stack.push("a");
        assertSame(stack, stack2);
        assertEquals("[a]", stack.toString());
        assertEquals(1, stack.size());
    }

    @Test
    void size_newStack_returnsZero() {
        Stack stack = new Stack();
        int intValue = stack.size();
        assertEquals(0, intValue);
        assertTrue(stack.isEmpty());
        assertEquals("[]", stack.toString());
        assertEquals(0, stack.size());
    }
}

package demo;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.List;
import org.junit.Test;

@SuppressWarnings({"rawtypes", "unchecked"})
public class StackTest {
    @Test
    public void elements_afterPush_returnsArrayList() {
        Stack stack = new Stack();
        Stack stack2 = stack.push("b");
        List list = stack.elements();
        assertArrayEquals(new Object[] {"b"}, list.toArray());
        assertEquals(1, list.size());
        assertSame(stack, stack2);
    }

    @Test
    public void pop_afterPush_returnsNull() {
        Stack stack = new Stack();
        Stack stack2 = stack.push(null);
        Object object = stack.pop();
        assertNull(object);
        assertSame(stack, stack2);
        assertEquals(0, stack.size());
    }

    @Test
    public void pop_newStack_throwsIllegalStateException() {
        Stack stack = new Stack();
        assertThrows(IllegalStateException.class, () -> stack.pop());
        assertEquals(0, stack.size());
    }

    @Test
    public void push_a_returnsStack() {
        Stack stack = new Stack();
        Stack stack2 = stack.push("a");
        assertSame(stack, stack2);
        assertEquals("[a]", stack.toString());
        assertEquals(1, stack.size());
    }

    @Test
    public void size_newStack_returnsZero() {
        Stack stack = new Stack();
        int intValue = stack.size();
        assertEquals(0, intValue);
        assertTrue(stack.isEmpty());
        assertEquals("[]", stack.toString());
        assertEquals(0, stack.size());
    }
}

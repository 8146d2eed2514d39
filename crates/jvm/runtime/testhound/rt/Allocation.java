package testhound.rt;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;

/**
 * How many bytes a thread has allocated, where the virtual machine tells.
 *
 * Loading what tells it takes longer than most tests, so it is asked only about tests that take long.
 */
final class Allocation {
    private final Object bean;
    private final Method bytes;

    private Allocation(Object bean, Method bytes) {
        this.bean = bean;
        this.bytes = bytes;
    }

    /** Null where the virtual machine does not tell: the interface is no part of the platform. */
    static Allocation open() {
        try {
            Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
            Object bean = ManagementFactory.getThreadMXBean();
            return type.isInstance(bean) ? new Allocation(bean, type.getMethod("getThreadAllocatedBytes", long.class)) : null;
        } catch (Throwable missing) {
            return null;
        }
    }

    long of(Thread thread) {
        try {
            return (Long) bytes.invoke(bean, thread.getId());
        } catch (Throwable unknown) {
            return 0;
        }
    }
}

package inherited;

import java.util.AbstractList;
import java.util.EventObject;
import java.util.TimerTask;

class Fixed extends AbstractList<String> {
    @Override
    public String get(int index) {
        return "x";
    }

    @Override
    public int size() {
        return 2;
    }
}

class Pressed extends EventObject {
    Pressed(Object source) {
        super(source);
    }
}

class Alarm extends TimerTask {
    @Override
    public void run() {
    }
}

class Trouble extends IllegalStateException {
}

class Worker extends Thread {
    void work() {
    }
}

class Numbers extends AbstractList<Long[]> {
    @Override
    public Long[] get(int index) {
        return new Long[0];
    }

    @Override
    public int size() {
        return 1;
    }
}

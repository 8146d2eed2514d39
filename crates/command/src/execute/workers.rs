//! Worker threads, each with a launcher of its own. Work is spread over them as they become free; results come back in the
//! order of the items, so that the number of workers changes nothing but time.

use sandbox::{Launcher, LauncherCommand, Missing, Policy};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

type Task = Box<dyn FnOnce(&mut Launcher) + Send>;

/// What workers do with each item.
pub type Work<T, R> = Arc<dyn Fn(&mut Launcher, T) -> R + Send + Sync>;

/// A pool of sandboxed launchers.
pub struct Workers {
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
    missing: Vec<Missing>,
}

impl Workers {
    /// Starts `count` launchers under this policy; each gets a scratch folder of its own inside the policy's. When `stop`
    /// becomes true, work that has not begun is left undone.
    pub fn start(
        policy: &Policy,
        command: &LauncherCommand,
        count: usize,
        stop: Arc<AtomicBool>,
    ) -> Result<Workers, sandbox::Error> {
        let (tasks, queue) = channel::<Task>();
        let queue = Arc::new(Mutex::new(queue));
        let mut workers = Workers {
            tasks: Some(tasks),
            threads: Vec::new(),
            stop,
            missing: Vec::new(),
        };
        for number in 0..count.max(1) {
            let policy = worker_policy(policy, number);
            let (ready, started) = channel();
            let (queue, command) = (Arc::clone(&queue), command.clone());
            // The launcher is started by the thread that keeps it: its parent-death signal fires when that thread ends.
            workers.threads.push(std::thread::spawn(move || {
                match Launcher::start(policy, command) {
                    Ok(launcher) => {
                        let told = ready.send(Ok(launcher.missing().to_vec()));
                        told.expect("the starter waits for this answer");
                        serve(launcher, &queue);
                    }
                    Err(error) => ready
                        .send(Err(error))
                        .expect("the starter waits for this answer"),
                }
            }));
            workers.missing = started.recv().expect("the thread answers before it ends")?;
        }
        Ok(workers)
    }

    /// The mechanisms the sandbox does without; empty unless best effort was asked for.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// From now on all work is done, stopped or not: for what must be finished after an interrupt.
    pub fn ignore_stop(&mut self) {
        self.stop = Arc::default();
    }

    /// Does `work` on all items. `seen` is called as results come, in any order; the list is in the items' order, with
    /// `None` where work was stopped before it began.
    pub fn map<T: Send + 'static, R: Send + 'static>(
        &self,
        items: Vec<T>,
        work: Work<T, R>,
        seen: &mut dyn FnMut(usize, &R),
    ) -> Vec<Option<R>> {
        let mut results: Vec<Option<R>> = Vec::new();
        results.resize_with(items.len(), || None);
        let (done, answers) = channel();
        for (index, item) in items.into_iter().enumerate() {
            let (done, work, stop) = (done.clone(), Arc::clone(&work), Arc::clone(&self.stop));
            let task: Task = Box::new(move |launcher| {
                if !stop.load(Ordering::Relaxed) {
                    let result = work(launcher, item);
                    // Nobody listens only when the caller is unwinding already.
                    let _ = done.send((index, result));
                }
            });
            let tasks = self
                .tasks
                .as_ref()
                .expect("the queue is open until the pool is dropped");
            tasks.send(task).expect("workers live as long as the pool");
        }
        drop(done);
        for (index, result) in answers {
            seen(index, &result);
            results[index] = Some(result);
        }
        results
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.tasks = None;
        for thread in self.threads.drain(..) {
            // A worker that panicked has printed why; the pool is going away in any case.
            let _ = thread.join();
        }
    }
}

fn worker_policy(policy: &Policy, number: usize) -> Policy {
    let mut policy = policy.clone();
    policy.scratch = policy.scratch.join(Path::new(&format!("worker-{number}")));
    policy
}

fn serve(mut launcher: Launcher, queue: &Mutex<Receiver<Task>>) {
    loop {
        let task = queue
            .lock()
            .expect("no task runs while the lock is held")
            .recv();
        let Ok(task) = task else { return };
        task(&mut launcher);
    }
}

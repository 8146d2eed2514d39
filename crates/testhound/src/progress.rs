//! Progress of long work: a bar with rate, failures and time left on a terminal, plain lines otherwise. All on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// A plain line at most this often where there is no terminal.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Shows how far the work is.
pub struct Progress {
    bar: ProgressBar,
    plain: Option<Plain>,
}

struct Plain {
    label: String,
    start: Instant,
    next: Duration,
}

impl Progress {
    /// Progress of work with this label. `quiet` shows nothing.
    pub fn new(label: &str, quiet: bool) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        if quiet || !terminal {
            let start = Instant::now();
            let plain = Plain {
                label: label.to_owned(),
                start,
                next: PLAIN_EVERY,
            };
            return Progress {
                bar: ProgressBar::hidden(),
                plain: (!quiet).then_some(plain),
            };
        }
        let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3}% {msg}")
            .expect("the template is constant and valid");
        bar.set_style(style.progress_chars("=> "));
        bar.set_prefix(label.to_owned());
        Progress { bar, plain: None }
    }

    /// Tells the share done (0 to 1) and what else is worth knowing.
    pub fn update(&mut self, share: f64, message: &str) {
        match &mut self.plain {
            None => {
                self.bar.set_position((share * 1000.0) as u64);
                self.bar.set_message(message.to_owned());
            }
            Some(plain) => {
                let elapsed = plain.start.elapsed();
                if elapsed >= plain.next {
                    plain.next = elapsed + PLAIN_EVERY;
                    eprintln!("{}: {:.0}% {message}", plain.label, share * 100.0);
                }
            }
        }
    }

    /// Prints a line that stays.
    pub fn say(&self, line: &str) {
        if self.plain.is_some() {
            eprintln!("{line}");
        } else {
            self.bar.suspend(|| eprintln!("{line}"));
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How far a run is, in words: executions and their rate, what else was found, and the time left by the share of the budget
/// that `sitting` used.
pub fn run_message(
    executions: u64,
    elapsed: Duration,
    found: &str,
    share: f64,
    sitting: Duration,
) -> String {
    let rate = executions as f64 / elapsed.as_secs_f64().max(0.001);
    let left = (share > 0.0)
        .then(|| sitting.mul_f64((1.0 / share - 1.0).clamp(0.0, 1e6)))
        .map(|left| format!(", {} left", short_time(left)))
        .unwrap_or_default();
    format!(
        "{} tests, {}/s, {found}{left}",
        short_number(executions as f64),
        short_number(rate)
    )
}

/// `1.2k`, `340`, `5.1M`: a number a person reads at a glance.
pub fn short_number(number: f64) -> String {
    match number {
        n if n >= 1e6 => format!("{:.1}M", n / 1e6),
        n if n >= 1e4 => format!("{:.1}k", n / 1e3),
        n => format!("{n:.0}"),
    }
}

/// `3s`, `2m10s`, `1h05m`.
pub fn short_time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

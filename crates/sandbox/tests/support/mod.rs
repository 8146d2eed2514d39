//! Compiles subjects and starts launchers, as the user that runs the tests and, if that is root, as `nobody` too.
#![allow(dead_code, reason = "each test file uses a part")]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use sandbox::{
    End, Finished, LAUNCHER_ARGUMENT, Launch, Launcher, LauncherCommand, Policy, Request, Tool,
};

/// Compiles `testdata/NAME.c` once per test program, into a folder that everybody may read.
pub fn subject(name: &str) -> PathBuf {
    compile(name, &[])
}

/// The same with flags of the compiler.
pub fn compile(name: &str, flags: &[&str]) -> PathBuf {
    let program = shared().join(format!("{name}{}", flags.concat().replace('/', "+")));
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _guard = LOCK
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if !program.exists() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("testdata")
            .join(name)
            .with_extension("c");
        let mut args: Vec<OsString> = vec![
            "-O1".into(),
            "-o".into(),
            program.clone().into(),
            source.into(),
        ];
        args.extend(flags.iter().map(OsString::from));
        let finished = Tool::new(PathBuf::from("cc"), args).run().unwrap();
        assert_eq!(
            finished.end,
            End::Exited(0),
            "{}",
            String::from_utf8_lossy(&finished.stderr)
        );
    }
    program
}

/// A folder of this test program that everybody may read; also holds a copy of the program itself.
fn shared() -> &'static Path {
    static SHARED: OnceLock<PathBuf> = OnceLock::new();
    /// Statics are not dropped, so the folder is removed when the program ends.
    extern "C" fn remove() {
        if let Some(folder) = SHARED.get() {
            let _ = fs::remove_dir_all(folder);
        }
    }
    SHARED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap().keep();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::copy(std::env::current_exe().unwrap(), folder.join("launcher")).unwrap();
        // SAFETY: the function may be called at any time and does not unwind.
        #[allow(unsafe_code)]
        let registered = unsafe { libc::atexit(remove) };
        assert_eq!(registered, 0);
        folder
    })
}

const NOBODY: u32 = 65534;

/// Makes the user as whom subjects run the owner.
pub fn give_to_subject(path: &Path) {
    if nix::unistd::geteuid().is_root() {
        chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
}

/// Who starts the launcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// The user that runs the tests.
    Us,
    /// `nobody`, through `setpriv`.
    Nobody,
}

/// The users as whom a launcher can be started here: root can become `nobody`, others stay who they are.
pub fn users() -> Vec<User> {
    if nix::unistd::geteuid().is_root() {
        vec![User::Us, User::Nobody]
    } else {
        vec![User::Us]
    }
}

impl User {
    /// A command that starts the launcher as this user.
    pub fn command(self) -> LauncherCommand {
        let launcher = shared().join("launcher");
        if self == User::Us {
            return LauncherCommand {
                program: launcher,
                args: vec![LAUNCHER_ARGUMENT.into()],
            };
        }
        let mut args: Vec<OsString> = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"]
            .map(OsString::from)
            .into();
        args.extend([launcher.into(), LAUNCHER_ARGUMENT.into()]);
        LauncherCommand {
            program: PathBuf::from("setpriv"),
            args,
        }
    }
}

/// A launcher with its scratch folder, and a folder outside with a canary in it that the subject's user owns.
pub struct Cage {
    pub folder: tempfile::TempDir,
    pub launcher: Launcher,
}

impl Cage {
    pub fn new(user: User) -> Cage {
        Cage::with(user, &|_, _| {})
    }

    /// A cage whose policy is changed before the launcher starts; the function also gets the folder outside.
    pub fn with(user: User, change: &dyn Fn(&mut Policy, &Path)) -> Cage {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("empty")).unwrap();
        fs::create_dir(folder.path().join("scratch")).unwrap();
        fs::write(folder.path().join("canary"), "sings").unwrap();
        for name in ["", "empty", "scratch", "canary"] {
            give_to_subject(&folder.path().join(name));
        }
        let mut policy = Policy::new(folder.path().join("scratch"));
        change(&mut policy, folder.path());
        let launcher = Launcher::start(policy, user.command()).unwrap();
        Cage { folder, launcher }
    }

    pub fn run(&mut self, request: &Request) -> Finished {
        self.launcher.run(request).unwrap()
    }

    /// Asserts that the next run finds nothing of the last, and that the launcher is still the same.
    pub fn assert_unharmed(&mut self, launcher: u32) {
        let folder = self.folder.path();
        let data = fs::metadata(folder.join("canary")).unwrap();
        assert_eq!(fs::read(folder.join("canary")).unwrap(), b"sings");
        assert_eq!(data.permissions().mode() & 0o777, 0o644);
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["canary", "empty", "scratch"]);
        assert_eq!(fs::read_dir(folder.join("scratch")).unwrap().count(), 0);
        let finished = self.run(&shell("ls -A; ps -e --no-headers | wc -l"));
        // The launcher, the shell, `ps` and `wc`; perhaps the fork servers of the shell and of the subject.
        let servers = if self.launcher.policy().launch == Launch::Plain {
            0
        } else {
            2
        };
        let count: u32 = text(&finished.stdout).trim().parse().unwrap();
        assert!(
            (4..=4 + servers).contains(&count),
            "{count} processes, {}",
            text(&finished.stderr)
        );
        assert_eq!(
            self.launcher.id(),
            launcher,
            "the launcher had to be started anew"
        );
    }
}

/// A request for a shell script.
pub fn shell(script: &str) -> Request {
    let mut request = Request::new(PathBuf::from("/bin/sh"));
    request.args = vec!["-c".into(), script.into()];
    request.env = vec![("PATH".into(), "/usr/bin:/bin".into())];
    request
}

/// A request for a subject with arguments and a time-out in milliseconds.
pub fn request(program: PathBuf, args: &[&str], milliseconds: u64) -> Request {
    let mut request = Request::new(program);
    request.args = args.iter().map(OsString::from).collect();
    request.timeout = Duration::from_millis(milliseconds);
    request
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

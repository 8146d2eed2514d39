//! From the command line to what can be called: the JDK, the subject, its members.

use crate::cli;
use crate::exit::{Failed, told};
use jvm::discovery::{
    Check, Deprecated, Discovered, Error, Filters, Inputs, Jdk, Pattern, Since, Subject, discover,
};
use jvm::{Java, JavaError, Places};
use std::path::{Path, PathBuf};

/// A JVM subject that is ready to be prepared for workers.
pub struct Opened {
    /// The Java that runs and compiles.
    pub java: Java,
    /// Its classes.
    pub jdk: Jdk,
    /// The classes.
    pub subject: Subject,
    /// What can be called.
    pub discovered: Discovered,
}

/// Finds the JDK, opens the subject and finds what can be called.
pub fn open(path: &Path, flags: &cli::Jvm, inputs: Inputs) -> Result<Opened, Failed> {
    let java = find_java(flags)?;
    let jdk = Jdk::open(&java.home).map_err(bad_subject)?;
    // Workers and test JVMs run in folders of their own.
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut paths = vec![absolute(path)];
    paths.extend(flags.with.iter().map(|path| absolute(path)));
    let classpath: Vec<PathBuf> = flags
        .classpath
        .iter()
        .flat_map(std::env::split_paths)
        .map(|path| absolute(&path))
        .collect();
    let subject = Subject::open(&paths, &classpath, jdk.release()).map_err(bad_subject)?;
    for note in &subject.notes {
        eprintln!("note: {note}");
    }
    let discovered =
        discover(&subject, &jdk, &filters(path, flags, inputs)).map_err(bad_subject)?;
    Ok(Opened {
        java,
        jdk,
        subject,
        discovered,
    })
}

/// The Java that the user named, or the one of this machine.
pub fn find_java(flags: &cli::Jvm) -> Result<Java, Failed> {
    Places::of_this_process(flags.java.clone())
        .find()
        .map_err(|error| no_java(&error))
}

fn filters(path: &Path, flags: &cli::Jvm, inputs: Inputs) -> Filters {
    let patterns = |texts: &[String]| texts.iter().map(|text| Pattern::new(text)).collect();
    let folder = flags.sources.clone().unwrap_or_else(|| {
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        if path.is_dir() {
            path.to_owned()
        } else {
            parent.unwrap_or(Path::new(".")).to_owned()
        }
    });
    Filters {
        classes: patterns(&flags.class),
        packages: patterns(&flags.package),
        methods: patterns(&flags.method),
        entry: flags.entry.clone(),
        since: flags
            .since
            .clone()
            .map(|revision| Since { revision, folder }),
        checks: std::iter::once("@CheckRep")
            .chain(flags.check.iter().map(String::as_str))
            .map(Check::new)
            .collect(),
        inputs,
        deprecated: if flags.deprecated {
            Deprecated::Tested
        } else {
            Deprecated::Avoided
        },
    }
}

/// A Java that cannot be found or used, for the user.
pub fn no_java(error: &JavaError) -> Failed {
    told(&error.to_string(), Failed::missing)
}

fn bad_subject(error: Error) -> Failed {
    told(&error.to_string(), Failed::input)
}

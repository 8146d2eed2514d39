//! Which members of the JDK and of libraries are used to make inputs. Tests must repeat and leave nothing behind: so nothing that
//! opens files or connections, starts threads or processes, or asks the clock or chance.

use super::candidate::Candidate;
use super::summary::package_of;

/// Packages with nothing to make inputs by.
const PACKAGES: &[&str] = &[
    "java/applet",
    "java/awt",
    "java/beans",
    "java/lang/invoke",
    "java/lang/management",
    "java/lang/ref",
    "java/lang/reflect",
    "java/lang/runtime",
    "java/net/http",
    "java/nio/channels",
    "java/nio/file",
    "java/rmi",
    "java/util/jar",
    "java/util/logging",
    "java/util/prefs",
    "java/util/spi",
    "javax/",
    "jdk/",
    "com/sun",
    "sun/",
];

/// Packages among them that have something after all: what XML is read into, made of and written with.
const FIT_PACKAGES: &[&str] = &[
    "javax/xml/namespace",
    "javax/xml/parsers",
    "javax/xml/stream",
    "javax/xml/transform",
    "javax/xml/xpath",
];

/// Classes with nothing to make inputs by.
const CLASSES: &[&str] = &[
    "java/io/Console",
    "java/io/FileDescriptor",
    "java/io/FileInputStream",
    "java/io/FileOutputStream",
    "java/io/FileReader",
    "java/io/FileWriter",
    "java/io/PipedInputStream",
    "java/io/PipedOutputStream",
    "java/io/PipedReader",
    "java/io/PipedWriter",
    "java/io/RandomAccessFile",
    "java/lang/ClassLoader",
    "java/lang/InheritableThreadLocal",
    "java/lang/Process",
    "java/lang/ProcessBuilder",
    "java/lang/Runtime",
    "java/lang/SecurityManager",
    "java/lang/System",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/net/DatagramSocket",
    "java/net/InetAddress",
    "java/net/MulticastSocket",
    "java/net/NetworkInterface",
    "java/net/ServerSocket",
    "java/net/Socket",
    "java/net/URLClassLoader",
    "java/security/SecureRandom",
    "java/util/ServiceLoader",
    "java/util/Timer",
    "java/util/TimerTask",
    "java/util/UUID",
];

/// Words in the names of classes that run threads or wait for some.
const CONCURRENT: &[&str] = &[
    "Executor",
    "ForkJoin",
    "Future",
    "Queue",
    "Deque",
    "Latch",
    "Barrier",
    "Phaser",
    "Semaphore",
    "Random",
    "Exchanger",
];

/// Whether members of a class may make inputs.
pub fn is_fit(class: &str) -> bool {
    let outermost = class.split('$').next().unwrap_or(class);
    let package = package_of(class);
    let waits =
        package == "java/util/concurrent" && CONCURRENT.iter().any(|word| outermost.contains(word));
    let below = |one: &&str| {
        let with_slash = package.len() + 1;
        package == *one || (with_slash > one.len() && package.starts_with(*one))
    };
    !waits
        && !CLASSES.contains(&outermost)
        && (!PACKAGES.iter().any(below) || FIT_PACKAGES.iter().any(below))
}

/// Whether a member of a class outside the subject may make inputs.
pub fn is_fit_maker(candidate: &Candidate) -> bool {
    let operation = &candidate.operation;
    let (owner, name) = (operation.owner.as_str(), operation.name.as_str());
    let bare = candidate.parameters.is_empty();
    let by_chance = match owner {
        "java/util/Date" | "java/util/Random" | "java/util/SplittableRandom" => bare,
        "java/util/GregorianCalendar" => !operation.descriptor.starts_with("(III"),
        "java/util/Calendar" => true,
        "java/time/Clock" => name.starts_with("system") || name.starts_with("tick"),
        "java/lang/Class" => true,
        "java/io/File" => name == "createTempFile" || name == "listRoots",
        // What there is on this machine, or in this release, differs elsewhere.
        _ => {
            matches!(name, "now" | "random" | "getClass")
                || name.starts_with("getAvailable")
                || name.starts_with("available")
                || name.starts_with("getDefault")
        }
    };
    let opens = |parameter: &String| {
        matches!(
            parameter.as_str(),
            "Ljava/io/File;" | "Ljava/nio/file/Path;" | "Ljava/io/FileDescriptor;"
        )
    };
    let by_name = matches!(
        owner,
        "java/io/PrintStream"
            | "java/io/PrintWriter"
            | "java/util/Formatter"
            | "javax/xml/transform/stream/StreamResult"
            | "javax/xml/transform/stream/StreamSource"
            | "org/xml/sax/InputSource"
    ) && candidate
        .parameters
        .iter()
        .any(|one| one == "Ljava/lang/String;");
    let is_file = owner == "java/io/File";
    !by_chance
        && !by_name
        && !is_fetching(candidate)
        && (is_file || !candidate.parameters.iter().any(opens))
}

/// Whether a member reads XML, which may name files and addresses to be read with it, or loads a class by its name.
fn is_fetching(candidate: &Candidate) -> bool {
    let (operation, given) = (&candidate.operation, &candidate.parameters);
    let (owner, name) = (operation.owner.as_str(), operation.name.as_str());
    let reads = name.starts_with("parse")
        || owner == "javax/xml/stream/XMLInputFactory" && name.starts_with("create")
        || given
            .iter()
            .any(|one| one == "Ljavax/xml/transform/Source;");
    let loads = matches!(name, "newInstance" | "newFactory") && !given.is_empty();
    let xml = ["javax/xml/", "org/w3c/dom/", "org/xml/sax/"];
    xml.iter().any(|one| owner.starts_with(one)) && (reads || loads)
}

/// Leaves out what searches the class path for a factory of the class library where there is a way to its default: what is found
/// depends on who asks.
pub fn drop_searching(members: &mut Vec<Candidate>) {
    let of_xml = |one: &Candidate| one.operation.owner.starts_with("javax/xml/");
    let plain = |one: &Candidate| of_xml(one) && one.operation.name.starts_with("newDefault");
    if members.iter().any(plain) {
        let searching = ["newInstance", "newNSInstance", "newFactory"];
        members.retain(|one| !searching.contains(&one.operation.name.as_str()));
    }
}

/// Whether a member of the class library makes arrays of numbers or letters that a written list of elements would not: long ones, and
/// the bytes and letters of texts.
pub fn is_array_maker(candidate: &Candidate) -> bool {
    let operation = &candidate.operation;
    let signature = (operation.name.as_str(), operation.descriptor.as_str());
    matches!(signature, ("getBytes", "()[B") | ("toCharArray", "()[C"))
        || operation.name == "copyOf" && candidate.parameters.len() == 2
}

/// Beginnings of the names of methods that change their receiver, the most useful first.
const CHANGERS: &[&str] = &[
    "add", "put", "append", "push", "offer", "set", "write", "insert", "read", "next", "skip",
    "remove", "clear", "delete", "reverse",
];

/// Whether a method may change its receiver, going by its name, or by giving nothing.
pub fn is_changer(candidate: &Candidate) -> bool {
    let operation = &candidate.operation;
    let waits = matches!(
        operation.name.as_str(),
        "wait" | "notify" | "notifyAll" | "close"
    );
    // A place that is read or written where there is no stream.
    let places = operation.name == "setSystemId";
    // What is on disk is nobody's object.
    let file = operation.owner == "java/io/File";
    !waits && !places && !file && rank(&operation.name) < CHANGERS.len()
}

/// The place of a method's name among those that change things.
pub fn rank(name: &str) -> usize {
    let place = CHANGERS.iter().position(|prefix| name.starts_with(prefix));
    place.unwrap_or(CHANGERS.len())
}

//! Calls that are redirected to the runtime: a table of data.
//!
//! A static call keeps its descriptor. A virtual or interface call becomes a static call with the receiver as first
//! argument. A constructor stays a constructor but gets one more argument, which the runtime supplies. Calls by `super.`
//! are left alone, and so are calls by reflection, which no rewriting of call sites can see.

use super::runtime::CALLS;

/// A call and what takes its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Replacement {
    /// The class that the call site names.
    pub owner: &'static str,
    /// The method's name; `<init>` for constructors.
    pub name: &'static str,
    /// The method's descriptor.
    pub descriptor: &'static str,
    /// What is done instead.
    pub action: Action,
}

/// What takes the place of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// A static method of the same name is called.
    Static {
        /// Its class.
        class: &'static str,
    },
    /// A constructor gets one more argument at the end.
    Argument {
        /// The class of the static method that supplies it.
        class: &'static str,
        /// That method's name.
        supplier: &'static str,
        /// The argument's type; the supplier's descriptor is `()` and this.
        argument: &'static str,
    },
}

const STATIC: Action = Action::Static { class: CALLS };

const fn call(owner: &'static str, name: &'static str, descriptor: &'static str) -> Replacement {
    Replacement {
        owner,
        name,
        descriptor,
        action: STATIC,
    }
}

/// `now` of a class of `java.time`. Methods of one class cannot differ in their result alone, so each has its own.
const fn now(owner: &'static str, descriptor: &'static str, class: &'static str) -> Replacement {
    Replacement {
        owner,
        name: "now",
        descriptor,
        action: Action::Static { class },
    }
}

const fn constructor(
    owner: &'static str,
    supplier: &'static str,
    argument: &'static str,
) -> Replacement {
    Replacement {
        owner,
        name: "<init>",
        descriptor: "()V",
        action: Action::Argument {
            class: CALLS,
            supplier,
            argument,
        },
    }
}

const RANDOM: &str = "java/util/concurrent/ThreadLocalRandom";

/// Calls that would end the process.
pub const EXITS: &[Replacement] = &[
    call("java/lang/System", "exit", "(I)V"),
    call("java/lang/Runtime", "exit", "(I)V"),
    call("java/lang/Runtime", "halt", "(I)V"),
];

/// Calls whose result changes from run to run.
pub const UNSTABLE: &[Replacement] = &[
    call("java/lang/System", "currentTimeMillis", "()J"),
    call("java/lang/System", "nanoTime", "()J"),
    call("java/lang/Math", "random", "()D"),
    call("java/lang/StrictMath", "random", "()D"),
    call("java/util/UUID", "randomUUID", "()Ljava/util/UUID;"),
    call("java/util/Collections", "shuffle", "(Ljava/util/List;)V"),
    call(
        "java/util/Calendar",
        "getInstance",
        "()Ljava/util/Calendar;",
    ),
    call("java/time/Clock", "systemUTC", "()Ljava/time/Clock;"),
    call(
        "java/time/Clock",
        "systemDefaultZone",
        "()Ljava/time/Clock;",
    ),
    now(
        "java/time/Instant",
        "()Ljava/time/Instant;",
        "testhound/rt/Calls$Instants",
    ),
    now(
        "java/time/LocalDate",
        "()Ljava/time/LocalDate;",
        "testhound/rt/Calls$LocalDates",
    ),
    now(
        "java/time/LocalTime",
        "()Ljava/time/LocalTime;",
        "testhound/rt/Calls$LocalTimes",
    ),
    now(
        "java/time/LocalDateTime",
        "()Ljava/time/LocalDateTime;",
        "testhound/rt/Calls$LocalDateTimes",
    ),
    now(
        "java/time/OffsetDateTime",
        "()Ljava/time/OffsetDateTime;",
        "testhound/rt/Calls$OffsetDateTimes",
    ),
    now(
        "java/time/ZonedDateTime",
        "()Ljava/time/ZonedDateTime;",
        "testhound/rt/Calls$ZonedDateTimes",
    ),
    call(RANDOM, "nextInt", "()I"),
    call(RANDOM, "nextInt", "(I)I"),
    call(RANDOM, "nextInt", "(II)I"),
    call(RANDOM, "nextLong", "()J"),
    call(RANDOM, "nextBoolean", "()Z"),
    call(RANDOM, "nextFloat", "()F"),
    call(RANDOM, "nextDouble", "()D"),
    call(RANDOM, "nextGaussian", "()D"),
    constructor("java/util/Random", "seed", "J"),
    constructor("java/util/SplittableRandom", "seed", "J"),
    constructor("java/util/Date", "currentTimeMillis", "J"),
];

//! The filter of system calls: a list of what is refused, with the error that the caller sees.
//!
//! Refused are calls that reach outside (other processes' memory, mounts, namespaces, kernel modules, keys), calls with
//! a large attack surface (io_uring, bpf), objects that outlive a process and would carry state from one test to the
//! next (System V and POSIX message queues, shared memory), and sockets. Everything else is allowed: a subject may use
//! calls that we never heard of, and the other mechanisms still hold.
//!
//! `ptrace` is allowed where a PID namespace leaves nobody to trace but the program's own processes (this process and
//! the fork servers make themselves untraceable): the leak check of sanitizers needs it.
//!
//! Sockets: without allowed addresses only unconnected Unix stream sockets and pairs, because `connect` could reach a
//! server of the user (session bus, agent) through a path. With allowed addresses `connect` must work, so Unix sockets
//! other than pairs go, and only TCP sockets can be made.

use std::collections::BTreeMap;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

const REFUSED: &[c_long] = &[
    // Other processes.
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // The kernel and the machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_fanotify_init,
    // Keys.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Large surface.
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[c_long] = &[
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_kexec_file_load,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[c_long] = &[];

/// Calls that we claim not to know. The C library falls back from clone3 to clone, whose flags can be looked at.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
];

const NAMESPACE_FLAGS: [i32; 8] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWCGROUP,
    0x80, // CLONE_NEWTIME
];

const TERMINAL_REQUESTS: [u64; 3] = [libc::TIOCSTI, 0x541c /* TIOCLINUX */, libc::TIOCSCTTY];

/// A condition: which argument has which value.
type Equals = (u8, u64);

/// Calls that would change how the launcher, process 1, is scheduled: any of the sets of conditions refuses. Users and
/// groups of processes include it.
const LAUNCHER_SETTINGS: &[(c_long, &[&[Equals]])] = &[
    (libc::SYS_sched_setaffinity, &[&[(0, 1)]]),
    (libc::SYS_sched_setscheduler, &[&[(0, 1)]]),
    (libc::SYS_sched_setparam, &[&[(0, 1)]]),
    (libc::SYS_sched_setattr, &[&[(0, 1)]]),
    (
        libc::SYS_setpriority,
        &[&[(0, 0), (1, 1)], &[(0, 1), (1, 1)], &[(0, 2)]],
    ),
    (
        libc::SYS_ioprio_set,
        &[&[(0, 1), (1, 1)], &[(0, 2), (1, 1)], &[(0, 3)]],
    ),
];

/// Low bits of a socket type; the rest are flags.
const TYPE_MASK: u64 = 0xf;

/// What the filter does not refuse.
#[derive(Debug, Clone, Copy)]
pub struct Allowed {
    /// TCP connections.
    pub net: bool,
    /// Tracing other processes.
    pub trace: bool,
}

/// Installs the filters for this process and all it starts.
pub fn apply(allowed: Allowed) -> Result<(), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    for filter in filters(allowed).map_err(|error| text(&error))? {
        seccompiler::apply_filter(&filter).map_err(|error| text(&error))?;
    }
    Ok(())
}

fn filters(allowed: Allowed) -> Result<Vec<BpfProgram>, seccompiler::BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let mut refused: Rules = REFUSED
        .iter()
        .chain(REFUSED_HERE)
        .map(|&call| (call, Vec::new()))
        .collect();
    let clone = NAMESPACE_FLAGS
        .iter()
        .map(|&flag| rule(0, SeccompCmpOp::MaskedEq(flag as u64), flag as u64));
    refused.insert(libc::SYS_clone, clone.collect::<Result<_, _>>()?);
    let ioctl = TERMINAL_REQUESTS
        .iter()
        .map(|&request| rule(1, SeccompCmpOp::Eq, request));
    refused.insert(libc::SYS_ioctl, ioctl.collect::<Result<_, _>>()?);
    for (call, condition_sets) in LAUNCHER_SETTINGS {
        let rules = condition_sets.iter().map(|set| {
            let conditions = set
                .iter()
                .map(|&(argument, value)| condition(argument, SeccompCmpOp::Eq, value));
            SeccompRule::new(conditions.collect::<Result<_, _>>()?)
        });
        refused.insert(*call, rules.collect::<Result<_, _>>()?);
    }
    // Setting limits of others, the launcher among them. The address of the new limit has 64 bits.
    let sets = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    let of_others = SeccompRule::new(vec![condition(0, SeccompCmpOp::Ne, 0)?, sets])?;
    refused.insert(libc::SYS_prlimit64, vec![of_others]);
    if !allowed.trace {
        refused.insert(libc::SYS_ptrace, Vec::new());
    }
    if !allowed.net {
        refused.insert(libc::SYS_connect, Vec::new());
    }
    let unknown: Rules = UNKNOWN.iter().map(|&call| (call, Vec::new())).collect();
    let mut programs = Vec::new();
    for (rules, errno) in [
        (refused, libc::EPERM),
        (unknown, libc::ENOSYS),
        (socket_rules(allowed.net)?, libc::EAFNOSUPPORT),
    ] {
        let action = SeccompAction::Errno(errno as u32);
        programs.push(SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?.try_into()?);
    }
    #[cfg(target_arch = "x86_64")]
    programs.push(x32_filter());
    Ok(programs)
}

fn rule(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![condition(argument, operator, value)?])
}

fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
}

fn socket_rules(net: bool) -> Result<Rules, seccompiler::BackendError> {
    let no_datagrams = [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_RDM];
    let wrong_type = || {
        no_datagrams
            .iter()
            .map(|&kind| rule(1, SeccompCmpOp::MaskedEq(TYPE_MASK), kind as u64))
    };
    let mut socket = if net {
        vec![SeccompRule::new(vec![
            condition(0, SeccompCmpOp::Ne, libc::AF_INET as u64)?,
            condition(0, SeccompCmpOp::Ne, libc::AF_INET6 as u64)?,
        ])?]
    } else {
        vec![rule(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64)?]
    };
    for rule in wrong_type() {
        socket.push(rule?);
    }
    // A datagram socket of a pair can still send to any path.
    let mut pair = vec![rule(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64)?];
    for rule in wrong_type() {
        pair.push(rule?);
    }
    Ok(Rules::from([
        (libc::SYS_socket, socket),
        (libc::SYS_socketpair, pair),
    ]))
}

/// The x32 interface has the same architecture number but other call numbers, which the rules above do not see.
#[cfg(target_arch = "x86_64")]
fn x32_filter() -> BpfProgram {
    use seccompiler::sock_filter;
    const X32_BIT: u32 = 0x4000_0000;
    let load_number = sock_filter {
        code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16,
        jt: 0,
        jf: 0,
        k: 0,
    };
    let is_x32 = sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16,
        jt: 0,
        jf: 1,
        k: X32_BIT,
    };
    let end = |k| sock_filter {
        code: (libc::BPF_RET | libc::BPF_K) as u16,
        jt: 0,
        jf: 0,
        k,
    };
    let refuse = end(libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
    vec![load_number, is_x32, refuse, end(libc::SECCOMP_RET_ALLOW)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_compile_whatever_is_allowed() {
        for (net, trace) in [(true, true), (false, true), (true, false), (false, false)] {
            assert!(filters(Allowed { net, trace }).unwrap().len() >= 3);
        }
    }
}

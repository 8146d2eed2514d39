//! Landlock rules: no writing outside the scratch folder and the allowed folders, no TCP but to the allowed ports, no
//! signals or abstract sockets across the border.
//!
//! Reading and executing are not restricted.

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, LandlockStatus, NetPort,
    PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope,
};

use super::mounts::DEVICES;
use crate::message::Setup;

/// The newest interface whose rights we know. What the kernel does not have is left out.
const NEWEST: ABI = ABI::V9;

/// Applies the rules to this process and all it starts; an error says what is missing.
pub fn apply(setup: &Setup) -> Result<(), String> {
    let status = restrict(setup).map_err(|error| error.to_string())?;
    if status.ruleset == RulesetStatus::NotEnforced {
        return Err("this kernel does not have Landlock, or it is switched off".to_owned());
    }
    match status.landlock {
        LandlockStatus::Available { effective_abi, .. } if effective_abi < ABI::V3 => Err(format!(
            "this kernel's Landlock ({effective_abi:?}) cannot forbid truncation"
        )),
        _ => Ok(()),
    }
}

fn restrict(setup: &Setup) -> Result<landlock::RestrictionStatus, RulesetError> {
    let write = AccessFs::from_write(NEWEST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for folder in std::iter::once(&setup.scratch).chain(&setup.write) {
        if let Ok(opened) = PathFd::new(folder) {
            rules = rules.add_rule(PathBeneath::new(opened, write))?;
        }
    }
    let device = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    for path in DEVICES {
        if let Ok(opened) = PathFd::new(path) {
            rules = rules.add_rule(PathBeneath::new(opened, device))?;
        }
    }
    for address in &setup.net {
        rules = rules.add_rule(NetPort::new(address.port(), AccessNet::ConnectTcp))?;
    }
    rules.restrict_self()
}

//! Allowed addresses in the empty network namespace: the loopback interface gets each of them, a socket listens there,
//! and the client relays what arrives to the real server. So exactly the named addresses can be reached.
//!
//! Only TCP. Names are resolved outside; inside, only what `/etc/hosts` knows resolves.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::os::fd::{AsRawFd, OwnedFd};

use nix::sys::socket::{
    AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, recv, send, socket,
};

/// The index of the loopback interface in every fresh network namespace.
const LOOPBACK: u32 = 1;

/// Listens at each address. Without addresses even the loopback interface stays down.
pub fn listen(addresses: &[SocketAddr]) -> io::Result<Vec<TcpListener>> {
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    let family = AddressFamily::Netlink;
    let netlink = socket(
        family,
        SockType::Raw,
        SockFlag::SOCK_CLOEXEC,
        SockProtocol::NetlinkRoute,
    )?;
    loopback_up(&netlink)?;
    for address in addresses {
        if !address.ip().is_loopback() {
            add_address(&netlink, address.ip())?;
        }
    }
    addresses.iter().map(TcpListener::bind).collect()
}

fn loopback_up(netlink: &OwnedFd) -> io::Result<()> {
    // struct ifinfomsg: family, padding, type, index, flags, mask of changed flags.
    let mut body = vec![libc::AF_UNSPEC as u8, 0, 0, 0];
    for number in [LOOPBACK, libc::IFF_UP as u32, libc::IFF_UP as u32] {
        body.extend(number.to_ne_bytes());
    }
    request(netlink, libc::RTM_NEWLINK, 0, &body)
}

fn add_address(netlink: &OwnedFd, address: IpAddr) -> io::Result<()> {
    let (family, bytes) = match address {
        IpAddr::V4(address) => (libc::AF_INET, address.octets().to_vec()),
        IpAddr::V6(address) => (libc::AF_INET6, address.octets().to_vec()),
    };
    // struct ifaddrmsg: family, prefix length, flags, scope, index; then the address as local and as peer.
    // Nobody else can have the address here, so it need not be tentative first.
    let mut body = vec![
        family as u8,
        (bytes.len() * 8) as u8,
        libc::IFA_F_NODAD as u8,
        0,
    ];
    body.extend(LOOPBACK.to_ne_bytes());
    for kind in [libc::IFA_LOCAL, libc::IFA_ADDRESS] {
        body.extend((bytes.len() as u16 + 4).to_ne_bytes());
        body.extend(kind.to_ne_bytes());
        body.extend(&bytes);
    }
    let result = request(netlink, libc::RTM_NEWADDR, libc::NLM_F_CREATE, &body);
    // Two ports of one host need the address once.
    result.or_else(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            Ok(())
        } else {
            Err(error)
        }
    })
}

/// Sends one routing request and waits for its acknowledgement.
fn request(netlink: &OwnedFd, kind: u16, flags: i32, body: &[u8]) -> io::Result<()> {
    const HEADER: usize = 16;
    let flags = (libc::NLM_F_REQUEST | libc::NLM_F_ACK | flags) as u16;
    let mut message = ((HEADER + body.len()) as u32).to_ne_bytes().to_vec();
    message.extend(kind.to_ne_bytes());
    message.extend(flags.to_ne_bytes());
    // Sequence number and port: one request at a time needs neither.
    message.extend([0; 8]);
    message.extend(body);
    send(netlink.as_raw_fd(), &message, MsgFlags::empty())?;
    let mut answer = [0; 1024];
    let length = recv(netlink.as_raw_fd(), &mut answer, MsgFlags::empty())?;
    let error = answer[..length]
        .get(HEADER..HEADER + 4)
        .and_then(|bytes| bytes.try_into().ok());
    match error.map(i32::from_ne_bytes) {
        Some(0) => Ok(()),
        Some(error) => Err(io::Error::from_raw_os_error(-error)),
        None => Err(io::Error::other("no answer from the routing socket")),
    }
}

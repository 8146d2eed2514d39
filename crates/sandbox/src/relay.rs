//! Relays connections from a listening socket inside the sandbox to the real server outside.
//!
//! Threads, because connections of a subject are few and a relay must not need the caller's attention.

use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

type Connections = Arc<Mutex<Vec<TcpStream>>>;

/// One listening socket and its open connections.
pub struct Relay {
    listener: TcpListener,
    connections: Connections,
}

impl Relay {
    /// Relays every connection that arrives at `listener` to `address`.
    pub fn start(listener: OwnedFd, address: SocketAddr) -> io::Result<Relay> {
        let relay = Relay {
            listener: TcpListener::from(listener),
            connections: Connections::default(),
        };
        let (listener, connections) = (relay.listener.try_clone()?, Arc::clone(&relay.connections));
        thread::spawn(move || {
            while let Ok((inside, _)) = listener.accept() {
                let connections = Arc::clone(&connections);
                // A server that is down shows inside as a connection that closes at once.
                thread::spawn(move || connect(inside, address, &connections));
            }
        });
        Ok(relay)
    }

    /// Ends all connections, so that none outlives the program that made it.
    pub fn cut(&self) {
        let mut connections = self
            .connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for connection in connections.drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        // Ends `accept` in the thread.
        let _ =
            nix::sys::socket::shutdown(self.listener.as_raw_fd(), nix::sys::socket::Shutdown::Both);
        self.cut();
    }
}

fn connect(inside: TcpStream, address: SocketAddr, connections: &Connections) -> io::Result<()> {
    let outside = TcpStream::connect(address)?;
    connections
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend([inside.try_clone()?, outside.try_clone()?]);
    let (from_outside, to_inside) = (outside.try_clone()?, inside.try_clone()?);
    thread::spawn(move || copy(from_outside, to_inside));
    copy(inside, outside);
    Ok(())
}

/// Copies until the end, and passes the end on.
fn copy(mut from: TcpStream, mut to: TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

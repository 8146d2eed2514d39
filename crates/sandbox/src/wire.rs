//! How the two sides of a launcher talk: frames of bytes with descriptors attached, over a socket pair.
//!
//! Strictly one frame out, one frame back, so a receiver never reads past the end of a frame. Both sides are the same
//! program file, so there is no version. Standard streams do not pass through here: they are memory files whose
//! descriptors travel with the request.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};

/// The most descriptors one frame carries.
pub const MAX_DESCRIPTORS: usize = 16;

const HEADER: usize = 4;

/// Builds the content of a frame.
pub struct Writer(Vec<u8>);

impl Writer {
    /// An empty frame; the place of the header is kept free.
    pub fn new() -> Writer {
        Writer(vec![0; HEADER])
    }

    /// Appends a number.
    pub fn number(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends bytes with their length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Appends a number or its absence.
    pub fn option(&mut self, value: Option<u64>) {
        self.number(u64::from(value.is_some()));
        self.number(value.unwrap_or(0));
    }

    /// Empties the frame, keeping its memory.
    pub fn clear(&mut self) {
        self.0.truncate(HEADER);
    }

    /// Sends the frame with descriptors.
    pub fn send(&mut self, socket: &UnixStream, descriptors: &[RawFd]) -> io::Result<()> {
        let length = u32::try_from(self.0.len() - HEADER)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "frame of more than 4 GiB"))?;
        self.0[..HEADER].copy_from_slice(&length.to_le_bytes());
        let rights = [ControlMessage::ScmRights(descriptors)];
        let control: &[ControlMessage] = if descriptors.is_empty() { &[] } else { &rights };
        let mut sent = 0;
        while sent < self.0.len() {
            let control = if sent == 0 { control } else { &[] };
            let slice = [IoSlice::new(&self.0[sent..])];
            match sendmsg::<()>(
                socket.as_raw_fd(),
                &slice,
                control,
                MsgFlags::MSG_NOSIGNAL,
                None,
            ) {
                Ok(count) => sent += count,
                Err(nix::Error::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Receives frames into memory that is kept.
pub struct Receiver {
    buffer: Vec<u8>,
    control: Vec<u8>,
}

impl Receiver {
    /// A receiver with room for usual frames.
    pub fn new() -> Receiver {
        Receiver {
            buffer: vec![0; 16 * 1024],
            control: nix::cmsg_space!([RawFd; MAX_DESCRIPTORS]),
        }
    }

    /// Receives one frame and its descriptors; `None` when the other side is gone.
    pub fn receive(
        &mut self,
        socket: &UnixStream,
    ) -> io::Result<Option<(Reader<'_>, Vec<OwnedFd>)>> {
        let mut descriptors = Vec::new();
        let mut have = 0;
        let mut want = HEADER;
        while have < want {
            let count = self.receive_some(socket, have, &mut descriptors)?;
            if count == 0 {
                return Ok(None);
            }
            have += count;
            if have >= HEADER {
                let header = self.buffer[..HEADER]
                    .try_into()
                    .expect("the slice has the header's length");
                want = HEADER + u32::from_le_bytes(header) as usize;
                if self.buffer.len() < want {
                    self.buffer.resize(want, 0);
                }
            }
        }
        Ok(Some((Reader(&self.buffer[HEADER..want]), descriptors)))
    }

    fn receive_some(
        &mut self,
        socket: &UnixStream,
        have: usize,
        got: &mut Vec<OwnedFd>,
    ) -> io::Result<usize> {
        let mut slice = [IoSliceMut::new(&mut self.buffer[have..])];
        let flags = MsgFlags::MSG_CMSG_CLOEXEC;
        loop {
            match recvmsg::<()>(
                socket.as_raw_fd(),
                &mut slice,
                Some(&mut self.control),
                flags,
            ) {
                Err(nix::Error::EINTR) => {}
                Err(nix::Error::ECONNRESET) => return Ok(0),
                Err(error) => return Err(error.into()),
                Ok(message) => {
                    for control in message.cmsgs()? {
                        if let ControlMessageOwned::ScmRights(fds) = control {
                            got.extend(fds.into_iter().map(crate::sys::own));
                        }
                    }
                    return Ok(message.bytes);
                }
            }
        }
    }
}

/// Reads the content of a frame in the order in which it was written.
#[derive(Clone, Copy)]
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> io::Result<&'a [u8]> {
        let (head, tail) = self
            .0
            .split_at_checked(count)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "frame too short"))?;
        self.0 = tail;
        Ok(head)
    }

    /// The next number.
    pub fn number(&mut self) -> io::Result<u64> {
        let bytes = self.take(8)?;
        Ok(u64::from_le_bytes(
            bytes.try_into().expect("eight bytes were taken"),
        ))
    }

    /// The next bytes.
    pub fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = self.number()?;
        self.take(usize::try_from(length).unwrap_or(usize::MAX))
    }

    /// The next number, if present.
    pub fn option(&mut self) -> io::Result<Option<u64>> {
        let present = self.number()? == 1;
        let value = self.number()?;
        Ok(present.then_some(value))
    }
}

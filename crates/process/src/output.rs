//! One output stream of a child, kept up to a cap. What comes after the cap is read and thrown away, so
//! that the child never blocks on a full pipe.

use std::io::Read;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub bytes: Vec<u8>,
    /// More came than the cap allowed.
    pub cut: bool,
}

impl Output {
    pub(crate) fn read(mut stream: impl Read, cap: usize) -> Self {
        let mut output = Self::default();
        let mut chunk = [0; 16 * 1024];
        loop {
            match stream.read(&mut chunk) {
                Ok(0) => return output,
                Ok(n) => output.keep(&chunk[..n], cap),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return output,
            }
        }
    }

    fn keep(&mut self, chunk: &[u8], cap: usize) {
        let room = cap.saturating_sub(self.bytes.len()).min(chunk.len());
        self.bytes.extend_from_slice(&chunk[..room]);
        self.cut |= room < chunk.len();
    }

    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

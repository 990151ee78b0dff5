//! Analyses files whose language needs a tree-sitter grammar, in this process or in another one.
//!
//! The grammars are by far the largest part of the code, so programs that answer prompts do not contain them. When a
//! file needs a grammar, these programs start a separate parser program ([`serve`]). A crash in a grammar terminates
//! only the parser program.

use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

use process::{Program, Responder};
use syntax::{Language, Outline, OutlineLimits, Outliner};
use thiserror::Error;

use crate::facts::{Analyser, FACTS_VERSION, PARSE_TIMEOUT, Reading};

/// The maximum time that the parser program may take to send its greeting.
const GREETING_TIMEOUT: Duration = Duration::from_secs(5);
/// The time that the parser program may take for one file in addition to [`PARSE_TIMEOUT`].
const EXTRA_TIME: Duration = Duration::from_secs(3);
/// The maximum size in bytes of a fact record that the parser program may return.
const MAX_RECORD: u32 = 256 * 1024 * 1024;
const MAGIC: &[u8; 8] = b"adjpars2";

/// How files that need a grammar are analysed.
#[derive(Clone, Debug)]
pub enum Parser {
    /// The files are analysed in this process, which contains the grammars. [`Parser::linked`] creates this variant.
    Linked(fn() -> GrammarOutliner),
    /// The files are analysed by a separate program that calls [`serve`].
    Program(Program),
}

/// Creates the outline of a source file with a tree-sitter grammar.
pub type GrammarOutliner = Box<dyn FnMut(Language, &[u8], OutlineLimits) -> Outline>;

impl Parser {
    /// Returns the parser that uses the grammars in this process. A program that calls this function contains the
    /// grammars.
    pub fn linked() -> Self {
        Self::Linked(|| {
            let mut outliner = Outliner::default();
            Box::new(move |language, source, limits| outliner.outline(language, source, limits))
        })
    }

    pub(crate) fn open(&self) -> OpenParser {
        match self {
            Self::Linked(outliner) => OpenParser::Linked(outliner()),
            Self::Program(program) => OpenParser::Program(program.clone(), None),
        }
    }
}

/// The parser that one thread uses.
pub(crate) enum OpenParser {
    Linked(GrammarOutliner),
    /// The program, and its process if one is running.
    Program(Program, Option<Responder>),
}

/// The reason why the parser program returned no facts.
#[derive(Debug, Error)]
pub enum ParserFailure {
    /// The program is missing, has a different version or does not answer. Files that need a grammar cannot be parsed.
    #[error("cannot run the parser `{program}`")]
    Unavailable {
        program: String,
        #[source]
        source: io::Error,
    },
    /// The program exited or did not answer in time while it analysed this file.
    #[error("the parser failed on this file")]
    Crashed,
}

/// Sends a file to the parser program and returns the fact record that it sends back. Starts the program if it is not
/// running.
pub(crate) fn ask(
    program: &Program,
    running: &mut Option<Responder>,
    bytes: &[u8],
    reading: Reading,
) -> Result<Vec<u8>, ParserFailure> {
    let exchange = match running {
        Some(exchange) => exchange,
        None => running.insert(start(program).map_err(|source| ParserFailure::Unavailable {
            program: program.path.display().to_string(),
            source,
        })?),
    };
    let deadline = Instant::now() + PARSE_TIMEOUT + EXTRA_TIME;
    let answer = exchange_file(exchange, bytes, reading, deadline);
    answer.map_err(|_| {
        *running = None;
        ParserFailure::Crashed
    })
}

fn start(program: &Program) -> io::Result<Responder> {
    let mut exchange = Responder::start(program).map_err(|error| error.cause)?;
    let mut greeting = [0; GREETING_LENGTH];
    exchange.read_exact(&mut greeting, Instant::now() + GREETING_TIMEOUT)?;
    if greeting != self::greeting() {
        return Err(io::Error::other("it has another version"));
    }
    Ok(exchange)
}

fn exchange_file(
    exchange: &mut Responder,
    bytes: &[u8],
    reading: Reading,
    deadline: Instant,
) -> io::Result<Vec<u8>> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let mut head = [0; 5];
    head[0] = reading.code();
    head[1..].copy_from_slice(&length.to_le_bytes());
    exchange.write(&head)?;
    exchange.write(bytes)?;
    let mut length = [0; 4];
    exchange.read_exact(&mut length, deadline)?;
    let length = u32::from_le_bytes(length);
    if length > MAX_RECORD {
        return Err(io::Error::other("the record is too large"));
    }
    let mut record = vec![0; length as usize];
    exchange.read_exact(&mut record, deadline)?;
    Ok(record)
}

/// Answers the requests of a process that runs the same version, until `requests` ends. The parser program does
/// nothing but call this function.
pub fn serve(mut requests: impl Read, mut answers: impl Write) -> io::Result<()> {
    answers.write_all(&greeting())?;
    answers.flush()?;
    let mut analyser = Analyser::new(&Parser::linked());
    let mut head = [0; 5];
    let mut bytes = Vec::new();
    while read_or_end(&mut requests, &mut head)? {
        let length = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        bytes.resize(length as usize, 0);
        requests.read_exact(&mut bytes)?;
        let reading = Reading::of_code(head[0])
            .ok_or_else(|| io::Error::other("the request has an unknown kind of reading"))?;
        let record = analyser.analyse(&bytes, reading).map_err(io::Error::other)?;
        answers.write_all(&u32::try_from(record.len()).map_err(io::Error::other)?.to_le_bytes())?;
        answers.write_all(&record)?;
        answers.flush()?;
    }
    Ok(())
}

/// Fills `buffer` from the stream. Returns `false` if the stream is already at its end.
fn read_or_end(stream: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    let first = loop {
        match stream.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => break result?,
        }
    };
    if first == 0 {
        return Ok(false);
    }
    stream.read_exact(&mut buffer[first..])?;
    Ok(true)
}

const GREETING_LENGTH: usize = 12;

fn greeting() -> [u8; GREETING_LENGTH] {
    let mut greeting = [0; GREETING_LENGTH];
    greeting[..8].copy_from_slice(MAGIC);
    greeting[8..].copy_from_slice(&FACTS_VERSION.to_le_bytes());
    greeting
}

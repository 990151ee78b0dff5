//! Measures the guard's speed in megabytes per second, on source code and on the benign collection. Processor time is used,
//! so that other processes do not affect the result.

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use super::corpus::{Benign, read};
use super::table::Table;
use super::tree::SourceFile;

pub(crate) fn measure(data: &Path, code: &[SourceFile], table: &mut Table) -> io::Result<()> {
    let code: Vec<&str> = code.iter().map(|file| file.text.as_str()).collect();
    let benign: Vec<Benign> = read(&data.join("injection/benign-dev.jsonl.gz"))?;
    let benign: Vec<&str> = benign.iter().map(|sample| sample.text.as_str()).collect();
    row(table, "speed: redact, source code", &code, ">= 150", |text| {
        black_box(guard::redact(text));
    });
    row(table, "speed: redact, benign lines", &benign, "", |text| {
        black_box(guard::redact(text));
    });
    row(table, "speed: filter_injection, source code", &code, ">= 80", |text| {
        black_box(guard::filter_injection(text));
    });
    row(table, "speed: filter_injection, benign lines", &benign, "", |text| {
        black_box(guard::filter_injection(text));
    });
    row(table, "speed: neutralise, source code", &code, "", |text| {
        black_box(guard::neutralise(text));
    });
    Ok(())
}

fn row(table: &mut Table, measure: &str, texts: &[&str], bar: &'static str, work: impl Fn(&str)) {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let best = (0..3)
        .map(|_| {
            let start = processor_time();
            texts.iter().for_each(|text| work(text));
            processor_time() - start
        })
        .min()
        .unwrap_or(Duration::MAX);
    let megabytes = bytes as f64 / 1e6;
    table.push(
        measure,
        format!("{:.0} MB/s", megabytes / best.as_secs_f64()),
        format!("{megabytes:.1} MB"),
        bar,
    );
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}

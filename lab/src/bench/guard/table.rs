//! Prints figures in an aligned table.

use std::fmt;

#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

struct Row {
    measure: String,
    figure: String,
    of: String,
    bar: &'static str,
}

impl Table {
    /// Adds a row with `hits` as a percentage of `total`.
    pub(crate) fn percent(
        &mut self,
        measure: impl Into<String>,
        hits: usize,
        total: usize,
        bar: &'static str,
    ) {
        self.push(
            measure,
            format!("{:.1} %", ratio(hits, total) * 100.0),
            format!("{hits}/{total}"),
            bar,
        );
    }

    /// Adds a row with `hits` per thousand of `total`.
    pub(crate) fn per_thousand(
        &mut self,
        measure: impl Into<String>,
        hits: usize,
        total: usize,
        bar: &'static str,
    ) {
        self.push(
            measure,
            format!("{:.2} ‰", ratio(hits, total) * 1000.0),
            format!("{hits}/{total}"),
            bar,
        );
    }

    pub(crate) fn push(
        &mut self,
        measure: impl Into<String>,
        figure: String,
        of: String,
        bar: &'static str,
    ) {
        self.rows.push(Row { measure: measure.into(), figure, of, bar });
    }
}

fn ratio(hits: usize, total: usize) -> f64 {
    if total == 0 { 0.0 } else { hits as f64 / total as f64 }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "| {:<52} | {:>10} | {:>14} | {:>10} |",
            "measure", "figure", "of", "bar"
        )?;
        writeln!(formatter, "|{:-<54}|{:->12}|{:->16}|{:->12}|", "", ":", ":", ":")?;
        for row in &self.rows {
            writeln!(
                formatter,
                "| {:<52} | {:>10} | {:>14} | {:>10} |",
                row.measure, row.figure, row.of, row.bar
            )?;
        }
        Ok(())
    }
}

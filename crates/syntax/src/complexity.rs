//! Computes the complexity of functions.
//!
//! Cyclomatic complexity counts decisions. Cognitive complexity also adds the nesting depth of each decision, and
//! counts a sequence of the same logical operator once.

/// The complexity of one function, method or test. Definitions nested in its body are not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Complexity {
    pub cyclomatic: u16,
    pub cognitive: u16,
    /// The maximum nesting depth of branches, loops and closures.
    pub nesting: u16,
}

impl Complexity {
    pub(crate) const NO_BRANCHES: Self = Self { cyclomatic: 1, cognitive: 0, nesting: 0 };

    pub(crate) fn add(&mut self, branch: Branch, nesting: u16) {
        let (decisions, effort) = match branch {
            Branch::If | Branch::Loop | Branch::Catch => (1, nesting.saturating_add(1)),
            Branch::Switch => (0, nesting.saturating_add(1)),
            Branch::ElseIf => (1, 1),
            Branch::Else => (0, 1),
            Branch::Case => (1, 0),
            Branch::Closure => (0, 0),
        };
        self.cyclomatic = self.cyclomatic.saturating_add(decisions);
        self.cognitive = self.cognitive.saturating_add(effort);
        if branch.nests() {
            self.nesting = self.nesting.max(nesting.saturating_add(1));
        }
    }

    pub(crate) fn add_operator(&mut self, starts_a_run: bool) {
        self.cyclomatic = self.cyclomatic.saturating_add(1);
        self.cognitive = self.cognitive.saturating_add(u16::from(starts_a_run));
    }
}

/// How a syntax node affects the complexity of the enclosing function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Branch {
    If,
    ElseIf,
    Else,
    Loop,
    Catch,
    Switch,
    Case,
    /// A closure. It adds nesting but no decision.
    Closure,
}

impl Branch {
    pub(crate) fn nests(self) -> bool {
        matches!(self, Self::If | Self::Loop | Self::Catch | Self::Switch | Self::Closure)
    }
}

/// Returns whether two logical operators belong to different expressions, given the text between them.
pub(crate) fn separates_operators(between: &[u8]) -> bool {
    between.trim_ascii().iter().any(|byte| matches!(byte, b';' | b'{' | b'}' | b'\n'))
}

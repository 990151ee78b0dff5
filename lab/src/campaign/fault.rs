//! The kinds of injected faults.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fault {
    None,
    KernelKilled,
    KernelMissing,
    KernelHangs,
    KernelCrashes,
    KernelGarbage,
    KernelFloods,
    StdoutClosed,
    StdoutFull,
    StdoutSlow,
    StdinClosed,
    StdinOpen,
    PayloadBroken,
    BadFlags,
    FewProcesses,
    FewFiles,
    LittleMemory,
    SmallFiles,
    FullDisk,
    SnapshotDamaged,
    NoFolders,
    ForeignCache,
    RepositoryPipes,
    RepositoryDevices,
    RepositoryDeep,
    RepositoryHuge,
}

impl Fault {
    pub(super) const ALL: [Self; 26] = [
        Self::None,
        Self::KernelKilled,
        Self::KernelMissing,
        Self::KernelHangs,
        Self::KernelCrashes,
        Self::KernelGarbage,
        Self::KernelFloods,
        Self::StdoutClosed,
        Self::StdoutFull,
        Self::StdoutSlow,
        Self::StdinClosed,
        Self::StdinOpen,
        Self::PayloadBroken,
        Self::BadFlags,
        Self::FewProcesses,
        Self::FewFiles,
        Self::LittleMemory,
        Self::SmallFiles,
        Self::FullDisk,
        Self::SnapshotDamaged,
        Self::NoFolders,
        Self::ForeignCache,
        Self::RepositoryPipes,
        Self::RepositoryDevices,
        Self::RepositoryDeep,
        Self::RepositoryHuge,
    ];

    /// Returns the fault of a run. The faults are assigned in rotation, so that a short campaign covers every kind.
    pub(super) fn of_run(run: u64) -> Self {
        let at = run % Self::ALL.len() as u64;
        Self::ALL[usize::try_from(at).unwrap_or_default()]
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "no fault",
            Self::KernelKilled => "kernel killed at a random moment",
            Self::KernelMissing => "kernel missing",
            Self::KernelHangs => "kernel hangs",
            Self::KernelCrashes => "kernel crashes",
            Self::KernelGarbage => "kernel prints garbage",
            Self::KernelFloods => "kernel prints without end",
            Self::StdoutClosed => "stdout closed",
            Self::StdoutFull => "stdout on a full device",
            Self::StdoutSlow => "stdout is a full pipe that is read late",
            Self::StdinClosed => "stdin closed",
            Self::StdinOpen => "stdin left open",
            Self::PayloadBroken => "payload cut, garbage or too large",
            Self::BadFlags => "unknown flags",
            Self::FewProcesses => "limit of processes",
            Self::FewFiles => "limit of open files",
            Self::LittleMemory => "limit of memory",
            Self::SmallFiles => "limit of file size",
            Self::FullDisk => "full disk",
            Self::SnapshotDamaged => "snapshot damaged",
            Self::NoFolders => "home, cache, state unusable",
            Self::ForeignCache => "cache of another user, mode 0777",
            Self::RepositoryPipes => "repository with named pipes",
            Self::RepositoryDevices => "repository with links to devices",
            Self::RepositoryDeep => "repository with a deep tree",
            Self::RepositoryHuge => "repository with huge files",
        }
    }
}

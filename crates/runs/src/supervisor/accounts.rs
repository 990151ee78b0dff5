//! The accounts that a session can use, and the choice of the next one when an account has reached a usage limit.
//!
//! An account is a codex configuration profile, or another folder with a login and configuration (`CODEX_HOME`, or
//! `CLAUDE_CONFIG_DIR` for Claude Code). A
//! conversation is stored in its account's folder, and the model's service refuses the encrypted parts of a
//! conversation if another account sends them. Therefore all profiles of one folder share a conversation, and each
//! folder has its own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use process::Environment;

use crate::agents::AgentKind;
use crate::spec::Spec;
use crate::usage_limit::UsageLimit;

/// The minimum time to wait before an account is tried again, even if its reset time has already passed.
const MIN_WAIT: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
struct Account {
    /// The account's folder, or `None` if the environment determines it.
    home: Option<PathBuf>,
    /// The codex configuration profile, if it differs from the run's profile.
    profile: Option<String>,
    limit: Option<Limit>,
    /// Whether the account has been used since the session last waited for a usage limit to be reset.
    is_tried: bool,
}

/// A usage limit that an account has reached.
#[derive(Clone, Copy, Debug)]
struct Limit {
    retry_at: SystemTime,
    stated: UsageLimit,
}

#[derive(Debug)]
pub(super) struct Accounts {
    all: Vec<Account>,
    current: usize,
    threads: HashMap<Option<PathBuf>, String>,
    /// Whether a new conversation can be started in another account's folder. This is not possible if the run only
    /// continues a conversation and no text describes the task.
    can_start_thread: bool,
}

/// The index of one of a session's accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AccountIndex(usize);

impl Accounts {
    pub(super) fn new(spec: &Spec) -> Self {
        let mut all = vec![Account { is_tried: true, ..Account::default() }];
        if spec.agent == AgentKind::Codex {
            let profiles = spec.next_profiles.iter().cloned();
            all.extend(profiles.map(|it| Account { profile: Some(it), ..Account::default() }));
        }
        let homes = spec.next_homes.iter().cloned();
        all.extend(homes.map(|it| Account { home: Some(it), ..Account::default() }));
        let home = spec.continues.as_ref().and_then(|earlier| earlier.codex_home.clone());
        let current = all.iter().position(|account| account.home == home).unwrap_or_default();
        if current > 0 {
            (all[0].is_tried, all[current].is_tried) = (false, true);
        }
        let thread = spec.continues.as_ref().map(|earlier| (home, earlier.thread.clone()));
        Self {
            all,
            current,
            threads: thread.into_iter().collect(),
            can_start_thread: spec.continues.is_none() || spec.new_thread_text.is_some(),
        }
    }

    /// Returns the current account's folder, or `None` if the environment determines it.
    pub(super) fn home(&self) -> Option<&Path> {
        self.all[self.current].home.as_deref()
    }

    /// Returns the current account's profile, if it differs from the run's profile.
    pub(super) fn profile(&self) -> Option<&str> {
        self.all[self.current].profile.as_deref()
    }

    /// Returns the id of the current account's conversation.
    pub(super) fn thread(&self) -> Option<&str> {
        self.threads.get(&self.all[self.current].home).map(String::as_str)
    }

    /// Sets or removes the id of the current account's conversation.
    pub(super) fn set_thread(&mut self, thread: Option<String>) {
        let home = self.all[self.current].home.clone();
        match thread {
            Some(thread) => self.threads.insert(home, thread),
            None => self.threads.remove(&home),
        };
    }

    /// Records whether the current account has reached a usage limit. `n_waits` is how often the session has already
    /// waited for a reset.
    pub(super) fn set_limit(&mut self, limit: Option<UsageLimit>, now: SystemTime, n_waits: u32) {
        let limit = limit.map(|stated| Limit { retry_at: stated.retry_at(now, n_waits), stated });
        self.all[self.current].limit = limit;
    }

    /// Returns the first account that has not been used since the last wait and is not known to be at a usage limit.
    pub(super) fn next(&self, now: SystemTime) -> Option<AccountIndex> {
        let is_free = |account: &Account| {
            !account.is_tried && account.limit.is_none_or(|limit| limit.retry_at <= now)
        };
        let index = self.all.iter().position(|it| is_free(it) && self.can_use(it));
        index.map(AccountIndex)
    }

    /// Returns the account whose usage limit is reset first, with the time at which to try it.
    pub(super) fn first_reset(&self, now: SystemTime) -> (AccountIndex, SystemTime) {
        let limited = self.all.iter().enumerate().filter(|(_, account)| self.can_use(account));
        let limited = limited.filter_map(|(index, it)| Some((index, it.limit?.retry_at)));
        let first = limited.min_by_key(|(_, retry_at)| *retry_at);
        let (index, retry_at) = first.unwrap_or((self.current, now));
        (AccountIndex(index), retry_at.max(now + MIN_WAIT))
    }

    /// Returns the reset time that the service stated for an account's usage limit.
    pub(super) fn resets_at(&self, AccountIndex(index): AccountIndex) -> Option<SystemTime> {
        self.all[index].limit.and_then(|limit| limit.stated.resets_at)
    }

    /// Makes an account the current one. Returns whether its folder differs from that of the previous account.
    pub(super) fn select(&mut self, AccountIndex(index): AccountIndex) -> bool {
        let is_other_home = self.all[index].home != self.all[self.current].home;
        self.current = index;
        self.all[index].is_tried = true;
        is_other_home
    }

    /// Allows all accounts except the current one to be tried again. Called after a wait.
    pub(super) fn forget_tries(&mut self) {
        let current = self.current;
        let all = self.all.iter_mut().enumerate();
        all.for_each(|(index, account)| account.is_tried = index == current);
    }

    /// Returns a short description of an account for the log.
    pub(super) fn describe(&self, AccountIndex(index): AccountIndex) -> String {
        match (&self.all[index].home, &self.all[index].profile) {
            (Some(home), _) => format!("the account in {}", home.display()),
            (None, Some(profile)) => format!("the profile {profile}"),
            (None, None) => "the first account".to_owned(),
        }
    }

    fn can_use(&self, account: &Account) -> bool {
        self.can_start_thread
            || account.home.as_deref() == self.home()
            || self.threads.contains_key(&account.home)
    }
}

/// Returns an environment in which the agent uses the account in the folder `home`. If `home` is `None`, the environment is
/// unchanged.
pub(crate) fn with_home(
    environment: &Environment,
    agent: AgentKind,
    home: Option<&Path>,
) -> Environment {
    let Some(home) = home else { return environment.clone() };
    let keys = agent.key_variables().iter();
    let environment = keys.fold(environment.clone(), |environment, key| environment.without(key));
    environment.with(agent.home_variable(), home.display().to_string())
}

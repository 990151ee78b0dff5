//! Accepts connections on the loopback interface and answers requests.

use std::io;
use std::sync::Arc;

use hyper::body::{Body, Incoming};
use hyper::header::{ACCEPT_LANGUAGE, HeaderValue, SET_COOKIE};
use hyper::{Method, Request, StatusCode};
use loopback::{Connection, HttpResponse, stop_signal};
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::Options;
use crate::access::{self, Access};
use crate::answer;
use crate::changes::{self, Changes};
use crate::events::{self, Selected};
use crate::page::{self, PageLanguage};
use crate::routes::{NoRoute, Route};
use crate::running::Announcement;
use crate::work::Work;

/// The state that all connections share.
pub(crate) struct App {
    pub(crate) access: Access,
    pub(crate) work: Work,
    pub(crate) options: Options,
    /// The places of the open streams.
    pub(crate) streams: Arc<Semaphore>,
}

/// Serves the page until the process receives a stop signal. Calls `listening` with the one-time link.
pub fn serve(options: Options, listening: impl FnOnce(&str)) -> io::Result<()> {
    let served = loopback::run(options.port, |listener, address| async move {
        let app = Arc::new(App::new(address.port(), options)?);
        let folder = app.options.folder.as_deref();
        let control = app.access.control();
        let announced = folder.map(|it| Announcement::write(it, address.port(), control));
        let _announced = announced.transpose()?;
        // The signal handlers are installed before the link is printed.
        let stopped = stop_signal();
        listening(&app.access.link());
        let answering = Arc::clone(&app);
        let answer = move |request, connection| Arc::clone(&answering).answer(request, connection);
        tokio::select! {
            () = loopback::serve(listener, answer) => {}
            () = stopped => {}
        }
        Ok(app)
    });
    // The connection to PostgreSQL must not be dropped inside the runtime.
    served.map(drop)
}

impl App {
    pub(crate) fn new(port: u16, options: Options) -> io::Result<Self> {
        let access = Access::new(port, options.secret)?;
        let work = Work::new(options.codex.clone(), options.queue.clone());
        let streams = Arc::new(Semaphore::new(events::MAX_STREAMS));
        Ok(Self { access, work, options, streams })
    }

    async fn answer(
        self: Arc<Self>,
        request: Request<Incoming>,
        connection: Arc<Connection>,
    ) -> HttpResponse {
        if !self.access.is_addressed(&request) || !self.access.may_be_own(&request) {
            return answer::refused();
        }
        if self.access.may_control(&request) {
            return self.link(&request);
        }
        let cookie = self.access.exchange(&request);
        if cookie.is_none() && !self.access.has_cookie(&request) {
            return answer::refused();
        }
        if !connection.has_shown_secret() {
            return answer::empty(StatusCode::SERVICE_UNAVAILABLE);
        }
        if let Some(cookie) = cookie {
            let mut answer = self.page(&request);
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                answer.headers_mut().insert(SET_COOKIE, cookie);
            }
            return answer;
        }
        match Route::find(request.method(), request.uri().path()) {
            Ok(route) => self.answer_route(route, &request, connection.ending.clone()).await,
            Err(NoRoute::Unknown) => answer::empty(StatusCode::NOT_FOUND),
            Err(NoRoute::Method(allowed)) => answer::wrong_method(allowed),
        }
    }

    async fn answer_route(
        self: Arc<Self>,
        route: Route,
        request: &Request<Incoming>,
        ending: CancellationToken,
    ) -> HttpResponse {
        // The page sends no request with a body.
        if request.body().size_hint().upper() != Some(0) {
            return answer::empty(StatusCode::PAYLOAD_TOO_LARGE);
        }
        match route {
            Route::Page => self.page(request),
            Route::Script => answer::text("text/javascript; charset=utf-8", page::SCRIPT),
            Route::Style => answer::text("text/css; charset=utf-8", page::STYLE),
            Route::Icon => answer::text("image/svg+xml", page::ICON),
            Route::Events => self.events(request, ending),
            Route::JobLog(_) | Route::JobChanges(_) | Route::TaskChanges(_)
                if !self.access.may_read(request) =>
            {
                answer::refused()
            }
            Route::JobLog(id) => {
                shown(move || self.work.whole_log(&id).map_err(|error| error.to_string())).await
            }
            Route::JobChanges(id) => shown(move || self.job_changes(&id)).await,
            Route::TaskChanges(id) => shown(move || self.task_changes(&id)).await,
            Route::Operation(_) if !self.access.may_change(request) => answer::refused(),
            Route::Operation(operation) => shown(move || operation.run(&self.work)).await,
        }
    }

    /// Answers a program that asks for a new link.
    fn link<B>(&self, request: &Request<B>) -> HttpResponse {
        if request.method() != Method::POST || request.uri().path() != "/link" {
            return answer::refused();
        }
        match self.access.new_link() {
            Ok(link) => answer::text("text/plain; charset=utf-8", link),
            Err(_) => answer::empty(StatusCode::INTERNAL_SERVER_ERROR),
        }
    }

    fn page<B>(&self, request: &Request<B>) -> HttpResponse {
        let accepted = request.headers().get(ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let language = self.options.language.unwrap_or_else(|| PageLanguage::preferred(accepted));
        match self.access.open_page() {
            Ok(token) => answer::text("text/html; charset=utf-8", page::html(language, &token)),
            Err(_) => answer::empty(StatusCode::INTERNAL_SERVER_ERROR),
        }
    }

    fn events(
        self: Arc<Self>,
        request: &Request<Incoming>,
        ending: CancellationToken,
    ) -> HttpResponse {
        if !self.access.may_follow(request) {
            return answer::refused();
        }
        let Some(selected) = Selected::parse(access::parameter(request, "show")) else {
            return answer::empty(StatusCode::NOT_FOUND);
        };
        match events::open(self, selected, ending) {
            Some(body) => answer::body("text/event-stream", body),
            None => answer::empty(StatusCode::SERVICE_UNAVAILABLE),
        }
    }

    fn job_changes(&self, id: &runs::SessionId) -> Result<Changes, String> {
        let state = self.work.sessions.status(id).map_err(|error| error.to_string())?;
        changes::in_directory(&state.cwd, changes::HEAD, &self.options.codex.environment)
    }

    /// Returns the changes in a task's worktree, or in its patch if the worktree has been removed. For a task without
    /// a worktree, returns the changes in its directory.
    fn task_changes(&self, id: &queue::TaskId) -> Result<Changes, String> {
        let task = self.work.with_store(|store| store.task(id));
        let task = task.ok_or("the queue does not exist")?.map_err(|error| error.to_string())?;
        let base = task.product.base.as_deref().unwrap_or(changes::HEAD);
        let worktree = task.product.worktree.filter(|worktree| worktree.is_dir());
        let directory = match (worktree, task.product.patch) {
            (Some(worktree), _) => worktree,
            (None, Some(patch)) => return changes::in_patch(&patch, base),
            (None, None) if task.request.has_worktree => return Ok(Changes::default()),
            (None, None) => task.request.directory,
        };
        changes::in_directory(&directory, base, &self.options.codex.environment)
    }
}

/// Calls `find` on another thread, and answers with what it returns.
async fn shown<T: Serialize + Send + 'static>(
    find: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> HttpResponse {
    match tokio::task::spawn_blocking(find).await {
        Ok(Ok(found)) => answer::json(StatusCode::OK, &found),
        Ok(Err(error)) => {
            let error = serde_json::json!({ "error": error });
            answer::json(StatusCode::CONFLICT, &error)
        }
        Err(_) => answer::empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

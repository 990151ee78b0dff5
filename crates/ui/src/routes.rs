//! Maps the method and the path of a request to a route.

use hyper::Method;
use queue::TaskId;
use runs::SessionId;

use crate::operations::Operation;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    Page,
    Script,
    Style,
    Icon,
    Events,
    /// The whole log of a job, with the lines of the wrapper.
    JobLog(SessionId),
    JobChanges(SessionId),
    TaskChanges(TaskId),
    Operation(Operation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoRoute {
    Unknown,
    /// The path exists, but only for this method.
    Method(&'static str),
}

impl Route {
    /// Returns the route for a request. Paths are compared literally, so an escaped or relative path matches no route.
    pub(crate) fn find(method: &Method, path: &str) -> Result<Self, NoRoute> {
        let route = Self::at(path).ok_or(NoRoute::Unknown)?;
        let allowed = if matches!(route, Self::Operation(_)) { Method::POST } else { Method::GET };
        if *method == allowed {
            return Ok(route);
        }
        Err(NoRoute::Method(if allowed == Method::POST { "POST" } else { "GET" }))
    }

    fn at(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let job = |id: &str| SessionId::new(id).ok();
        let task = |id: &str| TaskId::new(id).ok();
        Some(match parts[..] {
            [""] => Self::Page,
            ["page.js"] => Self::Script,
            ["page.css"] => Self::Style,
            ["icon.svg"] => Self::Icon,
            ["events"] => Self::Events,
            ["job", id, "log"] => Self::JobLog(job(id)?),
            ["job", id, "changes"] => Self::JobChanges(job(id)?),
            ["job", id, "stop"] => Self::Operation(Operation::Stop(job(id)?)),
            ["job", id, "continue"] => Self::Operation(Operation::Continue(job(id)?)),
            ["task", id, "changes"] => Self::TaskChanges(task(id)?),
            ["task", id, "cancel"] => Self::Operation(Operation::Cancel(task(id)?)),
            ["task", id, "retry"] => Self::Operation(Operation::Retry(task(id)?)),
            ["task", id, "approve"] => Self::Operation(Operation::Approve(task(id)?)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_paths_with_valid_ids_have_a_route() {
        let get = |path: &str| Route::find(&Method::GET, path);
        let post = |path: &str| Route::find(&Method::POST, path);
        assert_eq!(get("/"), Ok(Route::Page));
        let id = SessionId::new("cdx-1").unwrap();
        assert_eq!(get("/job/cdx-1/changes"), Ok(Route::JobChanges(id.clone())));
        assert_eq!(post("/job/cdx-1/stop"), Ok(Route::Operation(Operation::Stop(id))));
        assert_eq!(get("/job/cdx-1/stop"), Err(NoRoute::Method("POST")));
        assert_eq!(post("/events"), Err(NoRoute::Method("GET")));
        for path in [
            "",
            "//",
            "/../etc/passwd",
            "/job/../changes",
            "/job/%2e%2e/changes",
            "/job/..%2f..%2fetc/changes",
            "/job//changes",
            "/job/cdx-1/changes/",
            "/task/cdx-1/changes",
            "/task/t-A/cancel",
            "/page.js/..",
            "http://127.0.0.1/",
        ] {
            assert_eq!(get(path), Err(NoRoute::Unknown), "{path}");
        }
    }
}

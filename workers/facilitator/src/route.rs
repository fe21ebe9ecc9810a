//! Which route a request means.

/// The routes of this Worker, by method and exact path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Route {
    /// `POST /verify`
    Verify,
    /// `POST /settle`
    Settle,
    /// `POST /signatures`
    Signatures,
    /// `GET /supported`
    Supported,
    /// `GET /health`
    Health,
    /// `GET /discovery/resources`
    Discovery,
    /// `GET /simulator`
    ReadSimulator,
    /// `PUT /simulator`
    ChangeSimulator,
}

/// Why a request means no route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRoute {
    /// No route has this path.
    NotFound,
    /// The path exists; these are its methods.
    MethodNotAllowed(&'static str),
}

impl Route {
    pub(crate) fn find(method: &str, path: &str) -> Result<Self, NoRoute> {
        match path {
            "/verify" => one(method, "POST", Self::Verify),
            "/settle" => one(method, "POST", Self::Settle),
            "/signatures" => one(method, "POST", Self::Signatures),
            "/supported" => one(method, "GET", Self::Supported),
            "/health" => one(method, "GET", Self::Health),
            "/discovery/resources" => one(method, "GET", Self::Discovery),
            "/simulator" => match method {
                "GET" => Ok(Self::ReadSimulator),
                "PUT" => Ok(Self::ChangeSimulator),
                _ => Err(NoRoute::MethodNotAllowed("GET, PUT")),
            },
            _ => Err(NoRoute::NotFound),
        }
    }
}

fn one(method: &str, allowed: &'static str, route: Route) -> Result<Route, NoRoute> {
    if method == allowed { Ok(route) } else { Err(NoRoute::MethodNotAllowed(allowed)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_exact_and_methods_are_named() {
        assert_eq!(Route::find("POST", "/settle"), Ok(Route::Settle));
        assert_eq!(Route::find("GET", "/settle"), Err(NoRoute::MethodNotAllowed("POST")));
        assert_eq!(Route::find("HEAD", "/simulator"), Err(NoRoute::MethodNotAllowed("GET, PUT")));
        for path in ["", "/", "/settle/", "//settle", "/Settle", "/settle%2f", "/simulator/mode"] {
            assert_eq!(Route::find("POST", path), Err(NoRoute::NotFound), "{path}");
        }
    }
}

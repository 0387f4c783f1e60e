//! The names under which the server may be addressed.
//!
//! A page of another site can let its own name lead to this machine (DNS rebinding). Its requests are
//! then of the same origin, and only the `Host` of a request shows the foreign name.

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::{StatusCode, Version};

use super::problem::Problem;

/// The names of this machine, which no other site can have.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Which hosts of requests are served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AllowedHosts {
    /// Every host: the names of the server are not known.
    #[default]
    Any,
    /// The names of this machine and these, in small letters and without ports.
    Only(Vec<String>),
}

impl AllowedHosts {
    /// The names of this machine and these; an error is a name that no host can have.
    pub fn only<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<AllowedHosts, &'a str> {
        let mut hosts = Vec::new();
        for name in names {
            let known = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
            let is_address = known.is_some_and(|name| name.parse::<std::net::Ipv6Addr>().is_ok());
            let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            if !is_address && (name.is_empty() || !name.bytes().all(letter)) {
                return Err(name);
            }
            hosts.push(canonical(name));
        }
        Ok(AllowedHosts::Only(hosts))
    }

    fn allows(&self, host: &str) -> bool {
        let name = canonical(without_port(host));
        match self {
            AllowedHosts::Any => true,
            AllowedHosts::Only(names) => LOOPBACK.contains(&name.as_str()) || names.contains(&name),
        }
    }

    /// Why a request is not served, if its host is missing or foreign.
    pub(super) fn refusal(&self, request: &Request) -> Option<Problem> {
        // Load balancers ask by an address, or in an old version without any host.
        if matches!(request.uri().path(), "/health" | "/ready") {
            return None;
        }
        let mut hosts = request.headers().get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (None, _) if request.version() >= Version::HTTP_11 => {
                return Some(Problem::bad("no_host", "a request must name its host"));
            }
            (Some(_), Some(_)) => return Some(Problem::bad("no_host", "a request has one host")),
            (host, _) => host.and_then(|host| host.to_str().ok()).unwrap_or_default(),
        };
        // A target with a host counts instead of the header.
        let host = request.uri().authority().map_or(host, |authority| authority.as_str());
        if self.allows(host) {
            return None;
        }
        metrics::counter!("ghinda_foreign_hosts_total").increment(1);
        let message = "this server has another name; its operator can add names with --host";
        Some(Problem::new(StatusCode::MISDIRECTED_REQUEST, "foreign_host", message))
    }
}

/// A name as it is compared: in small letters, and without the dot of the root.
fn canonical(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// The name in a `Host` or an origin's authority.
pub fn without_port(host: &str) -> &str {
    match (host.find(']'), host.rsplit_once(':')) {
        (Some(end), _) => &host[..=end],
        (None, Some((name, _))) => name,
        (None, None) => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_compared_without_ports_and_capitals() {
        let hosts = AllowedHosts::only(["Ghinda.Example", "[2001:db8::1]"]).unwrap();
        for host in [
            "ghinda.example",
            "GHINDA.example:8080",
            "ghinda.example.",
            "localhost:1",
            "127.0.0.1:80",
            "[::1]:8080",
            "[2001:DB8::1]:8080",
        ] {
            assert!(hosts.allows(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "ghinda.example.evil.example",
            "evil.example:ghinda.example",
            "[::2]",
            "localhost@evil.example",
            "127.0.0.1.evil.example",
        ] {
            assert!(!hosts.allows(host), "{host}");
            assert!(AllowedHosts::Any.allows(host), "{host}");
        }
    }

    #[test]
    fn what_is_not_the_name_of_a_host_is_refused() {
        for name in ["", "https://ghinda.example", "ghinda.example:80", "a b", "*", "::1", "[x]"] {
            assert_eq!(AllowedHosts::only([name]), Err(name));
        }
    }
}

//! Who may use the server: the page that it has served itself, to the user who has started it.

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};
use std::sync::Mutex;

/// The secrets of the server and the names by which it is called.
///
/// Every user of the computer can connect to a loopback address, and every page of the browser can send requests to it,
/// also under a name of its own that leads here (DNS rebinding). So the request must name a loopback address, the
/// WebSocket must come from the page that was loaded from there, and it must know a secret.
///
/// The address that is printed has a lasting secret. The one for the browser, which other users may see in the list of
/// processes, has another that works once.
pub(crate) struct Guard {
    port: u16,
    token: String,
    ticket: Mutex<Option<String>>,
    once: String,
}

/// What a secret is good for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// It lasts.
    Token,
    /// It was the ticket, which is used up.
    Ticket,
}

impl Guard {
    /// Secrets for a server on a port.
    pub(crate) fn new(port: u16) -> Result<Self, String> {
        let secret = || -> Result<String, String> {
            let mut bytes = [0; 32];
            getrandom::fill(&mut bytes).map_err(|error| format!("no random numbers from the system: {error}"))?;
            Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
        };
        let (token, once) = (secret()?, secret()?);
        Ok(Self { port, token, ticket: Mutex::new(Some(once.clone())), once })
    }

    /// The address of the page, with the lasting secret.
    pub(crate) fn address(&self) -> String {
        self.address_with(&self.token)
    }

    /// The address of the page, with the secret that works once.
    pub(crate) fn address_for_browser(&self) -> String {
        self.address_with(&self.once)
    }

    /// A fragment is not sent in requests and is in no log.
    fn address_with(&self, secret: &str) -> String {
        format!("http://127.0.0.1:{}/#token={secret}", self.port)
    }

    /// The lasting secret.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// The host that a request names, if it is this one.
    pub(crate) fn host<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        let host = only(headers, &HOST)?;
        let name = host.strip_suffix(&format!(":{}", self.port))?;
        ["127.0.0.1", "localhost"].contains(&name).then_some(host)
    }

    /// Whether a request comes from a page of this server.
    pub(crate) fn is_own_page(&self, headers: &HeaderMap) -> bool {
        let origin = only(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        origin.is_some() && origin == self.host(headers)
    }

    /// Checks the secret of a query `token=SECRET`.
    pub(crate) fn pass(&self, query: Option<&str>) -> Option<Pass> {
        let secret = query?.strip_prefix("token=")?.as_bytes();
        let is = |known: &str| constant_time_eq::constant_time_eq(known.as_bytes(), secret);
        if is(&self.token) {
            return Some(Pass::Token);
        }
        // The lock is only poisoned by a panic, and there is none.
        let mut ticket = self.ticket.lock().ok()?;
        if !ticket.as_deref().is_some_and(is) {
            return None;
        }
        *ticket = None;
        Some(Pass::Ticket)
    }
}

/// The value of a header that occurs once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn headers(values: &[(HeaderName, &'static str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in values {
            map.append(name, HeaderValue::from_static(value));
        }
        map
    }

    #[test]
    fn only_the_loopback_addresses_of_the_port_are_hosts() {
        let guard = Guard::new(80).unwrap();
        for good in ["127.0.0.1:80", "localhost:80"] {
            assert_eq!(guard.host(&headers(&[(HOST, good)])), Some(good));
        }
        for bad in ["127.0.0.1", "localhost", "127.0.0.1:81", "evil.example:80", "127.0.0.1:80.evil.example", ":80", ""]
        {
            assert_eq!(guard.host(&headers(&[(HOST, bad)])), None, "{bad}");
        }
        assert_eq!(guard.host(&headers(&[(HOST, "localhost:80"), (HOST, "localhost:80")])), None);
        assert_eq!(guard.host(&HeaderMap::new()), None);
    }

    #[test]
    fn the_origin_is_the_host() {
        let guard = Guard::new(80).unwrap();
        let own = |origin| guard.is_own_page(&headers(&[(HOST, "localhost:80"), (ORIGIN, origin)]));
        assert!(own("http://localhost:80"));
        for bad in ["http://127.0.0.1:80", "https://localhost:80", "http://localhost", "http://evil.example", "null"] {
            assert!(!own(bad), "{bad}");
        }
        assert!(!guard.is_own_page(&headers(&[(HOST, "localhost:80")])));
        assert!(!guard.is_own_page(&headers(&[(HOST, "evil.example:80"), (ORIGIN, "http://evil.example:80")])));
    }

    #[test]
    fn the_ticket_works_once_and_the_token_always() {
        let (guard, other) = (Guard::new(80).unwrap(), Guard::new(80).unwrap());
        assert_ne!(guard.token, other.token);
        assert_eq!(guard.token.len(), 64);
        let query = |address: String| address.split_once('#').map(|(_, fragment)| fragment.to_owned());
        let (token, ticket) = (query(guard.address()), query(guard.address_for_browser()));
        assert_ne!(token, ticket);
        assert_eq!(guard.pass(ticket.as_deref()), Some(Pass::Ticket));
        assert_eq!(guard.pass(ticket.as_deref()), None);
        for _ in 0..2 {
            assert_eq!(guard.pass(token.as_deref()), Some(Pass::Token));
        }
        for bad in
            [None, Some(""), Some("token="), Some("token"), Some(&guard.token[..]), query(other.address()).as_deref()]
        {
            assert_eq!(guard.pass(bad), None, "{bad:?}");
        }
    }
}

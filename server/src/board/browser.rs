//! The user's browser.

/// Opens an address.
pub(crate) fn open(address: &str) -> std::io::Result<()> {
    open::that_detached(address)
}

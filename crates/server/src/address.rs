//! What counts as one address of a client.

use std::net::{IpAddr, Ipv6Addr};

/// The block of an address whose clients share what one address may use. With IPv6 it is a whole network,
/// because every home has one.
pub(crate) fn address_block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => {
            let network = u128::from(address) >> 64 << 64;
            Ipv6Addr::from(network).into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_counts_as_one_address() {
        let same = |one: &str, other: &str| {
            let [one, other] =
                [one, other].map(|text| address_block(text.parse().expect("an address")));
            one == other
        };
        assert!(same("2001:db8:1:2::1", "2001:db8:1:2:ffff::"));
        assert!(!same("2001:db8:1:2::1", "2001:db8:1:3::1"));
        assert!(same("10.0.0.1", "::ffff:10.0.0.1"));
        assert!(!same("10.0.0.1", "10.0.0.2"));
    }
}

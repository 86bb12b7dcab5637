//! The reach of an address: all the address ranges that the guard uses.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// From harmless to never: the order is used where an address embeds another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    Public,
    /// This machine and its neighbours: for rules that say `private`.
    Private,
    /// A cloud's metadata service, which hands out credentials: for `private` rules that name
    /// the address itself.
    Metadata,
    /// Never a destination: unspecified, multicast, broadcast, documentation, reserved.
    Never,
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Public => "public",
            Self::Private => "private",
            Self::Metadata => "metadata",
            Self::Never => "reserved",
        })
    }
}

/// Metadata services of the larger clouds; some lie in ranges that look public.
const METADATA_V4: [Ipv4Addr; 6] = [
    Ipv4Addr::new(169, 254, 169, 254),
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
const METADATA_V6: [Ipv6Addr; 3] = [
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

/// The special-purpose ranges of RFC 6890 and its successors.
const RANGES_V4: [(Ipv4Addr, u32, Reach); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8, Reach::Never),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Reach::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Reach::Private),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Reach::Private),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Reach::Private),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Reach::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Reach::Never),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Reach::Never),
    (Ipv4Addr::new(192, 31, 196, 0), 24, Reach::Never),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Reach::Never),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Reach::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Reach::Private),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Reach::Never),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Reach::Never),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Reach::Never),
    (Ipv4Addr::new(240, 0, 0, 0), 4, Reach::Never),
];

/// What lies outside `2000::/3` and is not listed here is no unicast destination.
const RANGES_V6: [(Ipv6Addr, u32, Reach); 10] = [
    (Ipv6Addr::LOCALHOST, 128, Reach::Private),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, Reach::Private),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Reach::Private),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, Reach::Private),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, Reach::Private),
    (Ipv6Addr::new(0x2001, 2, 0, 0, 0, 0, 0, 0), 48, Reach::Private),
    (Ipv6Addr::new(0x2001, 0x10, 0, 0, 0, 0, 0, 0), 28, Reach::Never),
    (Ipv6Addr::new(0x2001, 0x20, 0, 0, 0, 0, 0, 0), 28, Reach::Never),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, Reach::Never),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, Reach::Never),
];
const GLOBAL_UNICAST: Ipv6Addr = Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0);

pub(crate) fn reach(address: IpAddr) -> Reach {
    match address {
        IpAddr::V4(address) => reach_v4(address),
        IpAddr::V6(address) => reach_v6(address),
    }
}

fn reach_v4(address: Ipv4Addr) -> Reach {
    if METADATA_V4.contains(&address) {
        return Reach::Metadata;
    }
    let bits = address.to_bits();
    RANGES_V4
        .iter()
        .find(|(start, length, _)| (bits ^ start.to_bits()) >> (u32::BITS - length) == 0)
        .map_or(Reach::Public, |(_, _, reach)| *reach)
}

/// As far as the farthest reading of the address allows, and no farther.
fn reach_v6(address: Ipv6Addr) -> Reach {
    let embedded = embedded_v4(address).into_iter().flatten().map(reach_v4).max();
    match embedded {
        Some(embedded) => embedded.max(own_reach_v6(address, true)),
        None => own_reach_v6(address, false),
    }
}

fn own_reach_v6(address: Ipv6Addr, embeds: bool) -> Reach {
    if METADATA_V6.contains(&address) {
        return Reach::Metadata;
    }
    let listed = RANGES_V6.iter().find(|(start, length, _)| in_range(address, *start, *length));
    match listed {
        Some((_, _, reach)) => *reach,
        None if embeds || in_range(address, GLOBAL_UNICAST, 3) => Reach::Public,
        None => Reach::Never,
    }
}

fn in_range(address: Ipv6Addr, start: Ipv6Addr, length: u32) -> bool {
    (address.to_bits() ^ start.to_bits()) >> (u128::BITS - length) == 0
}

/// The IPv4 addresses that routers or hosts may take out of an IPv6 address.
fn embedded_v4(address: Ipv6Addr) -> [Option<Ipv4Addr>; 2] {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let v4 = |high: u16, low: u16| {
        Some(Ipv4Addr::from_bits(u32::from(high) << u16::BITS | u32::from(low)))
    };
    match (a, b, c, d, e, f) {
        // Mapped, and the translated form of SIIT.
        (0, 0, 0, 0, 0, 0xffff) | (0, 0, 0, 0, 0xffff, 0) => [v4(g, h), None],
        // NAT64, well-known prefix.
        (0x64, 0xff9b, 0, 0, 0, 0) => [v4(g, h), None],
        // 6to4, whose interface part may be ISATAP besides.
        (0x2002, _, _, _, 0 | 0x200, 0x5efe) => [v4(b, c), v4(g, h)],
        (0x2002, _, _, _, _, _) => [v4(b, c), None],
        // Teredo: the relay's server, and the client with its bits inverted.
        (0x2001, 0, _, _, _, _) => [v4(c, d), v4(!g, !h)],
        // ISATAP.
        (_, _, _, _, 0 | 0x200, 0x5efe) => [v4(g, h), None],
        _ => [None, None],
    }
}

#[cfg(test)]
mod tests {
    use super::{Reach, reach};

    #[track_caller]
    fn check(expected: Reach, addresses: &[&str]) {
        for address in addresses {
            assert_eq!(reach(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn public_addresses() {
        check(
            Reach::Public,
            &[
                "1.1.1.1",
                "8.8.8.8",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
            ],
        );
        check(
            Reach::Public,
            &[
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.167.0.1",
                "198.20.0.0",
                "223.255.255.255",
            ],
        );
        check(
            Reach::Public,
            &[
                "2606:4700::1111",
                "::ffff:8.8.8.8",
                "64:ff9b::8.8.8.8",
                "2002:808:808::1",
                "2001:4860::8888",
            ],
        );
    }

    #[test]
    fn private_addresses() {
        check(
            Reach::Private,
            &[
                "10.0.0.0",
                "10.255.255.255",
                "100.64.0.0",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.255",
            ],
        );
        check(
            Reach::Private,
            &[
                "169.254.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
            ],
        );
        check(
            Reach::Private,
            &["::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "2001:2::1"],
        );
    }

    #[test]
    fn private_addresses_inside_ipv6_ones() {
        check(
            Reach::Private,
            &[
                "::ffff:127.0.0.1",
                "::ffff:10.1.2.3",
                "::ffff:0:192.168.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b:1::1",
                "2002:7f00:1::1",
                "2002:c0a8:1::1",
                "2002:808:808:0:0:5efe:10.0.0.1",
                // Teredo, server 8.8.8.8, client 10.0.0.1 inverted.
                "2001:0:808:808::f5ff:fffe",
                "2606:4700::5efe:10.0.0.1",
                "2606:4700:0:0:200:5efe:10.0.0.1",
            ],
        );
    }

    #[test]
    fn metadata_services() {
        check(
            Reach::Metadata,
            &[
                "169.254.169.254",
                "169.254.170.2",
                "100.100.100.200",
                "168.63.129.16",
                "192.0.0.192",
                "fd00:ec2::254",
                "fd20:ce::254",
                "::ffff:169.254.169.254",
                "64:ff9b::169.254.169.254",
                "2002:a9fe:a9fe::1",
            ],
        );
    }

    #[test]
    fn what_is_never_a_destination() {
        check(
            Reach::Never,
            &[
                "0.0.0.0",
                "0.1.2.3",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "198.51.100.1",
                "203.0.113.1",
            ],
        );
        check(Reach::Never, &["224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"]);
        check(
            Reach::Never,
            &[
                "::",
                "::7f00:1",
                "100::1",
                "2001:db8::1",
                "2001:10::1",
                "2001:20::1",
                "3fff::1",
                "ff02::1",
                "4000::1",
                "5f00::1",
            ],
        );
        check(Reach::Never, &["::ffff:0.0.0.0", "::ffff:255.255.255.255", "64:ff9b::224.0.0.1"]);
        // Teredo, server 8.8.8.8, client 255.255.255.255 inverted.
        check(Reach::Never, &["2001:0:808:808::"]);
    }
}

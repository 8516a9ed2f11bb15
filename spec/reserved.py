"""Values that reach nobody, and who reserves them.

A run writes no others into a service, because a service may send messages to what it holds.

Telephone numbers are those that regulators keep free for films, books and examples. Only those are
listed that libphonenumber takes for valid, because a service may check more than the pattern.
Reserved but not valid there, so never sent: 07700 900xxx, 0115 496 0xxx and 01632 960xxx (Ofcom),
06 39 98 xx xx (Arcep), 020 91x xxxx (ComReg).

Mail addresses and host names are those that RFC 2606 and RFC 6761 reserve. IP addresses are those
for documentation, those of this machine, and those that webhooks must not be sent to.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

E164 = re.compile(r"\+[1-9][0-9]{1,14}")


@dataclass(frozen=True)
class Source:
    """Who reserves something, and where that is written.

    Attributes:
        by: the regulator or the standards body.
        document: its title.
        url: where it is published.
        read_on: the day on which the table below was compared with it.
    """

    by: str
    document: str
    url: str
    read_on: str = "2026-11-26"


@dataclass(frozen=True)
class PhoneRange:
    """Consecutive telephone numbers of one length.

    Attributes:
        first: in E.164, such as `+442079460000`.
        size: how many numbers.
    """

    first: str
    size: int = 1

    def number(self, index: int) -> str:
        """The number at a position, counted from 0."""
        return f"+{int(self.first) + index}"

    def __contains__(self, number: object) -> bool:
        """Whether a text in E.164 is one of the numbers."""
        if (
            not isinstance(number, str)
            or len(number) != len(self.first)
            or not E164.fullmatch(number)
        ):
            return False
        return 0 <= int(number) - int(self.first) < self.size


def _each(size: int, *firsts: str) -> tuple[PhoneRange, ...]:
    return tuple(PhoneRange(first, size) for first in firsts)


AREA_CODES = {
    "US": ("202", "206", "212", "213", "303", "305", "312", "404", "415", "503", "617", "702"),
    "CA": ("204", "403", "416", "506", "514", "604", "613", "902"),
}
"""Some area codes in use of two countries of the North American Numbering Plan."""
UK_CITIES = ("113", "114", "116", "117", "118", "121", "131", "141", "151", "161")
"""Leeds, Sheffield, Leicester, Bristol, Reading, Birmingham, Edinburgh, Glasgow, Liverpool,
Manchester."""
AU_MOBILES = (
    *("+61491570006", "+61491570156", "+61491570157", "+61491570158", "+61491570159"),
    *("+61491570110", "+61491570313", "+61491570737", "+61491571266", "+61491571491"),
    *("+61491571804", "+61491572549", "+61491572665", "+61491572983", "+61491573770"),
    *("+61491573087", "+61491574118", "+61491574632", "+61491575254", "+61491575789"),
    *("+61491576398", "+61491576801", "+61491577426", "+61491577644", "+61491578957"),
    *("+61491578148", "+61491578888", "+61491579212", "+61491579760", "+61491579455"),
)
DE_MOBILES = (
    *("+4915228817386", "+4915228895456", "+4915254599371", "+491729925904", "+491729968532"),
    *("+491729973185", "+491729973186", "+491729980752", "+491749091317", "+491749464308"),
)
PHONES: Mapping[str, tuple[PhoneRange, ...]] = {
    **{
        country: _each(100, *(f"+1{code}5550100" for code in codes))
        for country, codes in AREA_CODES.items()
    },
    "GB": _each(
        1000,
        *(f"+44{city}4960000" for city in UK_CITIES),
        # London, Tyneside, Northern Ireland, Cardiff
        *("+442079460000", "+441914980000", "+442890180000", "+442920180000"),
    ),
    "AU": (
        *_each(
            10_000, *(f"+61{region}{block}0000" for region in "2378" for block in ("5550", "7010"))
        ),
        *_each(1, *AU_MOBILES),
    ),
    "DE": (
        # Berlin, Frankfurt, Hamburg, Cologne, Munich, and two blocks of mobile numbers.
        *_each(
            1000,
            "+493023125000",
            "+496990009000",
            "+494066969000",
            "+492214710000",
            "+498999998000",
        ),
        *_each(100, "+491713920000", "+4917604069000"),
        *_each(1, *DE_MOBILES),
    ),
    "FR": _each(
        10_000, "+33199000000", "+33261910000", "+33353010000", "+33465710000", "+33536490000"
    ),
    "SE": (
        # Gothenburg, Malmö, Stockholm, Kiruna, and mobile numbers.
        *_each(100, "+46313900600", "+46406280400", "+46846500400", "+46980319200"),
        PhoneRange("+46701740605", 95),
    ),
}
"""Numbers that no subscriber gets, by country (ISO 3166)."""
PHONE_SOURCES: Mapping[str, Source] = {
    **dict.fromkeys(
        AREA_CODES,
        Source(
            "NANPA",
            "555 Line Numbers (ATIS-0300115)",
            "https://nanpa.com/numbering/555-line-numbers",
        ),
    ),
    "GB": Source(
        "Ofcom",
        "Numbers for drama",
        "https://www.ofcom.org.uk/phones-and-broadband/phone-numbers/numbers-for-drama",
    ),
    "AU": Source(
        "ACMA",
        "Phone numbers for use in TV shows, films and creative works",
        "https://www.acma.gov.au/phone-numbers-use-tv-shows-films-and-creative-works",
    ),
    "DE": Source(
        "Bundesnetzagentur",
        "Rufnummern für Medienproduktionen, Mitteilung 148/2021, Amtsblatt 7/2021, page 489",
        "https://www.bundesnetzagentur.de/SharedDocs/Downloads/DE/Sachgebiete/Telekommunikation/Unternehmen_Institutionen/"
        "Nummerierung/Rufnummern/Mittlg148_2021.pdf",
    ),
    "FR": Source(
        "Arcep",
        "Plan national de numérotation, décision 2018-0881, annexe 1, 2.5.12 (œuvres"
        " audiovisuelles)",
        "https://www.legifrance.gouv.fr/jorf/article_jo/JORFARTI000037263033",
    ),
    "SE": Source(
        "PTS",
        "Telefonnummer till böcker och filmer",
        "https://pts.se/internet-och-telefoni/telefonnummer-och-adressering/telefonnummer-till-bocker-och-filmer/",
    ),
}
LONG_PHONES = tuple(range_ for range_ in PHONES["DE"] if len(range_.first) == len("+4917604069000"))
"""Those with most digits, thirteen."""

SPARE_CODES = ("28", "83", "89")
"""What no country code begins with. A number of any length leads nowhere; to libphonenumber it is
none.
"""
SPARE_CODES_SOURCE = Source(
    "ITU",
    "List of Recommendation ITU-T E.164 assigned country codes",
    "https://www.itu.int/pub/T-SP-E.164D-2016",
)
MIN_PHONE_DIGITS, MAX_PHONE_DIGITS = 2, 15
"""What the pattern of a telephone number permits."""

MAIL_DOMAINS = ("example.com", "example.net", "example.org")
"""Mail addresses are in these and in names below them."""
HOSTS = (*MAIL_DOMAINS, "example", "invalid", "test", "localhost")
"""Names of hosts are these and names below them."""
HOSTS_SOURCE = Source(
    "IETF", "RFC 2606 and RFC 6761, reserved names", "https://www.rfc-editor.org/rfc/rfc6761"
)

Network = IPv4Network | IPv6Network
DOCUMENTATION: tuple[Network, ...] = tuple(
    map(ip_network, ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"))
)
"""Addresses for documentation; what stands as the address of a visitor is one of them."""
DOCUMENTATION_SOURCE = Source(
    "IETF", "RFC 5737 and RFC 3849", "https://www.rfc-editor.org/rfc/rfc5737"
)
LOCAL: tuple[Network, ...] = tuple(
    map(
        ip_network,
        (
            *("127.0.0.0/8", "::1/128"),
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10"),
            *("224.0.0.0/4", "255.255.255.255/32", "ff00::/8"),
        ),
    )
)
"""Loopback, and what webhooks must not be sent to (HOOK-60): private, link-local, carrier,
multicast.
"""
LOCAL_SOURCE = Source(
    "IANA",
    "Special-Purpose Address Registries",
    "https://www.iana.org/assignments/iana-ipv4-special-registry",
)


def is_reserved_phone(number: str) -> bool:
    """Whether a number in E.164 is kept free by a regulator, or begins with no country code."""
    in_a_range = any(number in numbers for ranges in PHONES.values() for numbers in ranges)
    return in_a_range or is_spare(number)


def is_spare(number: str) -> bool:
    """Whether a text begins like a telephone number whose country code is assigned to nobody."""
    return number.startswith(tuple(f"+{code}" for code in SPARE_CODES))


def is_reserved_host(name: str) -> bool:
    """Whether a name of a host is reserved for examples and tests, or below such a name."""
    return _is_below(name, HOSTS)


def is_reserved_mailbox(address: str) -> bool:
    """Whether a mail address is in a domain for examples, or below one."""
    return _is_below(address.rpartition("@")[2], MAIL_DOMAINS)


def is_reserved_address(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is for documentation, loopback, or one that webhooks must not reach."""
    inner = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return any((inner or address) in network for network in (*DOCUMENTATION, *LOCAL))


def _is_below(name: str, domains: tuple[str, ...]) -> bool:
    plain = name.lower().removesuffix(".")
    return any(plain == domain or plain.endswith(f".{domain}") for domain in domains)

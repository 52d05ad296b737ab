// SPDX-License-Identifier: Apache-2.0
//
//! The macros with which a file becomes a driver or a library of rules. What they write is the only code outside of this
//! crate that is not safe Rust: a section and an exported function.

/// Defines the entry of a driver: a type that implements `Driver` and other traits of this crate, and the manifest that
/// sdk/manifest.md describes, a string literal or include_str!. Use it once in a crate of type cdylib.
///
/// `needs_minor = N` after the manifest says that the driver works with hosts from that minor of the ABI on. Without it,
/// hosts need the minor of this crate.
#[macro_export]
macro_rules! gantry_driver {
    ($driver:ty, $manifest:expr $(,)?) => {
        $crate::gantry_driver!($driver, $manifest, needs_minor = $crate::abi::ABI_MINOR);
    };
    ($driver:ty, $manifest:expr, needs_minor = $minor:expr $(,)?) => {
        const _: () = {
            use $crate::entry::NoOperations as _;
            type Operations = $crate::entry::Operations<$driver>;

            $crate::gantry_manifest!($manifest, $minor);
            const REENTRANT: bool = $crate::manifest::says(TEXT, "threads", "reentrant");
            const _: () = $crate::entry::check_threads::<$driver, REENTRANT>();
            const _: () = assert!(
                Operations::SELECT_DESTINATIONS.is_some() || Operations::CALL_METHOD.is_some(),
                "the driver implements neither Decide nor Methods: it would have nothing to do"
            );

            static OPERATIONS: $crate::abi::DriverOps = $crate::abi::DriverOps {
                struct_size: std::mem::size_of::<$crate::abi::DriverOps>() as u32,
                reserved0: 0,
                create: Operations::CREATE,
                destroy: Operations::DESTROY,
                select_destinations: Operations::SELECT_DESTINATIONS,
                schedule_run_instance: Operations::SCHEDULE_RUN_INSTANCE,
                hosts_up: Operations::HOSTS_UP,
                group_hosts: Operations::GROUP_HOSTS,
                update_service_capabilities: Operations::UPDATE_SERVICE_CAPABILITIES,
                call_method: Operations::CALL_METHOD,
                extension: Operations::EXTENSION,
            };
            static INFO: $crate::abi::DriverInfo = $crate::abi::DriverInfo {
                magic: $crate::abi::MAGIC,
                struct_size: std::mem::size_of::<$crate::abi::DriverInfo>() as u32,
                abi_major: $crate::abi::ABI_MAJOR,
                abi_minor: $crate::abi::ABI_MINOR,
                id: $crate::manifest::value_in(&MANIFEST, TEXT, "id", MINOR),
                version: $crate::manifest::value_in(&MANIFEST, TEXT, "version", MINOR),
                ops: &OPERATIONS,
            };

            #[no_mangle]
            pub extern "C" fn gantry_driver_entry(host_major: u32, host_minor: u32) -> *const $crate::abi::DriverInfo {
                $crate::entry::accept(host_major, host_minor, &INFO)
            }
        };
    };
}

/// Defines the entry of a library of filters and weighers: the manifest and the manifest's offers, each as one of
///
/// - `filter("Name", Type)`: a type that implements `Filter`
/// - `host_filter("Name", |host, request| ..., "why hosts do not pass")`: a closure that returns whether a host passes
/// - `weigher("Name", Type)`: a type that implements `Weigher`
/// - `host_weigher("Name", |host, request| ...)`: a closure that returns the score of a host, an `Option<f64>`
///
/// Use it once in a crate of type cdylib.
#[macro_export]
macro_rules! gantry_offers {
    ($manifest:expr, $($kind:ident($($argument:tt)*)),+ $(,)?) => {
        const _: () = {
            $crate::gantry_manifest!($manifest, $crate::abi::ABI_MINOR);

            static OFFERS: &[$crate::abi::Offer] = &[$($crate::gantry_offer!($kind($($argument)*))),+];
            static INFO: $crate::abi::OffersInfo = $crate::abi::OffersInfo {
                magic: $crate::abi::MAGIC,
                struct_size: std::mem::size_of::<$crate::abi::OffersInfo>() as u32,
                abi_major: $crate::abi::ABI_MAJOR,
                abi_minor: $crate::abi::ABI_MINOR,
                id: $crate::manifest::value_in(&MANIFEST, TEXT, "id", MINOR),
                version: $crate::manifest::value_in(&MANIFEST, TEXT, "version", MINOR),
                offers: OFFERS.as_ptr(),
                offer_count: OFFERS.len() as u32,
                offer_stride: std::mem::size_of::<$crate::abi::Offer>() as u32,
            };

            #[no_mangle]
            pub extern "C" fn gantry_offers_entry(
                host_major: u32,
                host_minor: u32,
            ) -> *const $crate::abi::OffersInfo {
                $crate::entry::accept(host_major, host_minor, &INFO)
            }
        };
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! gantry_offer {
    (filter($name:expr, $filter:ty $(,)?)) => {
        $crate::offers::filter_offer::<$filter>($name)
    };
    (weigher($name:expr, $weigher:ty $(,)?)) => {
        $crate::offers::weigher_offer::<$weigher>($name)
    };
    (host_filter($name:expr, $passes:expr $(,)?)) => {
        $crate::gantry_offer!(host_filter($name, $passes, ""))
    };
    (host_filter($name:expr, $passes:expr, $reason:expr $(,)?)) => {{
        struct Rule;
        impl $crate::offers::HostFilter for Rule {
            const REASON: &'static str = $reason;
            fn passes(host: &$crate::offers::HostRow<'_, '_>, request: &$crate::Request<'_>) -> bool {
                let rule: fn(&$crate::offers::HostRow<'_, '_>, &$crate::Request<'_>) -> bool = $passes;
                rule(host, request)
            }
        }
        $crate::offers::filter_offer::<$crate::offers::EachHostFilter<Rule>>($name)
    }};
    (host_weigher($name:expr, $score:expr $(,)?)) => {{
        struct Rule;
        impl $crate::offers::HostWeigher for Rule {
            fn score(host: &$crate::offers::HostRow<'_, '_>, request: &$crate::Request<'_>) -> Option<f64> {
                let rule: fn(&$crate::offers::HostRow<'_, '_>, &$crate::Request<'_>) -> Option<f64> = $score;
                rule(host, request)
            }
        }
        $crate::offers::weigher_offer::<$crate::offers::EachHostWeigher<Rule>>($name)
    }};
}

/// Writes the manifest into its section. Defines TEXT, MINOR and MANIFEST.
#[doc(hidden)]
#[macro_export]
macro_rules! gantry_manifest {
    ($manifest:expr, $minor:expr) => {
        const TEXT: &str = $manifest;
        const MINOR: u32 = $minor;
        const _: () = $crate::manifest::check(TEXT);
        #[used]
        #[link_section = ".gantry.manifest"]
        static MANIFEST: [u8; $crate::manifest::size(TEXT, MINOR)] = $crate::manifest::bytes(TEXT, MINOR);
    };
}

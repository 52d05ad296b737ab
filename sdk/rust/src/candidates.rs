// SPDX-License-Identifier: Apache-2.0
//
//! The rows that a request may use at all, before a driver compares the rows. The manifest's columns.needs or
//! columns.uses must name up, disabled and host, and hypervisor_hostname for requests that name nodes.

use crate::bits::{Bitmap, Bits};
use crate::call::Call;
use crate::columns::Texts;
use crate::failure::Result;
use crate::narrowing::Narrowing;
use crate::request::Request;
use crate::text::Strings;
use crate::view::View;
use std::collections::HashSet;

/// Returns the rows whose service is up and not disabled.
pub fn rows_up(view: &View<'_>) -> Result<Bitmap> {
    let mut rows = Bitmap::from(view.flags("up")?.values());
    rows.remove(view.flags("disabled")?.values());
    Ok(rows)
}

/// Returns the rows that are up, not disabled and not in ignore_hosts. A row need not have reported anything. Nova's
/// ChanceScheduler asked the same of a host.
pub fn usable_hosts<'c>(call: &'c Call<'_>, request: &Request<'c>) -> Result<Narrowing<'c>> {
    let mut found = Narrowing::of_request(call, request)?;
    if !request.ignore_hosts().is_empty() {
        let ignored: HashSet<&str> = request.ignore_hosts().iter().collect();
        let hosts = request.view().texts("host")?;
        found.rows_mut().keep_if(|row| !ignored.contains(hosts.get(row).unwrap_or_default()));
        found.step("ignore_hosts", "named in the request's ignore_hosts");
    }
    Ok(found)
}

/// Returns the rows of `usable_hosts` that match the forced hosts and nodes and the requested destination, and that have
/// a value in each column of the manifest's columns.needs.
pub fn candidates<'c>(call: &'c Call<'_>, request: &Request<'c>) -> Result<Narrowing<'c>> {
    let mut found = usable_hosts(call, request)?;
    let named = what_is_named(request);
    if !named.is_empty() {
        keep_requested(found.rows_mut(), request);
        found.step("requested", &format!("the request names others: {}", named));
    }
    found.rows_mut().keep(request.complete());
    found.step(
        "complete",
        "never reported a value in a column that the driver needs (`gantry driver inspect` lists them)",
    );
    Ok(found)
}

/// Removes the rows that force_hosts, force_nodes or the requested destination exclude.
fn keep_requested(rows: &mut Bitmap, request: &Request<'_>) {
    let view = request.view();
    let mut keep = |column: &str, names: HashSet<&str>| {
        let found = view.find::<Texts<'_>>(column);
        let text = |row| found.and_then(|texts| texts.get(row));
        rows.keep_if(|row| text(row).map_or(false, |name| names.contains(name)));
    };
    let lists = [("host", request.force_hosts()), ("hypervisor_hostname", request.force_nodes())];
    for (column, names) in lists {
        if !names.is_empty() {
            keep(column, names.iter().collect());
        }
    }
    let single = [("host", request.requested_host()), ("hypervisor_hostname", request.requested_node())];
    for (column, name) in single {
        if !name.is_empty() {
            keep(column, HashSet::from([name]));
        }
    }
}

/// Returns the text in quotes, of more than 64 bytes the beginning: for reasons, which show what requests and hosts say.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 64;
    if text.len() <= MOST {
        return format!("'{}'", text);
    }
    let end = (0..=MOST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("'{}...'", &text[..end])
}

/// Returns the different texts of the column in these rows, quoted: "'a', 'b' and 5 more". "none" if no row has a text.
pub fn texts_of<'b>(rows: impl Into<Bits<'b>>, view: &View<'_>, column: &str) -> String {
    const MOST: usize = 3;
    let column = match view.find::<Texts<'_>>(column) {
        Some(column) => column,
        None => return "none".to_string(),
    };
    let mut seen = HashSet::new();
    let mut texts = Vec::new();
    for row in rows.into().iter() {
        match (column.code(row), column.get(row)) {
            (Some(code), Some(text)) if seen.insert(code) => texts.push(text),
            _ => {}
        }
    }
    let shown: Vec<String> = texts.iter().take(MOST).map(|text| quoted(text)).collect();
    match (texts.len(), shown.split_last()) {
        (_, None) => "none".to_string(),
        (count, _) if count > MOST => format!("{} and {} more", shown.join(", "), count - MOST),
        (_, Some((only, []))) => only.clone(),
        (_, Some((last, others))) => format!("{} and {}", others.join(", "), last),
    }
}

/// Returns what the request names: "force_hosts 'a' and 2 more, requested_destination.host 'b'". Empty: nothing.
fn what_is_named(request: &Request<'_>) -> String {
    let mut named = Vec::new();
    let mut add_list = |key: &str, names: Strings<'_>| match (names.first(), names.len()) {
        (Some(first), 1) => named.push(format!("{} {}", key, quoted(first))),
        (Some(first), count) => named.push(format!("{} {} and {} more", key, quoted(first), count - 1)),
        (None, _) => {}
    };
    add_list("force_hosts", request.force_hosts());
    add_list("force_nodes", request.force_nodes());
    for (key, name) in [("host", request.requested_host()), ("node", request.requested_node())] {
        if !name.is_empty() {
            named.push(format!("requested_destination.{} {}", key, quoted(name)));
        }
    }
    named.join(", ")
}

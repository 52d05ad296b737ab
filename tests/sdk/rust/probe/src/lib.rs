// SPDX-License-Identifier: Apache-2.0
//
//! The twin of probe.cpp: uses each part of the crate and answers with all that it has seen.
#![forbid(unsafe_code)]

use gantry_driver::*;

struct Probe {
    greeting: String,
}

struct Dice<'c> {
    choice: RandomChoice<'c>,
    alternates: u32,
    reason: String,
}

impl<'c> Dice<'c> {
    fn new(call: &'c Call<'_>, request: &Request<'c>) -> Result<Dice<'c>> {
        let racks = request.view().texts("stats.rack")?;
        let wanted = request.hint("rack").and_then(|racks| racks.first());
        let mut found = candidates(call, request)?;
        if let Some(rack) = wanted {
            found.rows_mut().keep_if(|row| racks.get(row) == Some(rack));
            let named = texts_of(request.complete(), &request.view(), "stats.rack");
            found.step_with("rack", &format!("they are in {}", named), move |row| {
                format!("in rack {}", quoted(racks.get(row).unwrap_or_default()))
            });
        }
        found.explain_all();
        let choice = RandomChoice::new(call, found.rows().clone());
        Ok(Dice { choice, alternates: request.alternates(), reason: found.emptied_by().to_string() })
    }
}

impl Placer for Dice<'_> {
    fn place(&mut self, instance: u32) -> Result<Option<u32>> {
        self.choice.place(instance, self.alternates)
    }
    fn reason(&self) -> String {
        self.reason.clone()
    }
}

impl Driver for Probe {
    fn create(call: &Call<'_>, options: &Options<'_>) -> Result<Self> {
        call.log(Level::Info, format_args!("{} of {}", options.real("factor")?, options.boolean("on")?));
        let names: Vec<&str> = options.strings("names")?.iter().collect();
        let table: Vec<String> =
            options.table("table")?.iter().map(|(key, value)| format!("{}={}", key, value)).collect();
        let greeting = format!("{} {} {}", options.string("greeting")?, names.join("+"), table.join("+"));
        Ok(Probe { greeting })
    }
}

impl Decide for Probe {
    fn select_destinations(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
        place_all(call, request, &mut Dice::new(call, request)?)
    }
    fn schedule_run_instance(&self, call: &Call<'_>, request: &Request<'_>) -> Result {
        place_each(call, request, &mut Dice::new(call, request)?)
    }
}

impl Methods for Probe {
    fn call_method(&self, call: &Call<'_>, method: &MethodCall<'_>) -> Result {
        call.count(method.method(), 2);
        match method.method() {
            "numbers" => numbers(call),
            "claim" => claim(call, method.args()),
            "read" => read(call, &method.view()),
            "derive" => derive(call, &method.view()),
            "panic" => {
                let past_the_end = method.view().rows();
                let _ = method.view().integers("vcpus")?[past_the_end];
                Ok(())
            }
            other => Err(Failure::invalid_argument(format!("{}: no method {}", self.greeting, quoted(other)))),
        }
    }
}

fn numbers(call: &Call<'_>) -> Result {
    let mut said = call.random().to_string();
    for bound in [1, 2, 3, 10, 1 << 33, (1 << 63) + 1, u64::MAX] {
        said += &format!(" {}", call.random_below(bound));
    }
    call.reply(&format!("\"{} at {}\"", said, call.now()))
}

fn claim(call: &Call<'_>, args: &str) -> Result {
    let items = [
        ClaimItem { resource: "gpu", amount: 1.0, limit: Some(2.0) },
        ClaimItem { resource: "fpga", amount: 0.5, limit: None },
    ];
    let held = call.claim(1, "consumer", &items)? == Claimed::Held;
    call.cast(&Cast { row: 1, method: "attach", args, consumer: if held { "consumer" } else { "" } })?;
    let found = call.locate("11111111-1111-4111-8111-111111111111")?;
    let at = found.map_or("nowhere".to_string(), |at| {
        format!("{} {} {} {} {} {}", at.row, at.host, at.flavor, at.vcpus, at.memory_mb, at.disk_gb)
    });
    let nowhere = call.locate("22222222-2222-4222-8222-222222222222")?.is_none();
    call.reply(&format!("\"{} {} {} {}\"", held, at, nowhere, call.context().user_id))
}

fn read(call: &Call<'_>, view: &View<'_>) -> Result {
    let mut said = format!("{} {}", view.topic(), view.rows());
    let (hosts, up) = (view.texts("host")?, view.flags("up")?);
    let (vcpus, used) = (view.integers("vcpus")?, view.reals("vcpus_used")?);
    let (sets, lists) = (view.sets("aggregates")?, view.uuids("instances")?);
    let (racks, notes) = (view.texts("stats.rack")?, view.documents("numa_topology")?);
    for row in 0..view.rows() {
        let number = |number: Option<i64>| number.map_or("null".to_string(), |number| number.to_string());
        said += &format!(" | {} {}", hosts.get(row).unwrap_or_default(), up.get(row) == Some(true));
        said += &format!(" {} {}", number(vcpus.get(row)), number(used.get(row).map(|used| (used * 1000.0) as i64)));
        for index in sets.get(row).unwrap_or_default() {
            if let Some(aggregate) = view.aggregate(*index) {
                said += &format!(" {} {}", aggregate.name, aggregate.metadata.get("zone").unwrap_or("none"));
            }
        }
        lists.get(row).iter().for_each(|uuid| said += &format!(" {}", uuid.0[15]));
        said += &format!(" {} {}", racks.get(row).unwrap_or("null"), notes.get(row).map_or(0, |note| note.text.len()));
    }
    let other_type = view.find::<Reals<'_>>("vcpus").is_none() && view.find::<Texts<'_>>("no such").is_none();
    call.reply(&format!("\"{} {}\"", said, other_type))
}

fn derive(call: &Call<'_>, view: &View<'_>) -> Result {
    let uuid = Uuid::parse("6f70656e-7374-4163-8b00-000000000007").ok_or_else(|| Failure::internal("no uuid"))?;
    let mut derived = call.derive(view)?;
    derived.integers("vcpus")?.set(0, 3);
    derived.reals("vcpus_used")?[1] += 2.5;
    derived.append_uuid("instances", 0, uuid)?;
    let now = derived.view();
    let (before, after) = (view.reals("vcpus_used")?[1], now.reals("vcpus_used")?[1]);
    let grown = now.uuids("instances")?.get(0).len() - view.uuids("instances")?.get(0).len();
    call.reply(&format!("\"{} {} {} {}\"", now.integers("vcpus")?[0], after - before, grown, now.generation()))
}

impl HostsUp for Probe {
    fn hosts_up(&self, _: &Call<'_>, view: &View<'_>, rows: &mut Bitmap) -> Result {
        let up = rows_up(view)?;
        up.iter().filter(|row| row % 2 == 0).for_each(|row| rows.set(row));
        Ok(())
    }
}

impl GroupHosts for Probe {
    fn group_hosts(&self, _: &Call<'_>, group: &Group<'_>, _: &View<'_>, rows: &mut Bitmap) -> Result {
        group.member_rows().iter().for_each(|row| rows.set(*row));
        Ok(())
    }
}

impl ServiceCapabilities for Probe {
    fn update_service_capabilities(&self, call: &Call<'_>, service: &str, host: &str, capabilities: &str) -> Result {
        call.reply(&format!("{{\"from\": \"{} {}\", \"all\": {}}}", service, host, capabilities))
    }
}

impl Capacity for Probe {
    fn count_capacity(&self, call: &Call<'_>, request: &Request<'_>, counts: &mut [u64]) -> Result {
        let (vcpus, used) = (request.view().integers("vcpus")?, request.view().reals("vcpus_used")?);
        let wanted = request.vcpus().ok_or_else(|| Failure::unsupported("the request has no vcpus"))? as f64;
        for row in candidates(call, request)?.rows().iter() {
            counts[row as usize] = claims_that_fit(used[row], wanted, vcpus[row] as f64);
        }
        Ok(())
    }
}

gantry_driver! { Probe, "
id = 'probe'
version = '0.1.0'
description = 'uses each part of the SDK'
topics = ['compute']
threads = 'reentrant'
[methods]
compute = ['numbers', 'claim', 'read', 'derive', 'panic', 'other']
[columns]
needs = ['up', 'disabled', 'host', 'vcpus', 'vcpus_used', 'instances', 'aggregates']
uses = ['hypervisor_hostname', 'numa_topology', 'stats.rack:string']
[options.factor]
type = 'real'
default = 1.5
help = 'a number'
" }

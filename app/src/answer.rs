//! Answers about paths and bundles as text and as JSON: the command line prints them, the window copies
//! them.

use palimpsest_core::hash::hex;
use palimpsest_core::mount::{
    Answer, BundleAnswer, CopyAnswer, CopyDigest, CopyRef, Declared, MemberAnswer, Stack,
};
use serde_json::{Value, json};

use crate::format::number;

/// The outcome of the engine's own search, as the contract spells it.
pub const fn lookup(is_found: bool) -> &'static str {
    if is_found { "found" } else { "missed" }
}

/// Where a copy lies: its place in the archive or in its container.
pub fn place(copy: &CopyAnswer) -> String {
    let offset = copy.stat.offset.map_or_else(|| "loose file".to_owned(), |offset| format!("@ {offset:#X}"));
    match &copy.container {
        Some(container) => format!("{offset} of {container}"),
        None => offset,
    }
}

/// Whether a copy has the size that a manifest states, in words.
pub const fn fit(fits: Option<bool>) -> &'static str {
    match fits {
        Some(true) => "as declared",
        Some(false) => "not as declared",
        None => "",
    }
}

/// The steps of an answer, as a person reads them: every copy in order, then the rule.
pub fn trace(stack: &Stack, answer: &Answer, digests: &[CopyDigest]) -> String {
    let mut lines = vec![answer.path.clone(), String::new()];
    for (at, copy) in answer.copies.iter().enumerate() {
        let mark = match (copy.wins, &answer.unproven) {
            (true, None) => "→",
            (true, Some(_)) => "?",
            (false, _) => " ",
        };
        let mut facts = vec![format!("{} bytes", number(copy.stat.size)), place(copy)];
        facts.extend(Some(fit(copy.fits)).filter(|fit| !fit.is_empty()).map(str::to_owned));
        if let Some(digest) = digests.get(at) {
            facts.push(digest.class.name().to_owned());
            facts.extend(digest.sha256.as_ref().ok().map(|sum| format!("SHA-256 {}", hex(sum))));
        }
        let (number, name, kind) = (copy.copy.layer, stack.layer_name(copy.copy), copy.kind.name());
        lines.push(format!("{mark} {}. layer {number}  {name}  ({kind})", at + 1));
        lines.push(format!("     {}", facts.join("  ")));
        lines.push(format!("     {}", copy.why));
    }
    lines.push(String::new());
    lines.push(answer.rule.clone());
    lines.extend(answer.unproven.clone());
    for declared in &answer.declared {
        lines.push(declaration(stack, declared));
    }
    lines.join("\n") + "\n"
}

/// The answer about a path that nothing holds, though manifests may name it.
pub fn missing_to_json(stack: &Stack, path: &str, declared: &[Declared]) -> Value {
    json!({
        "path": path, "winner": null, "engine_winner": null, "engine_lookup": null,
        "declared": declared_to_json(stack, declared), "copies": [],
    })
}

fn declared_to_json(stack: &Stack, declared: &[Declared]) -> Value {
    let one = |declared: &Declared| {
        let layer = stack.layer_name(declared.manifest);
        json!({ "manifest": declared.path, "layer": layer, "size": declared.size })
    };
    declared.iter().map(one).collect()
}

/// What a manifest says of a path, in a sentence.
pub fn declaration(stack: &Stack, declared: &Declared) -> String {
    let (size, layer) = (number(declared.size.into()), stack.layer_name(declared.manifest));
    format!("The manifest {} of {layer} declares {size} bytes.", declared.path)
}

/// The whole answer as JSON, with the keys of the command line's contract.
pub fn to_json(stack: &Stack, answer: &Answer, digests: &[CopyDigest]) -> Value {
    let copies: Vec<_> = answer
        .copies
        .iter()
        .enumerate()
        .map(|(at, copy)| copy_to_json(stack, copy, digests.get(at)))
        .collect();
    json!({
        "path": answer.path,
        "winner": answer.winner,
        "engine_winner": answer.engine_winner,
        "engine_lookup": lookup(answer.winner_is_found()),
        "rule": answer.rule,
        "unproven": answer.unproven,
        "declared": declared_to_json(stack, &answer.declared),
        "copies": copies,
    })
}

fn copy_to_json(stack: &Stack, copy: &CopyAnswer, digest: Option<&CopyDigest>) -> Value {
    json!({
        "layer": stack.layer_name(copy.copy),
        "layer_index": copy.copy.layer,
        "kind": copy.kind.name(),
        "container": copy.container,
        "path": copy.path,
        "offset": copy.stat.offset,
        "stored": copy.stat.stored,
        "size": copy.stat.size,
        "sha256": digest.and_then(|digest| digest.sha256.as_ref().ok()).map(|sum| hex(sum)),
        "class": digest.map(|digest| digest.class.name()),
        "fits": copy.fits,
        "wins": copy.wins,
        "engine_lookup": lookup(copy.engine_finds),
        "why": copy.why,
    })
}

/// The answer about a bundle as JSON.
pub fn bundle_to_json(stack: &Stack, bundle: &BundleAnswer) -> Value {
    let side = |copy: Option<CopyRef>| {
        copy.map(|copy| {
            let (layer, path) = (stack.layer_name(copy), stack.path_of(copy));
            json!({ "path": path, "layer": layer, "layer_index": copy.layer })
        })
    };
    let members: Vec<_> = bundle.members.iter().map(|member| member_to_json(stack, member)).collect();
    json!({
        "manifest": side(bundle.manifest),
        "container": side(bundle.container),
        "notes": bundle.words().collect::<Vec<_>>(),
        "members": members,
    })
}

fn member_to_json(stack: &Stack, member: &MemberAnswer) -> Value {
    let copy = member.source.copy();
    json!({
        "path": member.path,
        "declared": member.declared,
        "source": member.source.name(),
        "container": copy.and_then(|copy| stack.container_of(copy)).map(|copy| stack.path_of(copy)),
        "layer": copy.map(|copy| stack.layer_name(copy)),
        "layer_index": copy.map(|copy| copy.layer),
        "size": member.size,
        "fits": member.fits(),
        "unproven": member.is_unproven,
    })
}

//! The sentences of an answer.

use std::collections::BTreeSet;

use super::Stack;
use crate::mount::index::CopyRef;
use crate::mount::layer::EngineLookup;
use crate::path::{self, split};

/// What the sentences about one path are made of.
pub(super) struct Words<'a> {
    stack: &'a Stack,
    path: &'a [u8],
    copies: &'a [CopyRef],
    /// How many of them are files; the others are members.
    files: usize,
    /// The containers of the members.
    holders: Vec<Holder>,
    /// How many containers that win hold it.
    live: usize,
    /// How many containers hold it.
    containers: usize,
    pub(super) winner: Option<usize>,
    /// What is not proven about the choice between a file and a container.
    pub(super) unproven: Option<String>,
    /// What the engine's own search finds for each file, and for the container of each member.
    lookups: Vec<EngineLookup>,
}

/// The container that holds a member.
pub(super) struct Holder {
    container: CopyRef,
    pub(super) path: String,
    /// The copy that wins its path.
    winner: Option<CopyRef>,
}

impl Holder {
    fn is_live(&self) -> bool {
        self.winner == Some(self.container)
    }
}

impl<'a> Words<'a> {
    pub(super) fn new(stack: &'a Stack, path: &'a [u8], copies: &'a [CopyRef]) -> Self {
        let files = copies.iter().take_while(|copy| !stack.is_member(**copy)).count();
        let (as_files, members) = copies.split_at(files);
        let mut lookups: Vec<_> = as_files.iter().map(|copy| stack.engine_lookup(*copy, path)).collect();
        let mut holders = Vec::with_capacity(members.len());
        for container in members.iter().filter_map(|copy| stack.container_of(*copy)) {
            let path = stack.layer(container).map(|layer| layer.path_of(container.file)).unwrap_or_default();
            lookups.push(stack.engine_lookup(container, &path));
            let winner = stack.winner_of(&path);
            holders.push(Holder { container, path: path::to_text(&path).into_owned(), winner });
        }
        let all: BTreeSet<_> = holders.iter().map(|holder| (holder.container, holder.is_live())).collect();
        let (live, containers) = (all.iter().filter(|(_, is_live)| *is_live).count(), all.len());
        let winner = (files > 0 || live > 0).then_some(0);
        let unproven = None;
        let mut words =
            Self { stack, path, copies, files, holders, live, containers, winner, unproven, lookups };
        words.unproven = words.doubt();
        words
    }

    /// The container of a copy that is a member.
    pub(super) fn holder(&self, at: usize) -> Option<&Holder> {
        self.holders.get(at.checked_sub(self.files)?)
    }

    /// Whether the engine's own search reaches a copy, or the container of it.
    pub(super) fn is_found(&self, at: usize) -> bool {
        let copy = self.holder(at).map(|holder| holder.container).or_else(|| self.copies.get(at).copied());
        copy.is_some_and(|copy| self.lookups.get(at) == Some(&EngineLookup::Found(copy.file)))
    }

    fn name(&self, at: usize) -> &str {
        self.copies.get(at).map_or("", |copy| self.stack.layer_name(*copy))
    }

    fn container(&self, at: usize) -> &str {
        self.holder(at).map_or("", |holder| &holder.path)
    }

    /// The rule that decided about the path as a whole.
    pub(super) fn rule(&self, engine_winner: Option<usize>) -> String {
        if self.files == 0 {
            return self.rule_of_members();
        }
        let as_file = if self.copies.len() > self.files { " as a file" } else { "" };
        let mut rule = match self.files {
            1 => format!("{} is the only layer that holds the path{as_file}.", self.name(0)),
            _ => format!("{} is the first layer from the top that holds the path{as_file}.", self.name(0)),
        };
        let held = match self.containers {
            0 => String::new(),
            1 => " A container holds it as well".to_owned(),
            count => format!(" {count} containers hold it as well"),
        };
        rule.push_str(&held);
        if !held.is_empty() {
            rule.push_str(if self.unproven.is_none() {
                "; a file above its container is used before it."
            } else {
                "."
            });
        }
        match engine_winner {
            Some(0) => rule,
            Some(reached) => format!(
                "{rule} The engine's own search misses it there and would reach the copy in {}; \
                 whether the game gets to the winner another way is not proven.",
                self.name(reached)
            ),
            None => format!(
                "{rule} The engine's own search misses every copy; \
                 whether the game gets there another way is not proven."
            ),
        }
    }

    fn rule_of_members(&self) -> String {
        match self.live {
            0 => "Only containers hold the path that are replaced themselves: no bundle brings it in."
                .to_owned(),
            1 => format!(
                "No layer holds the path as a file; it comes with the bundle {} of {}.",
                self.container(0),
                self.name(0)
            ),
            count => format!(
                "No layer holds the path as a file; {count} containers do, and the game reads it from that of \
                 the bundle which it loads. The first from the top is {} of {}.",
                self.container(0),
                self.name(0)
            ),
        }
    }

    fn doubt(&self) -> Option<String> {
        let file = *self.copies.first().filter(|_| self.files > 0)?;
        let mut members = self.copies.iter().skip(self.files).zip(&self.holders);
        let (rival, _) = members.find(|(copy, holder)| copy.layer <= file.layer && holder.is_live())?;
        let (name, above) = (self.stack.layer_name(file), self.stack.layer_name(*rival));
        let place = if rival.layer == file.layer {
            format!("The file and the container lie in one layer, {name}")
        } else {
            format!("The file lies in {name}, below its container in {above}")
        };
        Some(format!(
            "{place}: which of the two the game takes is not proven. Files are known to be used above it."
        ))
    }

    /// Why one copy wins or loses.
    pub(super) fn why(&self, at: usize) -> String {
        if at >= self.files {
            return self.why_member(at);
        }
        let (Some(own), Some(first)) = (self.copies.get(at), self.copies.first()) else {
            return String::new();
        };
        let why = match at {
            0 if self.copies.len() == 1 => "the only copy".to_owned(),
            0 if self.files == 1 => "the only layer that holds the path as a file".to_owned(),
            0 => "the first layer from the top that holds the path".to_owned(),
            _ if own.layer == first.layer => "a second record of the same path in the same layer".to_owned(),
            _ => {
                let (layer, above) = (own.layer, self.name(0));
                format!("layer {layer} is searched after {above}, layer {}", first.layer)
            }
        };
        match self.lookups.get(at) {
            None => why,
            Some(EngineLookup::Found(file)) if own.file == *file => why,
            Some(EngineLookup::Found(_)) => {
                format!("{why}; the engine's search reaches the other record of this path in the layer")
            }
            Some(EngineLookup::NoFolder) => {
                let folder = path::to_text(split(self.path).0);
                format!("{why}; the engine's search misses the folder {folder} in this layer")
            }
            Some(EngineLookup::NoFile) => {
                format!("{why}; the engine's search finds the folder in this layer and misses the file")
            }
        }
    }

    fn why_member(&self, at: usize) -> String {
        let Some(own) = self.holder(at) else { return String::new() };
        let before = at.checked_sub(1).and_then(|before| self.holder(before));
        if before.is_some_and(|before| before.container == own.container) {
            return "a second member of the same path in the same container".to_owned();
        }
        let place = format!("in the container {}", own.path);
        match own.winner.filter(|winner| *winner != own.container) {
            Some(winner) => {
                format!("{place}, which is replaced by the one in {}", self.stack.layer_name(winner))
            }
            None if self.files > 0 && self.unproven.is_some() => {
                format!("{place}; whether it or the file is used is not proven")
            }
            None if self.files > 0 => format!("{place}; the file above it is used"),
            None if at == 0 => format!("{place}, the first from the top that holds the path"),
            None => format!("{place}; it is used when that bundle is loaded"),
        }
    }
}

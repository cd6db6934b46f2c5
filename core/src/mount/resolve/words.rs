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
    /// How many containers that win hold it.
    live: usize,
    /// How many containers hold it.
    containers: usize,
    pub(super) winner: Option<usize>,
    /// What is not proven about the choice between a file and a container.
    pub(super) unproven: Option<String>,
    /// Whether the engine's own search reaches each copy.
    pub(super) finds: Vec<bool>,
}

impl<'a> Words<'a> {
    pub(super) fn new(stack: &'a Stack, path: &'a [u8], copies: &'a [CopyRef]) -> Self {
        let files = copies.iter().take_while(|copy| !stack.is_member(**copy)).count();
        let members = copies.get(files..).unwrap_or_default();
        let containers = |is_counted: &dyn Fn(CopyRef) -> bool| {
            let counted = members.iter().copied().filter(|copy| is_counted(*copy));
            counted.filter_map(|copy| stack.container_of(copy)).collect::<BTreeSet<_>>().len()
        };
        let (live, containers) = (containers(&|copy| stack.is_live(copy)), containers(&|_| true));
        let winner = (files > 0 || live > 0).then_some(0);
        let finds = copies.iter().map(|copy| stack.engine_finds(*copy, path)).collect();
        let mut words = Self { stack, path, copies, files, live, containers, winner, unproven: None, finds };
        words.unproven = words.doubt();
        words
    }

    fn name(&self, at: usize) -> &str {
        self.copies.get(at).map_or("", |copy| self.stack.layer_name(*copy))
    }

    fn container(&self, at: usize) -> String {
        let container = self.copies.get(at).and_then(|copy| self.stack.container_of(*copy));
        container.map(|container| self.stack.path_of(container)).unwrap_or_default()
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
        let rival = self.stack.rival(file, self.copies)?;
        let (name, above) = (self.stack.layer_name(file), self.stack.layer_name(rival));
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
        match self.stack.engine_lookup(*own, self.path) {
            EngineLookup::Found(file) if own.file == file => why,
            EngineLookup::Found(_) => {
                format!("{why}; the engine's search reaches the other record of this path in the layer")
            }
            EngineLookup::NoFolder => {
                let folder = path::to_text(split(self.path).0);
                format!("{why}; the engine's search misses the folder {folder} in this layer")
            }
            EngineLookup::NoFile => {
                format!("{why}; the engine's search finds the folder in this layer and misses the file")
            }
        }
    }

    fn why_member(&self, at: usize) -> String {
        let Some(own) = self.copies.get(at) else { return String::new() };
        let before = at.checked_sub(1).and_then(|before| self.copies.get(before));
        if before.is_some_and(|before| {
            self.stack.container_of(*before).is_some()
                && self.stack.container_of(*before) == self.stack.container_of(*own)
        }) {
            return "a second member of the same path in the same container".to_owned();
        }
        let place = format!("in the container {}", self.container(at));
        let container = self.stack.container_of(*own);
        let winner = container.and_then(|container| self.stack.winner_over(container));
        match winner.filter(|winner| Some(*winner) != container) {
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

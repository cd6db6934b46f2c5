//! What is remembered between runs, beside what egui itself remembers.

use std::path::PathBuf;

use palimpsest_core::mount::Mounts;
use serde::{Deserialize, Serialize};

use crate::layout::Layout;
use crate::oodle::OodleChoice;

/// The key in the storage.
pub const KEY: &str = "palimpsest";

/// How many mounts are remembered.
const RECENT: usize = 8;

/// What is remembered. Unknown fields of other versions are ignored, missing ones take their
/// default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// What was mounted before, newest first: paths, `-arch` archives, list.
    pub recent: Vec<(Vec<PathBuf>, Vec<PathBuf>, Option<PathBuf>)>,
    /// The tiles.
    pub layout: Option<String>,
    /// Who decodes Oodle's chunks.
    pub oodle: OodleChoice,
}

impl Settings {
    /// The settings of a session.
    pub fn new(recent: &[Mounts], layout: &Layout, oodle: &OodleChoice) -> Self {
        let recent = recent.iter().map(|of| (of.paths.clone(), of.arch.clone(), of.archcfg.clone()));
        Self { recent: recent.collect(), layout: layout.to_json(), oodle: oodle.clone() }
    }

    /// What was mounted before.
    pub fn recent(&self) -> Vec<Mounts> {
        let mounts = |(paths, arch, archcfg): &(Vec<PathBuf>, Vec<PathBuf>, Option<PathBuf>)| Mounts {
            paths: paths.clone(),
            arch: arch.clone(),
            archcfg: archcfg.clone(),
        };
        self.recent.iter().map(mounts).take(RECENT).collect()
    }

    /// The tiles, or those of the first run.
    pub fn layout(&self) -> Layout {
        self.layout.as_deref().and_then(Layout::from_json).unwrap_or_default()
    }
}

/// Puts a mount in front of those before it, with paths that mean the same from everywhere.
pub fn remember(recent: &mut Vec<Mounts>, mounts: &Mounts) {
    let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mounts = Mounts {
        paths: mounts.paths.iter().map(whole).collect(),
        arch: mounts.arch.iter().map(whole).collect(),
        archcfg: mounts.archcfg.as_ref().map(whole),
    };
    recent.retain(|other| *other != mounts);
    recent.insert(0, mounts);
    recent.truncate(RECENT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_come_back_and_damaged_ones_do_no_harm() {
        let mut recent = Vec::new();
        for name in ["a", "b", "a"] {
            remember(&mut recent, &Mounts::of(name));
        }
        let whole = |name: &str| Mounts::of(std::path::absolute(name).unwrap());
        assert_eq!(recent, [whole("a"), whole("b")]);
        let settings = Settings::new(&recent, &Layout::default(), &OodleChoice::default());
        let text = serde_json::to_string(&settings).unwrap();
        let again: Settings = serde_json::from_str(&text).unwrap();
        assert_eq!(again, settings);
        assert_eq!(again.recent(), recent);
        assert!(Layout::from_json(again.layout.as_deref().unwrap()).is_some());
        assert!(Layout::from_json("{}").is_none());
        assert!(Layout::from_json("nonsense").is_none());
    }
}

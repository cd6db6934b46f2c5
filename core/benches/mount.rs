//! Mounting, looking up, listing, searching and reordering a stack as large as the real game's: 76 archives,
//! 488,752 records, 431,226 paths, 26,122 of them in several archives, 16,300 folder records.
//!
//! Names are random, seeded, and built like the game's. The reference is to sum every byte of the
//! headers, names and records once.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use palimpsest_core::formats::ltar::{Builder, Packing};
use palimpsest_core::mount::{EntryId, FolderId, Mounts, Query, ShadowMap, Stack};
use palimpsest_core::task::Task;
use support::{Contender, Counting, compare};

#[global_allocator]
static HEAP: Counting = Counting::new();

const ARCHIVES: usize = 76;
const RECORDS: usize = 488_752;
const PATHS: usize = 431_226;
const SHARED_PATHS: usize = 26_122;
const MOST_COPIES: usize = 37;
const OWN_FOLDERS: usize = 14_726;
const PATCHED_FOLDERS: usize = 4;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let heads = write_stack(folder.path());
    let before = HEAP.held();
    let stack = mount(folder.path());
    let heap = HEAP.held() - before;
    let index = stack.index();
    let folders: u32 = stack.layers().iter().map(|layer| layer.folder_count()).sum();
    let shared = index.entries().filter(|entry| index.copies(*entry).len() > 1).count();
    assert_eq!(
        (index.copy_count() as usize, index.entry_count() as usize, shared),
        (RECORDS, PATHS, SHARED_PATHS)
    );
    println!(
        "{} archives, {} records in {folders} folders, {} paths in {} folders; head bytes {}, heap {:.1} MiB\n",
        stack.layers().len(),
        index.copy_count(),
        index.entry_count(),
        index.folder_count(),
        heads.iter().map(|(_, len)| len).sum::<usize>(),
        heap as f64 / f64::from(1 << 20)
    );
    let maps: Vec<_> = heads.iter().map(|(path, len)| (map(path), *len)).collect();
    let sum = || {
        maps.iter()
            .map(|(map, len)| map[..*len].iter().map(|byte| u64::from(*byte)).sum::<u64>())
            .sum::<u64>()
    };

    compare(
        15,
        vec![
            Contender::new("sum every byte of the heads", sum),
            Contender::new("mount", || mount(folder.path())),
        ],
    );

    let mut random = Random(7);
    let asked: Vec<_> =
        (0..100_000).map(|_| stack.path(EntryId(random.below(index.entry_count())))).collect();
    compare(
        9,
        vec![
            Contender::new("sum every byte of the heads", sum),
            Contender::new("find", || asked.iter().filter(|path| stack.find(path).is_some()).count())
                .per(100_000, "one path"),
            Contender::new("list every folder, names included", || list(&stack, FolderId::ROOT)),
            Contender::new("map what is shadowed", || ShadowMap::new(&stack, None, &Task::new()).unwrap()),
        ],
    );

    rearrange(&stack, &sum);

    let queries = [
        "s",
        "sw",
        "swo",
        "sword",
        "sword_d",
        "ranger sword ext:tex",
        "retail\\keep",
        "*_d.tex",
        "/_[dn]\\.tex$/",
        "layer:patch_1* wins:no",
        "hash:0x24CBCF7F",
    ];
    let parsed: Vec<_> = queries.iter().map(|query| Query::parse(query).unwrap()).collect();
    let mut contenders = vec![Contender::new("sum every byte of the heads", sum)];
    for (text, query) in queries.iter().zip(&parsed) {
        contenders.push(Contender::new(text, || stack.search(query, &Task::new()).unwrap().len()));
    }
    compare(9, contenders);
}

/// The order upside down: every path that several archives hold changes.
fn rearrange(stack: &Stack, sum: &dyn Fn() -> u64) {
    let order: Vec<_> = (0..stack.layers().len()).rev().collect();
    let other = stack.arranged(&order, &Task::new()).unwrap();
    println!(
        "{} paths change in the stack upside down",
        stack.changes(&other, &Task::new()).unwrap().changes.len()
    );
    compare(
        15,
        vec![
            Contender::new("sum every byte of the heads", sum),
            Contender::new("resolve every path in another order", || {
                stack.arranged(&order, &Task::new()).unwrap()
            }),
            Contender::new("list the paths that change", || stack.changes(&other, &Task::new()).unwrap()),
        ],
    );
}

fn mount(folder: &Path) -> Stack {
    Stack::mount(&Mounts::of(folder), &Task::new()).unwrap()
}

fn map(path: &Path) -> bytes::Bytes {
    fs::read(path).unwrap().into()
}

/// Walks the whole tree as the window would if every folder were open.
fn list(stack: &Stack, folder: FolderId) -> usize {
    let index = stack.index();
    let own: usize =
        index.entries_in(folder).map(|entry| index.leaf(stack.layers(), EntryId(entry)).len()).sum();
    own + index.subfolders(folder).map(|folder| list(stack, folder)).sum::<usize>()
}

/// A small generator, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end)).unwrap()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(u32::try_from(from.len()).unwrap()) as usize]
    }

    /// A position below `end`; small ones are more likely.
    fn skewed(&mut self, end: usize) -> usize {
        // The third power of a share of 2^20 parts.
        let share = u128::from(self.below(1 << 20));
        usize::try_from((end as u128 * share * share * share) >> 60).unwrap()
    }
}

const ROOTS: [&str; 8] =
    ["characters", "worlds", "presentations", "animation", "interface", "sound", "weapons", "bundles"];
const WORDS: [&str; 32] = [
    "retail",
    "keep",
    "island",
    "ranger",
    "orc",
    "base",
    "fort",
    "mystic",
    "volcano",
    "bridge",
    "gate",
    "tower",
    "sword",
    "shield",
    "helm",
    "armor",
    "model",
    "head",
    "body",
    "cape",
    "camp",
    "wall",
    "stairs",
    "door",
    "night",
    "snow",
    "ridge",
    "mine",
    "grove",
    "cinematic",
    "intro",
    "section",
];
const ENDS: [&str; 12] = [
    "_d.tex", "_n.tex", "_s.tex", ".mat", ".mesh", ".anix", ".bndl", ".embb", ".bnk", ".scripts", ".objres",
    ".fxp",
];

/// The folders of each archive; a folder lies in one that was made before it.
fn folders(random: &mut Random) -> Vec<Vec<String>> {
    let mut folders: Vec<Vec<String>> =
        (0..ARCHIVES).map(|at| vec![format!("{}\\region_{at:02}", random.pick(&ROOTS))]).collect();
    for at in ARCHIVES..OWN_FOLDERS {
        let archive = &mut folders[random.skewed(ARCHIVES)];
        let parent = random.skewed(archive.len());
        archive.push(format!("{}\\{}_{at:05}", archive[parent], random.pick(&WORDS)));
    }
    folders
}

/// Writes the stack; returns each archive with the bytes of its header, names and records.
fn write_stack(root: &Path) -> Vec<(PathBuf, usize)> {
    let mut random = Random(1);
    let folders = folders(&mut random);
    let mut archives: Vec<Vec<String>> = vec![Vec::new(); ARCHIVES];
    let mut copies_left = RECORDS - PATHS - (MOST_COPIES - 1);
    for at in 0..PATHS - 1 {
        let is_shared = at < SHARED_PATHS - 1;
        let home = random.skewed(ARCHIVES);
        // Patches touch a few folders of each archive, and many files in those.
        let among = if is_shared { folders[home].len().min(PATCHED_FOLDERS) } else { folders[home].len() };
        let folder = &folders[home][random.skewed(among)];
        // Many leaf names occur in several folders, as `string.strdb` does.
        let number = if at % 8 == 0 { at / 16 } else { at };
        let (first, second) = (random.pick(&WORDS), random.pick(&WORDS));
        let path = format!("{folder}\\{first}_{second}_{number:06}_{}{}", at % 2, random.pick(&ENDS));
        if is_shared {
            let left = SHARED_PATHS - 1 - at;
            let fair = copies_left.div_ceil(left);
            let more = if left == 1 {
                copies_left
            } else {
                (1 + random.below(4) as usize).min(fair + 2).min(copies_left - (left - 1))
            };
            copies_left -= more;
            for other in 1..=more {
                archives[(home + other * 7) % ARCHIVES].push(path.clone());
            }
        }
        archives[home].push(path);
    }
    for archive in archives.iter_mut().take(MOST_COPIES) {
        archive.push("archivepatchloosefiles.txt".to_owned());
    }
    let mut list = String::new();
    let mut heads = Vec::new();
    for (at, paths) in archives.iter().enumerate() {
        let mut builder = Builder::new();
        for path in paths {
            builder.add_packed(path, Packing::Chunks, Vec::new(), 0);
        }
        let bytes = builder.finish();
        let path = root.join(format!("Patch_{at:02}.arch06"));
        heads.push((path.clone(), bytes.len() - 6 * paths.len()));
        fs::write(&path, bytes).unwrap();
        writeln!(list, "..\\Patch_{at:02}.arch06").unwrap();
    }
    fs::create_dir_all(root.join("x64")).unwrap();
    fs::write(root.join("x64/default.archcfg"), list).unwrap();
    heads
}

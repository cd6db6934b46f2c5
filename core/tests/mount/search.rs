//! The query language, on the demo install.

use palimpsest_core::mount::{Query, Stack};
use palimpsest_core::task::Task;

use crate::demo;
use crate::{archive, mounted, write};

fn found(stack: &Stack, query: &str) -> Vec<String> {
    let query = Query::parse(query).unwrap();
    stack.search(&query, &Task::new()).unwrap().into_iter().map(|entry| stack.path(entry)).collect()
}

fn count(stack: &Stack, query: &str) -> usize {
    found(stack, query).len()
}

fn copies(stack: &Stack, query: &str) -> Vec<(String, String)> {
    let query = Query::parse(query).unwrap();
    let found = stack.search_copies(&query, &Task::new()).unwrap();
    let name = |copy| stack.layer(copy).unwrap().name.clone();
    found.into_iter().map(|(entry, copy)| (stack.path(entry), name(copy))).collect()
}

#[test]
fn words_occur_anywhere_whatever_their_case() {
    let stack = demo::stack();
    let all = stack.index().entry_count() as usize;
    for everything in ["", "  ", "*", "|", " | "] {
        assert_eq!(count(&stack, everything), all, "{everything:?}");
    }
    assert_eq!(found(&stack, "RANGER sword tex0"), ["characters\\ranger\\ranger_sword_d.tex0"]);
    assert_eq!(
        found(&stack, "keep/textures/keep_wall_n"),
        ["worlds\\retail\\keep\\textures\\keep_wall_n.tex"]
    );
    assert_eq!(found(&stack, "hud\\cur"), ["interface\\hud\\cursor_d.tex"]);
    assert_eq!(count(&stack, "nothing at all"), 0);
}

#[test]
fn a_path_means_that_path_alone() {
    let stack = demo::stack();
    assert_eq!(count(&stack, "ranger_sword_d.tex"), 3);
    assert_eq!(
        found(&stack, "Characters/Ranger/ranger_sword_d.tex"),
        ["characters\\ranger\\ranger_sword_d.tex"]
    );
}

#[test]
fn globs_cover_the_leaf_or_the_whole_path() {
    let stack = demo::stack();
    assert_eq!(found(&stack, "ranger_sword_?.tex"), ["characters\\ranger\\ranger_sword_d.tex"]);
    assert_eq!(count(&stack, "*.tex"), count(&stack, "ext:tex"));
    assert_eq!(count(&stack, "characters\\orc\\*"), 24);
    assert_eq!(count(&stack, "characters/*/orc_0?.mat"), 9);
    assert_eq!(count(&stack, "sword*"), 0);
    assert_eq!(count(&stack, "char*sword_?.tex"), 1);
    assert_eq!(count(&stack, "*sword*"), 3);
}

#[test]
fn expressions_match_the_path() {
    let stack = demo::stack();
    assert_eq!(count(&stack, r"/ORC_\d[13579]\.mat$/"), 12);
    assert_eq!(count(&stack, r"/a b|orc_01/ mat"), 1);
    assert_eq!(
        count(&stack, r"!/\.(mat|anix|bnk|scripts)$/"),
        stack.index().entry_count() as usize - 26 - 12 - 33 - 27 - 52
    );
}

#[test]
fn fields_narrow_the_search() {
    let stack = demo::stack();
    assert_eq!(count(&stack, "ext:.TEX0"), 1);
    assert_eq!(count(&stack, "layer:hotchunk"), 4);
    assert_eq!(count(&stack, "layer:HotChunk.arch06"), 4);
    assert_eq!(count(&stack, "layer:1"), 4);
    assert_eq!(count(&stack, "layer:patch_0? sword"), 1);
    assert_eq!(found(&stack, "size:>500k ext:gamedb"), ["database\\game\\game.gamedb"]);
    assert_eq!(found(&stack, "size:600000"), ["database\\game\\game.gamedb"]);
    assert_eq!(found(&stack, "size:<=8"), ["dlc\\blade.txt"]);
    assert_eq!(count(&stack, "copies:>5"), 2);
    assert_eq!(count(&stack, "copies:2 orc"), 3);
    assert_eq!(count(&stack, "hash:0x24CBCF7F"), 0);
    let hash = palimpsest_core::hash::string_hash(b"dlc\\blade.txt");
    assert_eq!(found(&stack, &format!("hash:{hash:#x}")), ["dlc\\blade.txt"]);
    assert_eq!(found(&stack, &format!("hash:{hash}")), ["dlc\\blade.txt"]);
}

#[test]
fn formats_are_told_by_the_first_bytes() {
    let stack = demo::stack();
    assert_eq!(count(&stack, "format:TEXR"), count(&stack, "/[.]tex(0|uhd)?$/"));
    assert_eq!(found(&stack, "format:path_index"), ["archivepatchloosefiles.txt"]);
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a.arch06", archive(&[("noext", "TEXR"), ("false.tex", "text")]));
    assert_eq!(count(&mounted(root.path()), "format:texr noext"), 1);
}

#[test]
fn losing_copies_are_found_where_they_are_asked_for() {
    let stack = demo::stack();
    assert_eq!(count(&stack, "wins:no"), count(&stack, "copies:>1"));
    assert_eq!(count(&stack, "wins:yes"), stack.index().entry_count() as usize);
    assert_eq!(count(&stack, "layer:patch_01 wins:no"), 5);
    assert_eq!(count(&stack, "layer:patch_01 wins:yes"), 5);
    let losing = copies(&stack, "sword wins:no ext:tex");
    assert_eq!(losing.len(), 5);
    assert_eq!(losing[0].1, "Patch_DLC4.arch06");
    assert_eq!(copies(&stack, "characters\\ranger\\ranger_sword_d.tex").len(), 6);
    assert_eq!(copies(&stack, "").len(), stack.index().copy_count() as usize);
}

#[test]
fn exclusion_and_alternatives_combine() {
    let stack = demo::stack();
    assert_eq!(count(&stack, "ext:mat !orc"), 14);
    assert_eq!(count(&stack, "sword tex0|ext:texuhd"), 2);
    assert_eq!(count(&stack, "orc_01.mat | orc_02.mat | orc_01.mat"), 2);
    assert_eq!(count(&stack, "\"ranger_sword\" !\"tex0\""), 2);
    assert_eq!(count(&stack, "!ext:tex ranger_sword"), 2);
}

#[test]
fn wrong_words_are_quoted_in_the_error() {
    for (query, expected) in [
        ("/(/", "unclosed group"),
        ("size:big", "size:big: expected a number"),
        ("size:>99999999999g", "expected a number"),
        ("copies:", "expected a number"),
        ("wins:maybe", "wins:maybe: expected yes or no"),
        ("hash:0xZZ", "hash:0xZZ: expected a hash"),
        (
            "format:what",
            "known are ltar, bndl, embb, texr, slvt, texa, dds, mmsh, skel, skdb, path_index, text",
        ),
    ] {
        let error = Query::parse(query).unwrap_err().to_string();
        assert!(error.contains(expected), "{query}: {error}");
    }
    assert!(Query::parse("size:1.5m").is_ok());
}

#[test]
fn numbers_that_are_none_are_told_without_the_parsers_words() {
    for query in ["hash:zz", "hash:0x", "hash:0x1DCDB4713", "hash:-1", "size:1.2.3", "copies:>-1"] {
        let error = Query::parse(query).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{query}: expected a ")), "{error}");
        assert!(!error.contains(['(', ')']), "{error}");
    }
}

/// Why the stack does not search for a query.
fn refused(stack: &Stack, query: &str) -> String {
    let query = Query::parse(query).unwrap();
    let error = stack.search(&query, &Task::new()).unwrap_err();
    assert!(error.is_usage(), "{error}");
    assert_eq!(stack.search_copies(&query, &Task::new()).unwrap_err().to_string(), error.to_string());
    error.to_string()
}

#[test]
fn a_field_that_there_is_not_is_an_error_and_a_word_in_quotes_is_none() {
    let stack = demo::stack();
    for query in ["foo:bar", "sword !Foo:bar", "a | foo:\"a b\"", "http://a"] {
        let error = refused(&stack, query);
        assert!(error.contains("known are ext, layer, format, size, copies, wins, hash"), "{error}");
    }
    for query in
        ["\"foo:bar\"", "!\"foo:bar\" nothing", "c:\\x", "C:/x", "foo:", ":bar", "a_b:c", "/foo:bar/"]
    {
        assert_eq!(count(&stack, query), 0, "{query}");
    }
}

#[test]
fn a_path_that_looks_like_a_field_is_found() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "a.arch06", archive(&[("foo:bar", "1"), ("other", "2")]));
    let stack = mounted(root.path());
    assert_eq!(found(&stack, "FOO:bar"), ["foo:bar"]);
    assert_eq!(found(&stack, "\"foo:b\""), ["foo:bar"]);
    assert!(refused(&stack, "foo:b").contains("foo:b: no such field"));
}

#[test]
fn a_layer_that_the_stack_has_not_is_an_error() {
    let stack = demo::stack();
    for name in ["nope", "patch_1", "patch_9*", "99", ""] {
        let error = refused(&stack, &format!("sword | !layer:{name}"));
        assert_eq!(error, format!("layer:{name}: no layer has this name or number"));
    }
}

#[test]
fn a_cancelled_search_stops() {
    let task = Task::new();
    task.cancel();
    let query = Query::parse("sword").unwrap();
    assert!(demo::stack().search(&query, &task).unwrap_err().is_cancelled());
}

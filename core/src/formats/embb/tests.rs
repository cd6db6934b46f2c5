//! Containers as written, and with words that are wrong.

use super::*;
use crate::format::inspect;
use crate::task::Task;

/// Bytes of a kind: zeros, words or noise.
fn payload(kind: usize, len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    match kind {
        0 => vec![0; len],
        1 => b"the wall of the keep ".iter().copied().cycle().take(len).collect(),
        _ => (0..len).map(|_| noise()).collect(),
    }
}

/// Containers with members of many sizes and of each kind of bytes.
fn containers() -> Vec<Vec<u8>> {
    let sizes: [&[usize]; 6] = [
        &[9],
        &[1, 2, 3, 4, 5, 6],
        &[5, 90, 33, 12, 200, 1],
        &[16, 16, 16, 16, 16],
        &[300, 24, 7, 1024, 64, 13, 250],
        &[5_000, 12, 70_000, 256, 900, 40_000, 33],
    ];
    let made = sizes.iter().flat_map(|sizes| {
        // The fourth of each has all kinds in turn.
        (0..4).map(move |kind| {
            let members = sizes.iter().zip(0..).map(|(size, at)| {
                let kind = if kind < 3 { kind } else { at % 3 };
                (format!("m\\{at}.mat"), payload(kind, *size, at as u64 + 1))
            });
            let members: Vec<_> = members.collect();
            write(&members.iter().map(|(path, data)| (path.as_str(), &**data)).collect::<Vec<_>>())
        })
    });
    made.collect()
}

/// Whether the sections from `at` on are so many, and end with the container.
fn is_closed(bytes: &[u8], mut at: usize, count: usize) -> bool {
    for _ in 0..count {
        let Some(size) = bundle::word(bytes, at).filter(|size| *size > 0) else { return false };
        at += 4 + size;
    }
    at == bytes.len()
}

fn parsed(bytes: &[u8]) -> (Result<Vec<ArchiveEntry>>, Vec<String>) {
    let inspection = inspect(&bytes.to_vec().into(), "a.embb", &Task::new());
    let entries = inspection.asset.map(|asset| match asset {
        Some(Asset::Archive(archive)) => archive.entries,
        other => panic!("{other:?}"),
    });
    (entries, inspection.warnings.lines().collect())
}

#[test]
fn what_is_written_comes_back() {
    assert_eq!(write(&[]).len(), 16);
    for count in [0, 1, 2, 1500] {
        let members: Vec<_> = (0..count).map(|at| (format!("m\\{at}.mat"), vec![7u8; at % 9 + 1])).collect();
        let members: Vec<_> = members.iter().map(|(path, data)| (path.as_str(), &**data)).collect();
        let bytes = write(&members);
        let (entries, warnings) = parsed(&bytes);
        let read: Vec<_> = entries
            .as_ref()
            .unwrap()
            .iter()
            .map(|entry| {
                let [start, size] = [entry.offset, entry.size].map(|value| usize::try_from(value).unwrap());
                (&*entry.path, &bytes[start..][..size])
            })
            .collect();
        assert_eq!((read, warnings.len()), (members, 0));
    }
}

#[test]
fn a_section_that_cannot_be_ends_the_walk_and_those_before_it_stay() {
    // The second size word.
    let at = sample().len() - (4 + 1) - (4 + b"shader=skin".len());
    for (size, reason) in [(0u32, "without a byte"), (1 << 20, "1048576 bytes, 16 are left")] {
        let mut bytes = sample();
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
        let (entries, warnings) = parsed(&bytes);
        let paths: Vec<_> = entries.unwrap().into_iter().map(|entry| entry.path).collect();
        assert_eq!(paths, ["characters\\orc\\orc_d.tex"]);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with(&format!("size at {at:#X}: section 1: ")), "{warnings:?}");
        assert!(warnings[0].contains(reason), "{warnings:?}");
    }
    let (entries, warnings) = parsed(&sample()[..at + 2]);
    assert_eq!((entries.unwrap().len(), warnings.len()), (1, 1), "{warnings:?}");
}

#[test]
fn a_flipped_bit_of_any_size_word_is_one_warning_there_and_keeps_what_came_before() {
    let mut valid = 0;
    for container in containers() {
        let whole = parsed(&container).0.unwrap();
        let words: Vec<_> = whole.iter().map(|entry| usize::try_from(entry.offset).unwrap() - 4).collect();
        for (section, at) in words.iter().copied().enumerate() {
            for bit in 0..32 {
                let mut bytes = container.clone();
                bytes[at + bit / 8] ^= 1 << (bit % 8);
                let (entries, warnings) = parsed(&bytes);
                if is_closed(&bytes, words[0], words.len()) {
                    valid += 1;
                    continue;
                }
                assert_eq!(entries.unwrap(), whole[..section], "section {section}, bit {bit}: {warnings:?}");
                let place = format!("size at {at:#X}: section {section}: ");
                assert!(warnings.len() == 1 && warnings[0].starts_with(&place), "{place}{warnings:?}");
            }
        }
    }
    assert_eq!(valid, 0);
}

#[test]
fn a_wrong_byte_of_a_size_word_is_found_like_a_bit() {
    let container = write(&[("a", &[b'a'; 24]), ("b", &[b'b'; 500]), ("c", &[b'c'; 7])]);
    let at = usize::try_from(parsed(&container).0.unwrap()[0].offset).unwrap() - 4;
    let mut bytes = container;
    bytes[at] = 11;
    let (entries, warnings) = parsed(&bytes);
    let expected = format!(
        "size at {at:#X}: section 0: 11 bytes, and the chain of sections closes with 24: the walk ends here"
    );
    assert_eq!((entries.unwrap().len(), warnings), (0, vec![expected]));
}

#[test]
fn bytes_behind_the_last_section_are_one_warning_and_no_member_is_lost() {
    // Three bytes make up for no bit of a size, and a second container stands for itself.
    for more in [&b"xyz"[..], &write(&[("second", &[1; 512])])] {
        let container = sample();
        let (entries, warnings) = parsed(&[&container, more].concat());
        assert_eq!(entries.unwrap(), parsed(&container).0.unwrap());
        let expected =
            format!("trailing at {:#X}: {} bytes after the last section", container.len(), more.len());
        assert_eq!(warnings, [expected]);
    }
}

#[test]
fn of_several_words_that_could_be_wrong_none_is_blamed_without_a_reason() {
    // 16 bytes are left over: the second section could have them, or the first, which is followed by a
    // section of 8 then.
    let container = write(&[("a", &[b'a'; 8]), ("b", &[b'b'; 8])]);
    let more = [&b"xxxx\x08\0\0\0"[..], &[b'x'; 8]].concat();
    let (entries, warnings) = parsed(&[&container, &*more].concat());
    assert_eq!(entries.unwrap(), parsed(&container).0.unwrap());
    assert_eq!(warnings, [format!("trailing at {:#X}: 16 bytes after the last section", container.len())]);
    // Two wrong words: no one of them closes the chain.
    let container = write(&[("a", &[b'a'; 24]), ("b", &[b'b'; 24]), ("c", &[b'c'; 24])]);
    let first = usize::try_from(parsed(&container).0.unwrap()[0].offset).unwrap() - 4;
    let mut bytes = container;
    for at in [first, first + 28] {
        bytes[at] ^= 1;
    }
    let (entries, warnings) = parsed(&bytes);
    assert_eq!((entries.unwrap().len(), warnings.len()), (1, 1), "{warnings:?}");
    assert!(warnings[0].contains("section 1: a section of "), "{warnings:?}");
}

#[test]
fn a_flipped_count_or_offset_is_one_warning_there_and_no_member_is_lost() {
    let whole = parsed(&sample()).0.unwrap();
    let rows = HEADER + bundle::word(&sample(), 8).unwrap();
    let mut words = vec![(0x0C, "header.member_count at 0xC: ".to_owned())];
    words.extend((0..3).map(|row| {
        let at = rows + 4 * row;
        (at, format!("path_offsets[{row}].path at {at:#X}: "))
    }));
    for (at, place) in words {
        for bit in 0..32 {
            let mut bytes = sample();
            bytes[at + bit / 8] ^= 1 << (bit % 8);
            let (entries, warnings) = parsed(&bytes);
            assert_eq!(entries.unwrap(), whole, "{place}bit {bit}");
            assert!(warnings.len() == 1 && warnings[0].starts_with(&place), "{place}{warnings:?}");
        }
    }
}

#[test]
fn the_size_of_a_head_is_known_from_its_paths() {
    let sample = sample();
    let expected = HEADER + bundle::word(&sample, 8).unwrap() + 3 * 4;
    let paths = Head::paths_size(sample.first_chunk().unwrap());
    assert_eq!(HEADER as u64 + paths + 12, expected as u64);
    assert_eq!(Head::size(&sample[HEADER..expected - 12]), expected as u64);
}

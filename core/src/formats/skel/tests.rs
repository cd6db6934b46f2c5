use bytes::Bytes;

use super::*;
use crate::asset::Skeleton;
use crate::format::inspect;
use crate::parse::Fact;
use crate::task::Task;

fn read_bytes(bytes: &[u8]) -> Result<Skeleton> {
    let (bytes, task) = (Bytes::copy_from_slice(bytes), Task::new());
    read::read(&mut Reader::new(&bytes, "a.skel", &task))
}

#[test]
fn what_is_written_is_read() {
    let skeleton = write::sample();
    let bytes = write(&skeleton).unwrap();
    assert_eq!(read_bytes(&bytes).unwrap(), skeleton);
    let inspection = inspect(&bytes.into(), "a.skel", &Task::new());
    assert_eq!(inspection.warnings.count(), 0);
}

#[test]
fn facts_name_bones_and_the_order_of_names() {
    let inspection = inspect(&sample().into(), "a.skel", &Task::new());
    let fact = |key: &str| inspection.facts.iter().find(|(known, _)| *known == key).unwrap().1.clone();
    assert_eq!(fact("name_order"), Fact::List([0u64, 1, 2].map(Fact::Integer).to_vec()));
    let Fact::List(bones) = fact("bones") else { panic!() };
    let Fact::Map(leg) = &bones[2] else { panic!() };
    assert_eq!(leg[0], ("name", Fact::Text("Leg".to_owned())));
    assert_eq!(leg[2], ("parent", Fact::Signed(0)));
}

#[test]
fn bones_hang_on_those_that_count_them() {
    let mut skeleton = write::sample();
    skeleton.bones[0].children = 1;
    skeleton.bones[1].children = 1;
    let read = read_bytes(&write(&skeleton).unwrap()).unwrap();
    assert_eq!(read.bones.iter().map(|bone| bone.parent).collect::<Vec<_>>(), [None, Some(0), Some(1)]);
}

#[test]
fn what_does_not_hold_is_told_at_its_field() {
    let mut skeleton = write::sample();
    skeleton.bones[1].rotation = [0.0; 4];
    skeleton.bones[2].children = 5;
    let mut bytes = write(&skeleton).unwrap();
    for (at, value) in [(0x08, 60), (0x10, 7), (0x18, 9), (0x24, 8), (0x28, 2)] {
        bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(value));
    }
    let inspection = inspect(&bytes.into(), "a.skel", &Task::new());
    let (tree, told) = (&inspection.tree, inspection.warnings.kept());
    for warning in told {
        let place = tree.locate(warning.offset).unwrap();
        assert_eq!(tree.path(place), warning.field);
        assert_eq!(tree.range(place), warning.offset..warning.offset + warning.len, "{warning}");
    }
    let told: Vec<_> = told.iter().map(|warning| (&warning.field[..], &warning.text[..])).collect();
    assert_eq!(
        told,
        [
            ("header.own_size", "60, expected 64"),
            ("header.name_count", "7, expected 2"),
            ("header.bone_bytes", "9, expected 111"),
            ("header.bone_count_again", "2, expected 3"),
            ("bones[1].rotation", "a rotation of the length 0"),
            ("bones[2].child_count", "5 of the bones that are to hang on it do not follow"),
            ("header.socket_count", "8, expected 1"),
        ]
    );
}

#[test]
fn marks_names_and_counts_that_are_wrong_are_errors() {
    let sample = sample();
    let broken = |at: usize, value: u32| {
        let mut bytes = sample.clone();
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        read_bytes(&bytes).unwrap_err().to_string()
    };
    assert!(broken(4, 16).contains("version 16, expected 17"));
    let strings = sample.windows(4).position(|word| *word == STRINGS_MARK.to_le_bytes()).unwrap();
    assert!(broken(strings, 7).contains("0x00000007, expected 0xDCDCFF00"));
    let header = 0x0C;
    let string_bytes = u32::from_le_bytes(sample[header..header + 4].try_into().unwrap());
    let first_bone = strings + 4 + string_bytes as usize;
    let outside = broken(first_bone, 0xFFFF);
    assert!(outside.contains("a name at 0xFFFF of"), "{outside}");
    assert!(broken(0x14, u32::MAX).contains("bones"));
}

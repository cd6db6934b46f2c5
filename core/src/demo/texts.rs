//! The texts of the demo in four languages, as shipped and as a patch has them.

use crate::asset::StringTable;
use crate::error::Result;
use crate::formats::skdb;
use crate::hash::string_hash;

/// A language; its place in the rows below.
#[derive(Clone, Copy)]
pub(super) enum Language {
    English,
    German,
    Arabic,
    Japanese,
}

/// Which texts there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edition {
    /// As they shipped.
    Shipped,
    /// With what a patch changed and added.
    Patched,
}

/// The name of a key, and its text in each language; none where it is not translated.
type Row = (&'static str, [Option<&'static str>; 4]);

const fn row(name: &'static str, [en, de, ar, ja]: [&'static str; 4]) -> Row {
    (name, [Some(en), Some(de), Some(ar), Some(ja)])
}

const SHIPPED: &[Row] = &[
    row("UI_Menu_Continue", ["Continue", "Fortsetzen", "متابعة", "つづける"]),
    row("UI_Menu_NewGame", ["New Game", "Neues Spiel", "لعبة جديدة", "はじめから"]),
    row("UI_Menu_Options", ["Options", "Optionen", "خيارات", "設定"]),
    row("UI_Menu_Quit", ["Quit", "Beenden", "خروج", "終了"]),
    row("UI_Back", ["Back", "Zurück", "رجوع", "もどる"]),
    row("UI_Cancel", ["Back", "Abbrechen", "إلغاء", "キャンセル"]),
    row("Item_1Sword_01_N", ["Emberfang", "Glutzahn", "ناب الجمر", "残り火の牙"]),
    row(
        "Item_1Sword_01_D",
        [
            "A blade that was never\ncold since it was forged.",
            "Eine Klinge, die nie kalt war,\nseit sie geschmiedet wurde.",
            "نصلٌ لم يبرد قط\nمنذ أن صُنع.",
            "鍛えられてから一度も\n冷えたことのない刃。",
        ],
    ),
    row("Item_1Sword_02_N", ["Café Knife", "Kaffeemesser", "سكين المقهى", "喫茶店のナイフ"]),
    row("Item_Shield_01_N", ["Gate Shield", "Torschild", "درع البوابة", "門の盾"]),
    row(
        "Item_Shield_01_D",
        [
            "\"Hold the gate,\" it says; and, below: =held",
            "„Haltet das Tor“, steht darauf; und darunter: =gehalten",
            "«اثبتوا عند البوابة»؛ وتحتها: =ثبتنا",
            "「門を守れ」とあり、その下に「=守った」と刻まれている",
        ],
    ),
    row(
        "Npc_Drake_N",
        ["The Drake of Ember Keep", "Der Drache der Glutfeste", "تنين حصن الجمر", "残り火の砦の竜"],
    ),
    row("Npc_Guard_N", ["Guard", "Wache", "حارس", "衛兵"]),
    row("Npc_Ranger_N", ["Ranger", "Waldläufer", "جوّال", "野伏"]),
    row("Npc_Rider_N", ["Rider", "Reiterin", "فارسة", "騎手"]),
    row(
        "Quest_Keep_01",
        [
            "Reach the keep before {0} o'clock.",
            "Erreiche die Feste vor {0} Uhr.",
            "ابلغ الحصن قبل الساعة {0}.",
            "{0}時までに砦へ着け。",
        ],
    ),
    row(
        "Quest_Keep_02",
        [
            "Find out who left the gate open.",
            "Finde heraus, wer das Tor offen ließ.",
            "اكتشف من ترك البوابة مفتوحة.",
            "門を開けたままにした者を探せ。",
        ],
    ),
    ("Quest_Keep_03", [Some("Ask the drake. Politely."), Some("Frage den Drachen. Höflich."), None, None]),
    row("Stat_Gold", ["Gold\t{0}", "Gold\t{0}", "ذهب\t{0}", "ゴールド\t{0}"]),
    row("Empty_01", ["", "", "", ""]),
    row("Emoji_01", ["A dagger 🗡 for you", "Ein Dolch 🗡 für dich", "خنجر 🗡 لك", "短剣🗡をどうぞ"]),
];

/// What the patch changed.
const CHANGED: &[Row] = &[
    row("Item_1Sword_01_N", ["Emberfang the Elder", "Glutzahn der Ältere", "", ""]),
    row(
        "Quest_Keep_01",
        ["Reach the keep before {0} in the morning.", "Erreiche die Feste vor {0} Uhr morgens.", "", ""],
    ),
];

/// What the patch added.
const ADDED: &[Row] = &[
    row("Npc_Drake_Greeting_01", ["You are late.", "Ihr kommt spät.", "", ""]),
    ("Npc_Drake_Greeting_02", [Some("You are early."), None, None, None]),
];

/// What the patch took away.
const REMOVED: &str = "Item_1Sword_02_N";

/// The name of a key whose text, in English alone, ends in half of a surrogate pair.
const BROKEN: &str = "Debug_Broken";

/// Words that hash to the keys, as a word list has them.
pub(super) fn words() -> String {
    let names = SHIPPED.iter().chain(ADDED).map(|(name, _)| *name);
    // Whoever looks for names is to find some without the list.
    let known = names.filter(|name| !name.starts_with("Quest_"));
    known.flat_map(|name| [name, "\r\n"]).collect()
}

/// The bytes of a table.
pub(super) fn table(language: Language, edition: Edition) -> Result<Vec<u8>> {
    let of = |(name, texts): &Row| {
        let text = texts.get(language as usize).copied().flatten()?;
        Some((string_hash(name.as_bytes()), text.encode_utf16().collect::<Vec<_>>()))
    };
    let mut rows: Vec<_> = SHIPPED.iter().filter_map(of).collect();
    if matches!(language, Language::English) {
        let broken = "An unfinished 🗡".encode_utf16();
        let kept = broken.clone().count() - 1;
        rows.push((string_hash(BROKEN.as_bytes()), broken.take(kept).collect()));
    }
    if edition == Edition::Patched {
        rows.retain(|(key, _)| *key != string_hash(REMOVED.as_bytes()));
        for (key, text) in CHANGED.iter().filter_map(of) {
            if let Some((_, own)) = rows.iter_mut().find(|(own, _)| *own == key) {
                *own = text;
            }
        }
        rows.extend(ADDED.iter().filter_map(of));
    }
    skdb::write(&StringTable::of(rows.iter().map(|(key, text)| (*key, &**text))))
}

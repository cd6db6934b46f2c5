//! Numbers and sizes for people.

/// A size such as `2.7 MB`, of 1,024 bytes a step.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    // From 999.5 on the next unit is shorter.
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let unit = UNITS.get(unit).copied().unwrap_or_default();
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

/// A number and what it counts, in the plural where that is right.
pub fn count(value: u64, what: &str) -> String {
    let number = number(value);
    let several = match what {
        "vertex" => "vertices".to_owned(),
        _ => match what.strip_suffix("copy") {
            Some(before) => format!("{before}copies"),
            None => format!("{what}s"),
        },
    };
    if value == 1 { format!("{number} {what}") } else { format!("{number} {several}") }
}

/// How many hundredths a part has of a whole, at least one where there is a part.
pub fn percent(part: u64, whole: u64) -> u64 {
    let hundredths = (u128::from(part) * 100 + u128::from(whole) / 2) / u128::from(whole.max(1));
    u64::try_from(hundredths).unwrap_or(u64::MAX).max(u64::from(part > 0))
}

/// A number with commas between thousands.
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A sentence or a title from words of the core, which begin small.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A length in centimetres, for people: `12 cm`, `3.4 m`, `65 m`.
pub fn length(centimetres: f32) -> String {
    let (value, unit) = match centimetres.abs() {
        metres if metres >= 1e5 => (centimetres / 1e5, "km"),
        metres if metres >= 100.0 => (centimetres / 100.0, "m"),
        0.0 => return "0".to_owned(),
        small if small < 1.0 => (centimetres * 10.0, "mm"),
        _ => (centimetres, "cm"),
    };
    let is_short = value.abs() < 100.0 && (value - value.round()).abs() >= 0.005;
    let digits = usize::from(is_short);
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short_and_exact_below_a_thousand() {
        let sizes =
            [0, 1023, 1024, 1536, 10_188, 10_189, 1_023_487, 1_023_488, 2_796_472, u64::MAX].map(size);
        let expected = [
            "0 B", "1023 B", "1.0 KB", "1.5 KB", "9.9 KB", "10 KB", "999 KB", "1.0 MB", "2.7 MB", "16384 PB",
        ];
        assert_eq!(sizes, expected);
    }

    #[test]
    fn one_is_not_many() {
        assert_eq!([0, 1, 2000].map(|value| count(value, "file")), ["0 files", "1 file", "2,000 files"]);
        assert_eq!([1, 2].map(|value| count(value, "copy")), ["1 copy", "2 copies"]);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(
            [0, 999, 1000, 431_226, 1_234_567].map(number),
            ["0", "999", "1,000", "431,226", "1,234,567"]
        );
    }

    #[test]
    fn lengths_are_told_in_units_that_people_use() {
        let told = [0.0, 0.5, 10.0, 34.94, 250.0, 6500.0, 123_456.0].map(length);
        assert_eq!(told, ["0", "5 mm", "10 cm", "34.9 cm", "2.5 m", "65 m", "1.2 km"]);
    }
}

//! Moments as text: `2026-11-16T09:30:00.250Z`, always in UTC.

const DAY: u64 = 86_400_000;
/// The end of the year 9999; later years have five digits.
const MAX_MOMENT: u64 = 253_402_300_799_999;

/// A moment, in milliseconds since 1970, as text.
pub(crate) fn text(moment: u64) -> String {
    let moment = moment.min(MAX_MOMENT);
    let (year, month, day) = date(moment / DAY);
    let rest = moment % DAY;
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Parses a moment. Returns None if the text has another form.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let bytes = text.as_bytes();
    let shape = b"dddd-dd-ddTdd:dd:dd.dddZ";
    let fits =
        |(byte, form): (&u8, &u8)| if *form == b'd' { byte.is_ascii_digit() } else { byte == form };
    if bytes.len() != shape.len() || !bytes.iter().zip(shape).all(fits) {
        return None;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<u64>().ok();
    let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?)?;
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let is_time = hour < 24 && minute < 60 && second < 60;
    is_time.then_some(days * DAY + ((hour * 60 + minute) * 60 + second) * 1000 + number(20, 23)?)
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

const fn days_in(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The number of calendar days before a year.
const fn days_before(year: u64) -> u64 {
    let past = year - 1;
    365 * past + past / 4 - past / 100 + past / 400
}

/// The year, month and day of a day, counted from 1 January 1970.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + days_before(1970);
    // Ignores leap days, so it may be too high by a few years.
    let guess = days / 365 + 1;
    let year =
        (guess.saturating_sub(10).max(1)..=guess).rev().find(|year| days_before(*year) <= days);
    let year = year.unwrap_or(1970);
    let mut left = days - days_before(year);
    let mut month = 1;
    while left >= days_in(year, month) {
        left -= days_in(year, month);
        month += 1;
    }
    (year, month, left + 1)
}

/// The day, counted from 1 January 1970. Returns None if there is no such date.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    let is_date =
        year >= 1970 && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    let before: u64 = (1..month).map(|month| days_in(year, month)).sum();
    is_date.then(|| days_before(year) - days_before(1970) + before + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_and_read() {
        for (moment, written) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_794_821_400_250, "2026-11-16T09:30:00.250Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (MAX_MOMENT, "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(text(moment), written);
            assert_eq!(parse(written), Some(moment));
        }
        for day in 0..200_000 {
            assert_eq!(parse(&text(day * DAY + 1)), Some(day * DAY + 1));
        }
    }

    #[test]
    fn invalid_moments_are_refused() {
        for text in [
            "",
            "2026-11-16",
            "2026-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-11-16T24:00:00.000Z",
            "1969-12-31T00:00:00.000Z",
            "2026-11-16T09:30:00.250é",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

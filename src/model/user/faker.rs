//! Users at random, with the distribution of the write-up's generator.
//!
//! Source: Bogus at commit bf9856f, locale `en`: `Internet.Email`, `Internet.DomainName`, `Company.CompanyName`,
//! `Phone.PhoneNumber`, `Date.Past`, `Person.Ssn`.

use fake::Fake;
use fake::faker::company::raw::CompanySuffix;
use fake::faker::internet::raw::FreeEmailProvider;
use fake::faker::name::raw::{FirstName, LastName};
use fake::locales::EN;
use fake::rand::rngs::Xoshiro256PlusPlus;
use fake::rand::seq::IndexedRandom;
use fake::rand::{RngExt, SeedableRng};

use super::User;
use crate::model::{DateTime, DateTimeKind, TICKS_PER_SECOND, UNIX_EPOCH_TICKS};

/// Any number: it tells this list from others.
const SEED: u64 = 60_000;

/// 2003-07-01T12:34:56.7890123, twenty years before the day that counts as today: the youngest are as old.
const LATEST_BIRTH_TICKS: u64 = UNIX_EPOCH_TICKS + 1_057_062_896 * TICKS_PER_SECOND + 7_890_123;

/// The fifty years from 1953-07-01 on, twelve of them leap years.
const BIRTH_RANGE_TICKS: u64 = 18_262 * 24 * 3600 * TICKS_PER_SECOND;

/// `#` is any digit, `!` one from 2 on.
const PHONE_MASKS: [&str; 4] = ["!##-!##-####", "(!##) !##-####", "1-!##-!##-####", "!##.!##.####"];

/// None stands twice, as each mask without extension stands twice in the generator's list of twenty.
const EXTENSION_MASKS: [&str; 5] = ["", "", " x###", " x####", " x#####"];

const SSN_MASK: &str = "###-##-####";

const DOMAIN_SUFFIXES: [&str; 6] = ["com", "biz", "info", "name", "net", "org"];

/// A sequence of users.
pub(super) struct Faker {
    /// An algorithm by name, as the library's standard one may change.
    random: Xoshiro256PlusPlus,
}

impl Faker {
    /// Always the same sequence.
    pub(super) fn new() -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(SEED) }
    }

    /// The next user, who gets this number.
    pub(super) fn user(&mut self, id: i32) -> User {
        let gender = self.random.random_range(0..=1);
        let (first_name, last_name) = (self.first_name(), self.last_name());
        User {
            id,
            gender,
            first_name: first_name.to_owned(),
            last_name: last_name.to_owned(),
            email: self.email(first_name, last_name),
            birth_date: self.birth_date(),
            company: self.company(),
            phone: self.phone(),
            website: self.website(),
            ssn: self.digits(SSN_MASK),
        }
    }

    fn first_name(&mut self) -> &'static str {
        FirstName(EN).fake_with_rng(&mut self.random)
    }

    fn last_name(&mut self) -> &'static str {
        LastName(EN).fake_with_rng(&mut self.random)
    }

    fn email(&mut self, first_name: &str, last_name: &str) -> String {
        let number = self.random.random_range(0..=99);
        let separator = self.choose(&["_", "."]);
        let name = match self.random.random_range(0..3) {
            0 => format!("{first_name}{number}"),
            1 => format!("{first_name}{separator}{last_name}"),
            _ => format!("{first_name}{separator}{last_name}{number}"),
        };
        let provider: &str = FreeEmailProvider(EN).fake_with_rng(&mut self.random);
        format!("{}@{provider}", slug(&name))
    }

    fn birth_date(&mut self) -> DateTime {
        let ticks = LATEST_BIRTH_TICKS - self.random.random_range(0..=BIRTH_RANGE_TICKS);
        DateTime::from_ticks(ticks, DateTimeKind::Local).expect("a birth is before year 9999")
    }

    fn company(&mut self) -> String {
        let owner = self.last_name();
        match self.random.random_range(0..3) {
            0 => {
                let suffix: &str = CompanySuffix(EN).fake_with_rng(&mut self.random);
                format!("{owner} {suffix}")
            }
            1 => format!("{owner} - {}", self.last_name()),
            _ => format!("{owner}, {} and {}", self.last_name(), self.last_name()),
        }
    }

    fn phone(&mut self) -> String {
        let (mask, extension) = (self.choose(&PHONE_MASKS), self.choose(&EXTENSION_MASKS));
        self.digits(&format!("{mask}{extension}"))
    }

    /// Named after somebody else.
    fn website(&mut self) -> String {
        let name = self.first_name().to_lowercase();
        format!("{name}.{}", self.choose(&DOMAIN_SUFFIXES))
    }

    /// A mask with its digits filled in.
    fn digits(&mut self, mask: &str) -> String {
        let mut text = String::with_capacity(mask.len());
        for symbol in mask.bytes() {
            let byte = match symbol {
                b'#' => self.random.random_range(b'0'..=b'9'),
                b'!' => self.random.random_range(b'2'..=b'9'),
                other => other,
            };
            text.push(byte.into());
        }
        text
    }

    fn choose(&mut self, texts: &[&'static str]) -> &'static str {
        texts.choose(&mut self.random).expect("there are texts to choose from")
    }
}

/// The characters of a name that an address can have.
fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    slug.extend(name.chars().filter(|&letter| letter.is_ascii_alphanumeric() || "._-".contains(letter)));
    slug
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::USERS;

    fn texts(user: &User) -> [&str; 7] {
        let User { first_name, last_name, email, company, phone, website, ssn, .. } = user;
        [first_name, last_name, email, company, phone, website, ssn].map(String::as_str)
    }

    fn text_bytes(user: &User) -> usize {
        texts(user).iter().map(|text| text.len()).sum()
    }

    /// Bytes of an integer at seven bits to the byte.
    fn varint_bytes(value: u64) -> usize {
        (64 - (value | 1).leading_zeros()).div_ceil(7) as usize
    }

    /// Without the comma to the next; every character but the apostrophe stands for itself.
    fn json_bytes(user: &User) -> usize {
        let empty = r#"{"Id":,"Gender":0,"FirstName":"","LastName":"","Email":"","BirthDate":"","Company":"","Phone":"","Website":"","SSN":""}"#;
        let date = "2003-07-01T12:34:56.7890123+02:00";
        let apostrophes: usize = texts(user).iter().map(|text| text.matches('\'').count()).sum();
        let escapes = apostrophes * (r"\u0027".len() - 1);
        empty.len() + user.id.to_string().len() + date.len() + text_bytes(user) + escapes
    }

    /// A time is a message of its own: ticks since 1970 (zigzag) and their scale. Numbers that are 0 are left out.
    fn protobuf_bytes(user: &User) -> usize {
        let ticks = user.birth_date.ticks().abs_diff(UNIX_EPOCH_TICKS);
        let date = 1 + 1 + (1 + varint_bytes(ticks * 2)) + 2;
        let gender = if user.gender == 0 { 0 } else { 2 };
        let content = 1 + varint_bytes(user.id as u64) + gender + date + 7 * 2 + text_bytes(user);
        1 + varint_bytes(content as u64) + content
    }

    /// An array of ten; a time before 1970 needs the longest of the three forms.
    fn messagepack_bytes(user: &User) -> usize {
        let id = match user.id {
            ..0x80 => 1,
            0x80..0x100 => 2,
            _ => 3,
        };
        let date = if user.birth_date.ticks() < UNIX_EPOCH_TICKS { 15 } else { 10 };
        let text_heads: usize = texts(user).iter().map(|text| if text.len() < 32 { 1 } else { 2 }).sum();
        1 + id + 1 + date + text_heads + text_bytes(user)
    }

    fn average(bytes: fn(&User) -> usize) -> f64 {
        USERS.iter().map(bytes).sum::<usize>() as f64 / USERS.len() as f64
    }

    #[track_caller]
    fn assert_within_a_percent(bytes: f64, expected: f64) {
        assert!((bytes / expected - 1.0).abs() < 0.01, "{bytes} B per user for {expected}");
    }

    #[test]
    fn users_take_as_many_bytes_as_those_of_the_original_generator() {
        assert_within_a_percent(average(json_bytes) + 1.0, 249.1);
        assert_within_a_percent(average(protobuf_bytes), 125.2);
        assert_within_a_percent(average(messagepack_bytes), 114.9);
    }

    #[test]
    fn two_calls_give_equal_users() {
        assert_eq!(User::list(), *USERS);
    }

    /// Names and random numbers come from crates: a new version of one must not change the list unnoticed.
    #[test]
    fn the_last_user_and_with_it_all_before_is_this_one() {
        let last = User {
            id: 60_000,
            gender: 1,
            first_name: "Maryjane".to_owned(),
            last_name: "Donnelly".to_owned(),
            email: "Maryjane.Donnelly@hotmail.com".to_owned(),
            birth_date: DateTime::from_ticks(616_224_807_531_981_847, DateTimeKind::Local).unwrap(),
            company: "Grady Group".to_owned(),
            phone: "1-618-739-4959".to_owned(),
            website: "lyric.net".to_owned(),
            ssn: "795-25-0285".to_owned(),
        };
        assert_eq!(USERS.last(), Some(&last));
        assert_eq!(USERS.iter().map(text_bytes).sum::<usize>(), 5_503_758);
    }

    #[test]
    fn users_are_numbered_from_one() {
        assert!(USERS.iter().map(|user| user.id).eq(1..=60_000));
    }

    #[test]
    fn every_value_of_a_choice_occurs() {
        let genders: BTreeSet<_> = USERS.iter().map(|user| user.gender).collect();
        assert_eq!(genders, [0, 1].into());
        let endings: BTreeSet<_> = USERS.iter().filter_map(|user| user.website.rsplit('.').next()).collect();
        assert_eq!(endings, DOMAIN_SUFFIXES.into());
        let providers: BTreeSet<_> = USERS.iter().filter_map(|user| user.email.split('@').nth(1)).collect();
        assert_eq!(providers, ["gmail.com", "hotmail.com", "yahoo.com"].into());
        let joints = [" - ", ", ", " Inc", " and Sons", " LLC", " Group"];
        assert!(joints.iter().all(|joint| USERS.iter().any(|user| user.company.contains(joint))));
    }

    #[test]
    fn names_with_apostrophes_occur_and_addresses_have_none() {
        let irish = USERS.iter().filter(|user| user.last_name.contains('\'')).count();
        assert!((500..1500).contains(&irish), "{irish}");
        assert!(USERS.iter().all(|user| !user.email.contains('\'') && !user.website.contains('\'')));
    }

    #[test]
    fn births_are_local_times_with_ticks_between_twenty_and_seventy_years_ago() {
        let earliest = LATEST_BIRTH_TICKS - BIRTH_RANGE_TICKS;
        for user in USERS.iter() {
            assert_eq!(user.birth_date.kind(), DateTimeKind::Local);
            assert!((earliest..=LATEST_BIRTH_TICKS).contains(&user.birth_date.ticks()));
        }
        assert!(USERS.iter().any(|user| user.birth_date.ticks() % TICKS_PER_SECOND != 0));
    }

    #[test]
    fn telephone_and_social_security_numbers_follow_their_masks() {
        let matches = |text: &str, mask: &str| {
            text.len() == mask.len()
                && text.bytes().zip(mask.bytes()).all(|(byte, symbol)| match symbol {
                    b'#' => byte.is_ascii_digit(),
                    b'!' => (b'2'..=b'9').contains(&byte),
                    other => byte == other,
                })
        };
        let masks = PHONE_MASKS.map(|mask| EXTENSION_MASKS.map(|extension| format!("{mask}{extension}")));
        for user in USERS.iter() {
            assert!(masks.iter().flatten().any(|mask| matches(&user.phone, mask)), "{}", user.phone);
            assert!(matches(&user.ssn, SSN_MASK), "{}", user.ssn);
        }
    }
}

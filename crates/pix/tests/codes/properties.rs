//! What holds for every code and for every text.

use pix::{BrCode, Point, parse};
use proptest::{option, prelude::*};

use crate::{field, is_split_by_bytes, seal, write};

/// What a code is made of.
#[derive(Debug, Clone)]
struct Made {
    code: BrCode,
    whose: String,
    description: Option<String>,
    has_initiation: bool,
}

fn point() -> impl Strategy<Value = Point> {
    let fixed = ("[!-~]{1,60}", option::of(1..1_000_000_000_000_u64), option::of("[a-zA-Z0-9]{1,25}"));
    prop_oneof![
        fixed.prop_map(|(key, amount_cents, txid)| Point::Static { key, amount_cents, txid }),
        "[a-z0-9]{1,9}(\\.[a-z0-9]{1,9}){0,2}\\.com(/[a-z0-9_~-]{1,9}){1,2}"
            .prop_map(|url| Point::Dynamic { url }),
    ]
}

prop_compose! {
    fn made()(
        point in point(),
        name in "[ -~]{1,25}",
        city in "[ -~]{1,15}",
        (reusable, recurs, has_initiation) in any::<(bool, bool, bool)>(),
        whose in "[bB][rR]\\.[gG][oO][vV]\\.[bB][cC][bB]\\.[pP][iI][xX]",
        description in option::of("[ -~]{1,9}"),
    ) -> Made {
        let has_initiation = has_initiation || !reusable;
        Made { code: BrCode { point, name, city, reusable, recurs }, whose, description, has_initiation }
    }
}

impl Made {
    fn text(&self) -> String {
        let BrCode { point, name, city, reusable, recurs } = &self.code;
        let (payee, amount, txid) = match point {
            Point::Static { key, amount_cents, txid } => (field("01", key), *amount_cents, txid.clone()),
            // What a dynamic code says of amount and transaction is void.
            Point::Dynamic { url } => (field("25", url), Some(7), None),
        };
        let description = self.description.as_ref().map(|text| field("02", text)).unwrap_or_default();
        let mut fields = vec![("00", "01".to_owned())];
        if self.has_initiation {
            fields.push(("01", if *reusable { "11" } else { "12" }.to_owned()));
        }
        fields.push(("26", field("00", &self.whose) + &payee + &description));
        fields.extend([("52", "5812".to_owned()), ("53", "986".to_owned())]);
        if let Some(cents) = amount {
            fields.push(("54", format!("{}.{:02}", cents / 100, cents % 100)));
        }
        fields.extend([("58", "BR".to_owned()), ("59", name.clone()), ("60", city.clone())]);
        fields.push(("62", field("05", txid.as_deref().unwrap_or("***"))));
        if *recurs {
            fields.push(("83", field("00", &self.whose)));
        }
        seal(&write(&fields))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// X3
    #[test]
    fn a_code_reads_back_as_what_it_was_made_of(made in made()) {
        prop_assert_eq!(parse(&made.text()), Ok(made.code));
    }

    /// X1
    #[test]
    fn a_code_with_one_other_byte_is_refused(made in made(), at in any::<prop::sample::Index>(), put in "[ -~]") {
        let mut text = made.text();
        let at = at.index(text.len());
        prop_assume!(text[at..=at] != put);
        text.replace_range(at..=at, &put);
        prop_assert!(parse(&text).is_err());
    }

    /// X4
    #[test]
    fn no_text_makes_reading_fail_otherwise(text in "\\PC{0,300}") {
        let _ = parse(&text);
        let _ = parse(&seal(&text));
    }

    /// X2, X4: whatever is put into a code, it is refused or says the same by characters as by bytes.
    #[test]
    fn an_altered_code_is_refused_or_has_one_reading(
        made in made(), at in any::<prop::sample::Index>(), cut in 0..4_usize, put in "\\PC{0,3}|[0-9]{1,4}",
    ) {
        let text = made.text();
        let mut covered = text[..text.len() - 8].to_owned();
        let from = at.index(covered.len());
        covered.replace_range(from..(from + cut).min(covered.len()), &put);
        let sealed = seal(&covered);
        if let Ok(read) = parse(&sealed) {
            prop_assert!(sealed.is_ascii() || !is_split_by_bytes(&sealed), "{:?}", read);
        }
    }
}

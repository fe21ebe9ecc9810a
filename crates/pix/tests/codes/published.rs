//! Codes whose checksum others have computed: those of Bacen's `API de Recebimentos Pix`, and ours.

use pix::{BrCode, Point, Refusal, crc16, digest, parse};

use crate::KEY;

/// `pixCopiaECola` of the examples in Bacen's openapi.yaml.
const RECURRENCE: &str = "00020126180014br.gov.bcb.pix5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002630462C9";
const DUE_NOW: &str = "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa35319489063047741";
const DUE_LATER: &str = "00020101021226810014br.gov.bcb.pix2559pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e75204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***80800014br.gov.bcb.pix2558pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d06304A441";

fn fulano(amount_cents: Option<u64>, txid: Option<&str>) -> BrCode {
    BrCode {
        point: Point::Static { key: KEY.to_owned(), amount_cents, txid: txid.map(str::to_owned) },
        name: "Fulano de Tal".to_owned(),
        city: "BRASILIA".to_owned(),
        reusable: true,
        recurs: false,
    }
}

/// The code of `Fulano` with these parts and checksums that another program has computed.
fn code(amount: &str, name: &str, additional: &str, checksum: &str) -> String {
    format!(
        "00020126580014br.gov.bcb.pix0136{KEY}520400005303986{amount}5802BR{name}6008BRASILIA{additional}6304{checksum}"
    )
}

const NAME: &str = "5913Fulano de Tal";

#[test]
fn the_checksum_has_its_published_check_value() {
    assert_eq!(crc16(b"123456789"), 0x29b1);
    assert_eq!(crc16(b""), 0xffff);
}

/// X1
#[test]
fn static_codes_say_key_amount_and_transaction() {
    for (amount, additional, checksum, says) in [
        ("", "62070503***", "1D3D", fulano(None, None)),
        ("540519.90", "62070503***", "8677", fulano(Some(1_990), None)),
        // A checksum that begins with a zero, and one that is the tag and length of itself.
        ("540519.90", "62130509RUN000000", "0AF7", fulano(Some(1_990), Some("RUN000000"))),
        ("540519.90", "62130509RUN022033", "6304", fulano(Some(1_990), Some("RUN022033"))),
    ] {
        assert_eq!(parse(&code(amount, NAME, additional, checksum)), Ok(says), "{checksum}");
    }
}

/// X2
#[test]
fn what_has_two_readings_is_refused_in_spite_of_its_checksum() {
    let twice = code("540519.9054041.00", NAME, "62080504RUN1", "2E44");
    assert_eq!(
        parse(&twice).unwrap_err().to_string(),
        "Field 54 comes twice in the Pix code; ask the payee for another one."
    );
    assert_eq!(parse(&twice).unwrap_err().code(), "pix_field_repeated");
    let too_long = code("540519.90", NAME, "62080503***", "9594");
    assert_eq!(parse(&too_long), Err(Refusal::Malformed(None)));
    for (length, checksum) in [("3+", "44A1"), ("+3", "527B")] {
        let signed =
            code("540519.90", NAME, "62070503***", checksum).replace("5303986", &format!("53{length}986"));
        assert_eq!(parse(&signed), Err(Refusal::Malformed(None)), "{length}");
    }
}

/// X2
#[test]
fn lengths_count_characters() {
    let by_characters = code("540519.90", "5908São João", "62070503***", "AF11");
    assert_eq!(
        parse(&by_characters),
        Ok(BrCode { name: "São João".to_owned(), ..fulano(Some(1_990), None) })
    );
    // The same, its length counted in bytes, so that two digits of the next tag belong to the name.
    let by_bytes = crate::seal(&code("540519.90", "5910São João", "62070503***", "").replace("6304", ""));
    assert_eq!(parse(&by_bytes), Err(Refusal::Malformed(None)));
}

#[test]
fn dynamic_codes_say_where_to_ask() {
    for (text, url) in [
        (DUE_NOW, "pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441"),
        (DUE_LATER, "pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7"),
    ] {
        let read = parse(text).unwrap();
        assert_eq!(read.point, Point::Dynamic { url: url.to_owned() });
        assert!(read.recurs && !read.reusable, "a composite code, to be used once");
    }
}

#[test]
fn a_code_that_only_begins_a_recurring_payment_cannot_be_paid() {
    assert_eq!(parse(RECURRENCE), Err(Refusal::NoPayee));
    // Its checksum is right: another would have been the first complaint.
    assert_eq!(parse(&RECURRENCE.replace("62C9", "62CA")), Err(Refusal::ChecksumMismatch));
}

#[test]
fn what_is_kept_of_a_code_is_its_sha256() {
    assert_eq!(digest("abc").to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

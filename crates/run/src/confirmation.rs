//! What somebody agrees to, as one digest; and how a run names its holds.

use primitives::{BaseUnits, Digest, RunId, UnixMillis};

use crate::{Cents, Confirmation, Run, View};

/// What a confirmation's digest is made of. Whoever is asked can fill it in from what is shown, and check that the digest is
/// of that and of nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the run as it is shown")]
pub struct Agreement<'a> {
    pub run: &'a RunId,
    /// The confirmation's.
    pub number: u32,
    /// What the shop gets.
    pub amount: Cents,
    /// What leaves the wallet, in base units of the asset.
    pub gross: BaseUnits,
    pub asset: &'a str,
    pub wallet: &'a str,
    pub pay_to: &'a str,
    /// The selected candidate's name.
    pub candidate_id: &'a str,
    /// When the checkout was read.
    pub captured_at: UnixMillis,
    /// The digest of the Pix code, if it is known.
    pub pix: Option<&'a Digest>,
}

impl<'a> Agreement<'a> {
    /// What is asked in a run as it is shown; none when nothing is.
    pub fn of(view: &'a View) -> Option<Self> {
        let (confirmation, requirement) = (view.confirmation.as_ref()?, view.requirement.as_ref()?);
        Some(Self {
            run: &view.run,
            number: confirmation.number,
            amount: confirmation.amount,
            gross: confirmation.gross,
            asset: &requirement.asset,
            wallet: &confirmation.wallet,
            pay_to: &requirement.pay_to,
            candidate_id: &view.selected.as_ref()?.candidate_id,
            captured_at: view.checkout.as_ref()?.captured_at,
            pix: view.pix.as_ref()?.payload_digest.as_ref(),
        })
    }
}

/// SHA-256 of the ASCII text
///
/// ```text
/// guildhall-confirm-v1|{run}|{number}|{amount}|{gross}|{asset}|{wallet}|{pay_to}|{candidate}|{captured_at}|{pix}
/// ```
///
/// where `run` is the run's id; `number`, `amount` (cents), `gross` (base units) and `captured_at` (milliseconds since 1970)
/// are decimal integers without leading zeros; `asset`, `wallet` and `pay_to` are as shown; `candidate` is the SHA-256 of the
/// candidate's name in UTF-8, and `pix` the payload's digest or `-`, both as 64 lower-case hexadecimal digits. None of the
/// parts holds a `|`, so that one text is made of one agreement only.
pub fn confirmation_digest(of: &Agreement<'_>) -> Digest {
    let Agreement { run, number, amount, gross, asset, wallet, pay_to, .. } = of;
    let candidate = Digest::of(&[of.candidate_id.as_bytes()]);
    let pix = of.pix.map_or_else(|| "-".to_owned(), Digest::to_string);
    let text = format!(
        "guildhall-confirm-v1|{run}|{number}|{amount}|{gross}|{asset}|{wallet}|{pay_to}|{candidate}|{}|{pix}",
        of.captured_at.0
    );
    Digest::of(&[text.as_bytes()])
}

/// The digest that a confirmation has to have where the run stands.
pub(crate) fn digest_of(run: &Run, asked: &Confirmation) -> Result<Digest, &'static str> {
    let funded = run.stage.funded().ok_or("no funds were checked")?;
    let candidate = run.selected().ok_or("no candidate is selected")?;
    Ok(confirmation_digest(&Agreement {
        run: run.id(),
        number: asked.number,
        amount: asked.amount,
        gross: asked.gross,
        asset: &funded.requirement.asset,
        wallet: &asked.wallet,
        pay_to: &funded.requirement.pay_to,
        candidate_id: &candidate.candidate_id,
        captured_at: funded.due.prepared.checkout.captured_at,
        pix: funded.due.pix.payload_digest.as_ref(),
    }))
}

/// A hold's name: SHA-256 of `guildhall hold v1`, a zero byte, the run's id, and the number in decimal digits.
pub(crate) fn reservation(run: &RunId, number: u32) -> Digest {
    let number = number.to_string();
    Digest::of(&[b"guildhall hold v1\0", run.as_str().as_bytes(), number.as_bytes()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> RunId {
        "run_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap()
    }

    /// R3. The digests are those of `hashlib` in Python over the text that is documented.
    #[test]
    fn an_agreement_has_the_digest_of_its_documented_text() {
        let (run, code) = (run(), Digest([0xab; 32]));
        let agreement = Agreement {
            run: &run,
            number: 2,
            amount: Cents(1_234),
            gross: BaseUnits(2_308_001),
            asset: "simulated/usdc",
            wallet: "wallet-1",
            pay_to: "sim_deposit_7",
            candidate_id: "loja-á",
            captured_at: UnixMillis(1_796_047_200_000),
            pix: Some(&code),
        };
        let digest = |agreement: &Agreement<'_>| confirmation_digest(agreement).to_string();
        assert_eq!(digest(&agreement), "1cf10d0071eb5edcffbc95b477563a7bf92599dfff1f89fee2cd3c7ee00102de");
        let without_code = Agreement { pix: None, ..agreement };
        assert_eq!(digest(&without_code), "00ad68a3e4693ac3b2352c50570d6e751bc82dea2724b67cf696f8b143839524");
    }

    /// R8. The digest is that of `hashlib` in Python.
    #[test]
    fn a_hold_has_the_name_that_is_documented() {
        let name = reservation(&run(), 3).to_string();
        assert_eq!(name, "6f70655723ebb4f57ff135fa287740c8aad821012a4fce196a1549b8141884ac");
    }
}

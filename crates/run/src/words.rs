//! Words of products and shops, as they are compared: lower case, without accents, split at whatever is neither letter nor
//! digit. `2L` is one word, so that `2l` is not taken for a part of `12L`.

use std::collections::BTreeSet;

/// Whether each word of `wanted` occurs among those of `text`. Nothing holds no words.
pub(crate) fn holds_words(text: &str, wanted: &str) -> bool {
    let (words, wanted) = (folded(text), folded(wanted));
    let words: BTreeSet<&str> = split(&words).collect();
    split(&wanted).next().is_some() && split(&wanted).all(|word| words.contains(word))
}

/// Whether two texts are the same, or are of the same words in the same order.
pub(crate) fn same_words(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other) = (folded(one), folded(other));
    split(&one).next().is_some() && split(&one).eq(split(&other))
}

/// Whether there is a word in it.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Lower case, and letters of Portuguese, Spanish and French without their marks, whether those are a part of the letter or
/// follow it (Unicode's combining marks U+0300 to U+036F).
fn folded(text: &str) -> String {
    let is_mark = |letter: &char| ('\u{300}'..='\u{36f}').contains(letter);
    text.chars().flat_map(char::to_lowercase).filter(|letter| !is_mark(letter)).map(plain).collect()
}

const fn plain(letter: char) -> char {
    match letter {
        'á' | 'à' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_compared_without_case_and_accents() {
        for (text, wanted, holds) in [
            ("Refrigerante Coca-Cola 2L", "coca-cola 2l", true),
            ("2l coca cola", "coca-cola 2L", true),
            ("Água com Gás", "agua gas", true),
            ("a\u{301}gua", "água", true),
            ("Pão de Açúcar", "PAO DE ACUCAR", true),
            ("Coca-Cola 12L", "coca-cola 2l", false),
            ("Coca-Cola 2 L", "coca-cola 2l", false),
            ("Coca", "coca-cola", false),
            ("Coca-Cola", "", false),
            ("Coca-Cola", "--", false),
        ] {
            assert_eq!(holds_words(text, wanted), holds, "{text:?} for {wanted:?}");
        }
    }

    #[test]
    fn a_shop_is_itself_however_it_is_written() {
        assert!(same_words("Mercado São João", "MERCADO  SAO-JOAO"));
        assert!(same_words("!!!", "!!!") && !same_words("!!!", "???"));
        assert!(!same_words("Mercado João São", "Mercado São João"));
    }
}

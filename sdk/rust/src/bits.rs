// SPDX-License-Identifier: Apache-2.0
//
//! Sets of rows as bitmaps: one bit for each row of a view, 64 rows to a word.

/// A read-only set of rows. Bits beyond the last row count as 0.
#[derive(Clone, Copy)]
pub struct Bits<'a> {
    words: &'a [u64],
    rows: u32,
}

/// Returns the number of words of a bitmap.
pub(crate) fn words_of(rows: u32) -> usize {
    (rows as usize + 63) / 64
}

impl<'a> Bits<'a> {
    /// Requires a word for each 64 rows.
    pub(crate) fn new(words: &'a [u64], rows: u32) -> Bits<'a> {
        assert_eq!(words.len(), words_of(rows), "a bitmap has a bit for each row");
        Bits { words, rows }
    }

    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Returns the bits of the rows index*64 to index*64+63 as one word.
    pub fn word(&self, index: usize) -> u64 {
        match self.rows as usize - index * 64 {
            used if used >= 64 => self.words[index],
            used => self.words[index] & ((1 << used) - 1),
        }
    }

    fn words(&self) -> impl Iterator<Item = u64> + 'a {
        let bits = *self;
        (0..bits.words.len()).map(move |index| bits.word(index))
    }

    /// Panics if the row is not in the view.
    pub fn contains(&self, row: u32) -> bool {
        assert!(row < self.rows, "row {} is beyond the {} rows of the view", row, self.rows);
        self.words[row as usize / 64] >> (row % 64) & 1 != 0
    }

    pub fn count(&self) -> u32 {
        self.words().map(u64::count_ones).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words().all(|word| word == 0)
    }

    /// Returns the row of the n-th set bit, counted from 0.
    pub fn nth(&self, mut n: u64) -> Option<u32> {
        for (index, mut word) in self.words().enumerate() {
            let here = u64::from(word.count_ones());
            if n >= here {
                n -= here;
                continue;
            }
            for _ in 0..n {
                word &= word - 1;
            }
            return Some(index as u32 * 64 + word.trailing_zeros());
        }
        None
    }

    /// Returns the row of the first set bit.
    pub fn first(&self) -> Option<u32> {
        self.nth(0)
    }

    /// Returns the rows in the set, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + 'a {
        self.words().enumerate().flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let row = index as u32 * 64 + word.trailing_zeros();
                word &= word - 1;
                Some(row)
            })
        })
    }
}

/// A set of rows that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitmap {
    words: Vec<u64>,
    rows: u32,
}

impl<'a> From<&'a Bitmap> for Bits<'a> {
    fn from(bitmap: &'a Bitmap) -> Bits<'a> {
        bitmap.bits()
    }
}

impl<'a> From<Bits<'a>> for Bitmap {
    fn from(bits: Bits<'a>) -> Bitmap {
        Bitmap { words: bits.words().collect(), rows: bits.rows }
    }
}

impl Bitmap {
    /// Returns the empty set.
    pub fn empty(rows: u32) -> Bitmap {
        Bitmap { words: vec![0; words_of(rows)], rows }
    }

    /// Returns the set of all rows.
    pub fn full(rows: u32) -> Bitmap {
        Bits::new(&vec![u64::MAX; words_of(rows)], rows).into()
    }

    pub fn bits(&self) -> Bits<'_> {
        Bits { words: &self.words, rows: self.rows }
    }

    pub(crate) fn raw_words(&self) -> &[u64] {
        &self.words
    }

    pub fn rows(&self) -> u32 {
        self.rows
    }

    pub fn contains(&self, row: u32) -> bool {
        self.bits().contains(row)
    }

    pub fn count(&self) -> u32 {
        self.bits().count()
    }

    pub fn is_empty(&self) -> bool {
        self.bits().is_empty()
    }

    pub fn nth(&self, n: u64) -> Option<u32> {
        self.bits().nth(n)
    }

    pub fn first(&self) -> Option<u32> {
        self.bits().first()
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.bits().iter()
    }

    /// Panics if the row is not in the view.
    pub fn set(&mut self, row: u32) {
        assert!(row < self.rows, "row {} is beyond the {} rows of the view", row, self.rows);
        self.words[row as usize / 64] |= 1 << (row % 64);
    }

    pub fn clear(&mut self, row: u32) {
        if row < self.rows {
            self.words[row as usize / 64] &= !(1 << (row % 64));
        }
    }

    /// Removes the rows that `other` does not contain. Panics if `other` is of a view with fewer rows.
    pub fn keep<'b>(&mut self, other: impl Into<Bits<'b>>) {
        let other = other.into();
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= other.word(index);
        }
    }

    /// Removes the rows that `other` contains. Panics if `other` is of a view with fewer rows.
    pub fn remove<'b>(&mut self, other: impl Into<Bits<'b>>) {
        let other = other.into();
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= !other.word(index);
        }
    }

    /// Removes the rows for which the test is false. Tests only rows in the set.
    pub fn keep_if(&mut self, mut test: impl FnMut(u32) -> bool) {
        for (index, word) in self.words.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                if !test(index as u32 * 64 + bit) {
                    *word &= !(1 << bit);
                }
                rest &= rest - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_beyond_the_last_row_do_not_count() {
        let words = [u64::MAX, u64::MAX];
        let bits = Bits::new(&words, 70);
        assert_eq!((bits.count(), bits.nth(69), bits.nth(70)), (70, Some(69), None));
        assert_eq!(bits.iter().last(), Some(69));
        assert!(Bits::new(&[], 0).is_empty());
    }

    #[test]
    fn rules_take_rows_out() {
        let mut rows = Bitmap::full(130);
        rows.keep_if(|row| row % 2 == 0);
        rows.remove(&{
            let mut first = Bitmap::empty(130);
            first.set(0);
            first
        });
        assert_eq!((rows.count(), rows.first(), rows.nth(63)), (64, Some(2), Some(128)));
        rows.clear(2);
        assert_eq!(rows.first(), Some(4));
    }

    #[test]
    #[should_panic(expected = "row 70 is beyond the 70 rows of the view")]
    fn a_row_beyond_the_last_one_is_refused() {
        Bitmap::full(70).contains(70);
    }
}

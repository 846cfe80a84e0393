//! `System.Collections.Hashtable`: open addressing with double hashing, one array of buckets.

use std::mem;

use super::super::heap::{allocate, new_array};
use super::object::Object;

/// The buckets of a new table: the least prime that .NET up to 3.5 takes.
const FIRST_SIZE: usize = 11;

/// How full a table may be, in percent.
const LOAD_PERCENT: usize = 72;

/// A hash table from objects to objects.
pub(crate) struct Hashtable<'g> {
    buckets: Vec<Bucket<'g>>,
    count: usize,
}

/// A place for a key and its value.
#[derive(Default)]
pub(crate) struct Bucket<'g> {
    key: Object<'g>,
    value: Object<'g>,
    /// The key's hash code, and in the highest bit whether another key went on from here.
    hash_and_collision: u32,
}

const COLLISION: u32 = 1 << 31;

/// The buckets to try for a key, in order.
struct Probe {
    bucket: usize,
    step: usize,
    size: usize,
}

impl Probe {
    fn new(hash: u32, size: usize) -> Self {
        let step = 1 + ((hash as usize >> 5) + 1) % (size - 1);
        Self { bucket: hash as usize % size, step, size }
    }

    fn advance(&mut self) {
        self.bucket = (self.bucket + self.step) % self.size;
    }
}

impl<'g> Hashtable<'g> {
    pub(super) fn new() -> Box<Self> {
        Box::write(allocate(), Self { buckets: new_array(FIRST_SIZE), count: 0 })
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &Object<'g>) -> Option<&Object<'g>> {
        let hash = key.hash_code();
        let mut probe = Probe::new(hash, self.buckets.len());
        loop {
            let bucket = &self.buckets[probe.bucket];
            if matches!(bucket.key, Object::Null) {
                return None;
            }
            if bucket.hash_and_collision & !COLLISION == hash && bucket.key.equals(key) {
                return Some(&bucket.value);
            }
            if bucket.hash_and_collision & COLLISION == 0 {
                return None;
            }
            probe.advance();
        }
    }

    /// Adds a key that is not there yet.
    pub(super) fn add(&mut self, key: Object<'g>, value: Object<'g>) {
        if self.count >= self.buckets.len() * LOAD_PERCENT / 100 {
            self.expand();
        }
        let hash_and_collision = key.hash_code();
        self.put(Bucket { key, value, hash_and_collision });
        self.count += 1;
    }

    fn put(&mut self, new: Bucket<'g>) {
        let mut probe = Probe::new(new.hash_and_collision, self.buckets.len());
        while !matches!(self.buckets[probe.bucket].key, Object::Null) {
            self.buckets[probe.bucket].hash_and_collision |= COLLISION;
            probe.advance();
        }
        self.buckets[probe.bucket] = new;
    }

    fn expand(&mut self) {
        let grown = new_array(prime_from(self.buckets.len() * 2 + 1));
        for mut bucket in mem::replace(&mut self.buckets, grown) {
            if !matches!(bucket.key, Object::Null) {
                bucket.hash_and_collision &= !COLLISION;
                self.put(bucket);
            }
        }
    }
}

/// The least prime that is not below a number.
pub(super) fn prime_from(number: usize) -> usize {
    let is_prime = |number: &usize| {
        (2..).take_while(|factor| factor * factor <= *number).all(|factor| !number.is_multiple_of(factor))
    };
    (number..).find(is_prime).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_finds_each_of_many_keys_and_no_other() {
        let names: Vec<String> = (0..300).map(|number| format!("name {number}")).collect();
        let mut table = Hashtable::new();
        for name in &names {
            assert!(table.get(&Object::Name(name)).is_none());
            table.add(Object::Name(name), Object::Name(&name[5..]));
        }
        for name in &names {
            assert!(
                matches!(table.get(&Object::Name(name)), Some(Object::Name(value)) if *value == &name[5..])
            );
        }
        assert!(table.get(&Object::Name("name 300")).is_none());
    }
}

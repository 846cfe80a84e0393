//! `System.Runtime.Serialization.ObjectIDGenerator`: numbers for objects, by identity.

use std::mem;

use super::super::heap::{allocate, new_array};
use super::hashtable::prime_from;
use super::object::{Identity, Object};

/// Places of a bin.
const BIN: usize = 4;

/// How many bins there are, before and after the generator grows.
const SIZES: [usize; 21] = [
    5, 11, 29, 47, 97, 197, 397, 797, 1_597, 3_203, 6_421, 12_853, 25_717, 51_437, 102_877, 205_759, 411_527,
    823_117, 1_646_237, 3_292_489, 6_584_983,
];

/// Objects and their numbers, in bins of four.
pub(crate) struct ObjectIDGenerator<'g> {
    ids: Vec<i64>,
    objects: Vec<Object<'g>>,
    bins: usize,
}

impl<'g> ObjectIDGenerator<'g> {
    pub(super) fn new() -> Box<Self> {
        let bins = SIZES[0];
        Box::write(allocate(), Self { ids: new_array(bins * BIN), objects: new_array(bins * BIN), bins })
    }

    /// The number of an object, and whether it is new: then it gets the number that is offered.
    pub(super) fn id(&mut self, object: Object<'g>, offered: i64) -> (i64, bool) {
        let place = self.place(object.identity());
        if !matches!(self.objects[place], Object::Null) {
            return (self.ids[place], false);
        }
        self.objects[place] = object;
        self.ids[place] = offered;
        if offered as usize >= self.bins * BIN / 2 {
            self.rehash();
        }
        (offered, true)
    }

    /// The number of an object that has one.
    pub(super) fn known_id(&self, object: &Object<'g>) -> Option<i64> {
        let place = self.place(object.identity());
        (!matches!(self.objects[place], Object::Null)).then_some(self.ids[place])
    }

    /// Where an object is, or where it goes.
    fn place(&self, identity: Identity) -> usize {
        let mut hash = identity.hash_code() as usize;
        let step = 1 + hash % (self.bins - 2);
        loop {
            let bin = hash % self.bins * BIN;
            let place = (bin..bin + BIN).find(|&place| match &self.objects[place] {
                Object::Null => true,
                object => object.identity() == identity,
            });
            match place {
                Some(place) => return place,
                None => hash += step,
            }
        }
    }

    fn rehash(&mut self) {
        self.bins =
            SIZES.into_iter().find(|&size| size > self.bins).unwrap_or_else(|| prime_from(self.bins * 2));
        let ids = mem::replace(&mut self.ids, new_array(self.bins * BIN));
        let objects = mem::replace(&mut self.objects, new_array(self.bins * BIN));
        for (object, id) in objects.into_iter().zip(ids) {
            if !matches!(object, Object::Null) {
                let place = self.place(object.identity());
                self.objects[place] = object;
                self.ids[place] = id;
            }
        }
    }
}

//! A cache that is bounded in bytes and forgets what was not used for the longest time.

use std::collections::HashMap;
use std::hash::Hash;

/// Values by their keys, up to a number of bytes.
#[derive(Debug)]
pub struct Cache<K, V> {
    values: HashMap<K, Kept<V>>,
    limit: u64,
    bytes: u64,
    clock: u64,
}

#[derive(Debug)]
struct Kept<V> {
    value: V,
    bytes: u64,
    used: u64,
}

impl<K: Eq + Hash + Clone, V: Clone> Cache<K, V> {
    /// A cache of `limit` bytes.
    pub fn new(limit: u64) -> Self {
        Self { values: HashMap::new(), limit, bytes: 0, clock: 0 }
    }

    /// A value, which counts as used now.
    pub fn get(&mut self, key: &K) -> Option<V> {
        self.clock += 1;
        let kept = self.values.get_mut(key)?;
        kept.used = self.clock;
        Some(kept.value.clone())
    }

    /// A value, which does not count as used.
    pub fn peek(&self, key: &K) -> Option<&V> {
        self.values.get(key).map(|kept| &kept.value)
    }

    /// Keeps a value of `bytes` bytes; others make room for it. One that is larger than the whole
    /// cache is not kept.
    pub fn insert(&mut self, key: K, value: V, bytes: u64) {
        self.remove(&key);
        if bytes > self.limit {
            return;
        }
        self.clock += 1;
        self.bytes += bytes;
        self.values.insert(key, Kept { value, bytes, used: self.clock });
        while self.bytes > self.limit {
            let oldest = self.values.iter().min_by_key(|(_, kept)| kept.used).map(|(key, _)| key.clone());
            match oldest {
                Some(key) => self.remove(&key),
                None => break,
            }
        }
    }

    /// Forgets a value.
    pub fn remove(&mut self, key: &K) {
        if let Some(kept) = self.values.remove(key) {
            self.bytes -= kept.bytes;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.values.clear();
        self.bytes = 0;
    }

    /// Bytes of all values.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_makes_room() {
        let mut cache = Cache::new(10);
        for key in 0..3 {
            cache.insert(key, key, 3);
        }
        assert_eq!(cache.get(&0), Some(0));
        cache.insert(3, 3, 4);
        assert_eq!([0, 1, 2, 3].map(|key| cache.get(&key)), [Some(0), None, Some(2), Some(3)]);
        assert_eq!(cache.bytes(), 10);
        cache.insert(4, 4, 11);
        assert_eq!(cache.get(&4), None);
        cache.insert(3, 30, 1);
        assert_eq!((cache.get(&3), cache.bytes()), (Some(30), 7));
    }
}

use redb::backends::InMemoryBackend;
use redb::{
    Database, MultimapTableDefinition, ReadableDatabase, ReadableTable, ReadableTableMetadata,
    TableDefinition,
};

use super::Program;
use crate::input::scatter;

pub(super) const PROGRAM: Program = Program {
    name: "redb",
    run,
    is_single_threaded: true,
    known_types: &[("Arc<[u8]>", None), ("Vec<BtreeBitmap>", None), ("Arc<TransactionGuard>", None)],
};

const TEXTS: TableDefinition<u64, &str> = TableDefinition::new("texts");
const GROUPS: MultimapTableDefinition<&str, u64> = MultimapTableDefinition::new("groups");

/// Fills two tables in several transactions, removes, and reads ranges.
fn run() -> String {
    work().expect("a database in memory does not fail")
}

fn work() -> Result<String, redb::Error> {
    let database = Database::builder().create_with_backend(InMemoryBackend::new())?;
    for batch in 0..5 {
        let transaction = database.begin_write()?;
        {
            let mut texts = transaction.open_table(TEXTS)?;
            let mut groups = transaction.open_multimap_table(GROUPS)?;
            for index in batch * 500..(batch + 1) * 500 {
                let key = scatter(index);
                texts.insert(key, "text ".repeat((key % 20) as usize).as_str())?;
                groups.insert(format!("group {}", key % 30).as_str(), index)?;
                if index.is_multiple_of(5) {
                    texts.remove(scatter(index / 2))?;
                }
            }
        }
        transaction.commit()?;
    }
    let transaction = database.begin_read()?;
    let texts = transaction.open_table(TEXTS)?;
    let groups = transaction.open_multimap_table(GROUPS)?;
    let mut bytes = 0;
    for entry in texts.range(..u64::MAX / 2)? {
        bytes += entry?.1.value().len();
    }
    let members = groups.get("group 7")?.count();
    let first = texts.first()?.map(|(key, _)| key.value());
    Ok(format!("{} texts, {bytes} bytes, {members} members, first {first:?}", texts.len()?))
}

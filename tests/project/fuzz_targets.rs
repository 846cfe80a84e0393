//! The fuzz targets: there is one for each codec, and it starts from what decodes.

use std::fs;
use std::path::{Path, PathBuf};

use alloclab::codec::{self, Codec};
use alloclab::model::ModelKind;
use alloclab::recorder::measure;

/// Items of a list in a seed: few, for short inputs are tried more often.
const SEED_ITEMS: usize = 2;

fn in_package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The files of a folder and of the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_codec_has_a_fuzz_target() {
    let manifest = fs::read_to_string(in_package("fuzz/Cargo.toml")).unwrap();
    for codec in codec::all() {
        let name = codec.name();
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "fuzz/Cargo.toml has no target {name}");
        let path = format!("fuzz/fuzz_targets/{}.rs", name.replace('-', "_"));
        let target = fs::read_to_string(in_package(&path)).unwrap();
        assert!(target.contains(&format!("decode(\"{name}\"")), "{path} decodes with another codec");
    }
}

/// The seeds of a codec, each with the name of its file: its own bytes of each model, and those of the fixtures that it
/// takes. The first byte is the model's number.
fn seeds(codec: &dyn Codec, fixtures: &[PathBuf]) -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (number, model) in (0..).zip(ModelKind::ALL) {
        let mut add = |name: String, bytes: Vec<u8>| seeds.push((name, [&[number], &bytes[..]].concat()));
        if let Some(bytes) = codec.encode(model, SEED_ITEMS) {
            add(model.name().to_owned(), bytes);
        }
        for fixture in fixtures {
            let bytes = fs::read(fixture).unwrap();
            if matches!(codec.decode(model, &bytes), Some(Ok(()))) {
                add(format!("{}-{}", model.name(), fixture.file_name().unwrap().display()), bytes);
            }
        }
    }
    seeds
}

#[test]
#[ignore = "writes fuzz/corpus, for .ci/fuzz"]
fn seeds_are_written() {
    let graphs = files(&in_package("fixtures/nrbf")).into_iter();
    let graphs: Vec<_> = graphs.filter(|path| path.extension().is_some_and(|kind| kind == "bin")).collect();
    let fixtures = [graphs.clone(), files(&in_package("fixtures/golden"))].concat();
    for codec in codec::all() {
        let folder = in_package("fuzz/corpus").join(codec.name());
        fs::create_dir_all(&folder).unwrap();
        for (name, seed) in seeds(*codec, &fixtures) {
            fs::write(folder.join(name), seed).unwrap();
        }
    }
    let folder = in_package("fuzz/corpus/nrbf");
    fs::create_dir_all(&folder).unwrap();
    for graph in graphs {
        fs::copy(&graph, folder.join(graph.file_name().unwrap())).unwrap();
    }
    write_snapshot_seed();
}

/// The target puts the checksum behind its input.
fn write_snapshot_seed() {
    let measured = measure(|| drop(std::hint::black_box(vec![String::from("a block"), String::new()])));
    let bytes = measured.unwrap().snapshot.to_bytes();
    let folder = in_package("fuzz/corpus/snapshot");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("recorded"), &bytes[..bytes.len() - size_of::<u64>()]).unwrap();
}

//! Every codec against bytes that stay: `fixtures/golden/<codec>/<model>.bin`.

use std::fs;
use std::path::{Path, PathBuf};

use alloclab::codec::{self, Codec};
use alloclab::model::ModelKind;

/// Files in the codec's folder that hold the bytes of a model.
fn goldens(codec: &dyn Codec) -> Vec<(ModelKind, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/golden").join(codec.name());
    let files = ModelKind::ALL.map(|model| (model, folder.join(format!("{}.bin", model.name()))));
    files.into_iter().filter(|(_, file)| file.exists()).collect()
}

#[test]
fn every_codec_encodes_its_goldens_and_decodes_them() {
    for codec in codec::all() {
        let goldens = goldens(*codec);
        assert!(!goldens.is_empty(), "fixtures/golden/{} has no golden", codec.name());
        for (model, file) in goldens {
            let bytes = fs::read(&file).unwrap();
            let encoded = codec.encode(model, usize::MAX).unwrap();
            assert!(
                encoded == bytes,
                "{} encodes {} otherwise than {}",
                codec.name(),
                model.name(),
                file.display()
            );
            codec.decode(model, &bytes).unwrap().unwrap();
        }
    }
}

/// Versions of crates are what is measured: what a codec says has to be what is built in.
#[test]
fn a_codec_names_the_versions_of_its_crates() {
    let lock = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock")).unwrap();
    let mut crates = 0;
    for codec in codec::all() {
        for said in codec.implementation().split(", ").filter(|said| *said != "own code") {
            let (name, version) = said.split_once(' ').expect("a crate and its version");
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"");
            assert!(lock.contains(&entry), "{} says {said}", codec.name());
            crates += 1;
        }
    }
    assert!(crates > 10, "{crates}");
}

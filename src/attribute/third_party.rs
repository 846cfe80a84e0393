//! Crates outside of the standard library whose types are containers.

/// Crates whose containers own what standard containers hold for them.
const CONTAINER_CRATES: &[&str] = &[
    "arc_swap",
    "archery",
    "bimap",
    "bitvec",
    "bumpalo",
    "bytes",
    "compact_str",
    "concurrent_queue",
    "crossbeam_channel",
    "crossbeam_deque",
    "crossbeam_epoch",
    "crossbeam_queue",
    "crossbeam_skiplist",
    "crossbeam_utils",
    "dashmap",
    "ecow",
    "fixedbitset",
    "flume",
    "hashlink",
    "im",
    "im_rc",
    "imbl",
    "indexmap",
    "lru",
    "petgraph",
    "priority_queue",
    "rpds",
    "slab",
    "slotmap",
    "smallvec",
    "smol_str",
    "thin_vec",
    "tinyvec",
    "triomphe",
    "typed_arena",
];

/// Types that hand out memory to others and stay its owner, by crate and name.
const ARENAS: [(&str, &str); 2] = [("bumpalo", "Bump"), ("typed_arena", "Arena")];

/// What a type is called that looks at a container and is none.
const VIEWS: [&str; 4] = ["Iter", "Drain", "Entry", "Visitor"];

/// Whether the types of a crate are containers.
pub(super) fn is_container_crate(name: &str) -> bool {
    CONTAINER_CRATES.contains(&name)
}

/// Whether a type hands out memory to others and stays its owner.
pub(super) fn is_arena(crate_name: &str, name: &str) -> bool {
    ARENAS.contains(&(crate_name, name))
}

/// Whether a type's name says that it looks at a container and is none.
pub(super) fn is_view(name: &str) -> bool {
    VIEWS.iter().any(|view| name.contains(view))
}

/// Whether a crate makes up a thread pool, together with rayon's core.
pub(super) fn is_of_pool(crate_name: &str) -> bool {
    is_pool(crate_name) || crate_name.starts_with("crossbeam_")
}

/// Whether a crate is the thread pool itself.
pub(super) fn is_pool(crate_name: &str) -> bool {
    crate_name == "rayon_core"
}

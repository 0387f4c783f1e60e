//! Has the linker keep where code refers to code, so that the page can be cut into pieces.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-bin=page=--emit-relocs");
}

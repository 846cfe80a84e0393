//! Programs that are recorded whole: their files are there, hold what is known to have been done, and nothing hangs.

#[cfg(not(target_os = "linux"))]
fn main() {}

#[cfg(target_os = "linux")]
mod programs;
#[cfg(target_os = "linux")]
mod tests;

#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: alloclab::recorder::Recorder = alloclab::recorder::Recorder::system();

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    match (std::env::var("ALLOCLAB_PROGRAM"), std::env::var_os("ALLOCLAB_FILE")) {
        (Ok(program), Some(file)) => {
            programs::run(&program, file.as_ref());
            std::process::ExitCode::SUCCESS
        }
        _ => tests::main(),
    }
}

fn main() -> std::process::ExitCode {
    wiiiv_exec::sandbox::run_child()
}

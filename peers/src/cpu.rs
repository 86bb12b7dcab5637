//! CPU time, as Linux counts it.

use std::fs;

/// Ticks of `/proc/self/stat` in a second.
const TICKS: f64 = 100.0;

/// Of all threads, in steps of 10 ms.
pub fn process_ms() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program is in brackets and may have spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    ticks * 1e3 / TICKS
}

/// Of this thread.
pub fn thread_us() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ns = text.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok());
    ns.unwrap_or_default() / 1e3
}

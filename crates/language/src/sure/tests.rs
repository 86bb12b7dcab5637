use super::*;

#[test]
fn it_rises_with_the_score_and_leaves_what_is_asked_about() {
    let all: Vec<f32> = (0..=100_u8).map(|n| likelihood(f32::from(n) / 100.0)).collect();
    assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
    for low in [0.0, 0.1, 0.39, 0.4] {
        assert!((likelihood(low) - low).abs() < 1e-6);
    }
    assert!(likelihood(0.401) > 0.4 && likelihood(2.0) < 1.0);
}

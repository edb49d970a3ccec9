#[test]
fn flaky() {
    let run: u32 = std::env::var("FLAKESTAT_RUN").ok().and_then(|run| run.parse().ok()).unwrap_or(0);
    assert_eq!(run % 2, 0);
}

mod tests {
    #[test]
    fn steady() {}
}

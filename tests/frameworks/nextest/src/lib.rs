#[cfg(test)]
mod tests {
    fn fail_in_odd_runs() {
        let run: u32 = std::env::var("FLAKESTAT_RUN").ok().and_then(|run| run.parse().ok()).unwrap_or(0);
        assert_eq!(run % 2, 0);
    }

    #[test]
    fn flaky() {
        fail_in_odd_runs();
    }

    #[test]
    fn flaky_steady_longer() {}

    mod größe {
        #[test]
        fn listed_é() {}
    }
}

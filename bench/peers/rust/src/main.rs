//! Times the bare parse of JUnit XML by the crate `junit-parser`: `peer ROUNDS FILE_OR_FOLDER` prints one JSON line.
use std::{env, fs, hint::black_box, io::Cursor, path::Path, process::exit, time::Instant};

fn load(path: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    if !path.is_dir() {
        return Ok(vec![fs::read(path)?]);
    }
    let mut files: Vec<_> = fs::read_dir(path)?
        .filter_map(|entry| entry.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == "xml"))
        .collect();
    files.sort();
    files.iter().map(fs::read).collect()
}

fn parse(reports: &[Vec<u8>]) -> usize {
    let mut cases = 0;
    for bytes in reports {
        let parsed = junit_parser::from_reader(Cursor::new(bytes)).unwrap_or_else(|error| {
            eprintln!("peer: cannot parse: {error}");
            exit(65)
        });
        cases += parsed.suites.iter().map(|suite| suite.cases.len()).sum::<usize>();
        black_box(parsed);
    }
    cases
}

fn main() {
    let args: Vec<String> = env::args().collect();
    let (Some(rounds), Some(path)) = (args.get(1).and_then(|n| n.parse::<u32>().ok()), args.get(2)) else {
        eprintln!("usage: peer ROUNDS FILE_OR_FOLDER");
        exit(64)
    };
    let reports = load(Path::new(path)).unwrap_or_else(|error| {
        eprintln!("peer: cannot read {path}: {error}");
        exit(66)
    });
    let bytes: usize = reports.iter().map(Vec::len).sum();
    let mut seconds = Vec::new();
    let mut cases = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        cases = parse(&reports);
        seconds.push(start.elapsed().as_secs_f64().to_string());
    }
    println!(
        "{{\"name\":\"junit-parser 1.7.0 (Rust)\",\"files\":{},\"bytes\":{bytes},\"cases\":{cases},\"seconds\":[{}]}}",
        reports.len(),
        seconds.join(",")
    );
}

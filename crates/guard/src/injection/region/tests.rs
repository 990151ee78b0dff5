#[test]
fn profile() {
    use std::collections::HashMap;
    fn walk(d: &std::path::Path, out: &mut String) {
        for e in std::fs::read_dir(d).unwrap() {
            let p = e.unwrap().path();
            if out.len() > 20_000_000 {
                return;
            }
            if p.is_dir() {
                walk(&p, out)
            } else if let Ok(s) = std::fs::read_to_string(&p) {
                if s.len() < 1000000 {
                    out.push_str(&s);
                }
            }
        }
    }
    let mut text = String::new();
    for d in [
        "openai+codex/codex-rs/core",
        "jumpserver+jumpserver/apps/accounts",
        "caddyserver+caddy",
        "axios+axios",
        "jekyll+jekyll",
        "redis+redis/src",
        "vuejs+core",
    ] {
        walk(std::path::Path::new(&format!("/tmp/trees/{d}")), &mut text);
    }
    let mut words = super::trigger_words();
    words.extend(super::TAGS.iter().chain(super::ROLE_TRIGGERS).map(|s| s.to_string()));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for h in super::TRIGGERS.hits(text.as_bytes()) {
        if !super::is_inside_word(text.as_bytes(), h.start, h.end) {
            *counts.entry(words[h.pattern].as_str()).or_default() += 1;
        }
    }
    let mut v: Vec<_> = counts.into_iter().collect();
    v.sort_by_key(|x| std::cmp::Reverse(x.1));
    println!("{} bytes", text.len());
    for (w, n) in v.iter().take(70) {
        print!("{w} {n} (1/{}B), ", text.len() / n);
    }
    let t = std::time::Instant::now();
    let n = super::triggered(&text).len();
    println!("\ntriggered {n} {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let n = super::disguised_lines(&text).len();
    println!("disguised {n} {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let n = super::blobs(&text).len();
    println!("blobs {n} {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let n = super::TRIGGERS.hits(text.as_bytes()).count();
    println!("hits {n} {:?}", t.elapsed());
}

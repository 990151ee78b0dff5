use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

fn nested_tree() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for n in 0..40 {
        let folder = root.path().join(format!("{}/{}/{n}", n % 3, n % 7));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("file"), "").unwrap();
    }
    root
}

#[test]
fn every_file_is_visited_once_with_any_number_of_threads() {
    let root = nested_tree();
    for n_threads in [1, 2, 8] {
        let found = Mutex::new(Vec::new());
        let visit = |_: &mut (), path: &Path| {
            found.lock().unwrap().push(path.to_owned());
            ControlFlow::Continue(())
        };
        walk(root.path(), vec![(); n_threads], &|_, _| true, &visit);
        let found = found.into_inner().unwrap();
        let distinct: BTreeSet<&PathBuf> = found.iter().collect();
        assert_eq!((found.len(), distinct.len()), (40, 40), "{n_threads} threads");
    }
}

#[test]
fn a_visitor_can_end_the_walk() {
    let root = nested_tree();
    let n_visited = AtomicUsize::new(0);
    let visit = |_: &mut (), _: &Path| {
        n_visited.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Break(())
    };
    walk(root.path(), vec![()], &|_, _| true, &visit);
    assert_eq!(n_visited.into_inner(), 1);
}

/// The other threads would wait for the folder for ever if the panic did not end it.
#[test]
fn a50_a_panic_in_a_visitor_does_not_leave_the_other_threads_waiting() {
    let root = nested_tree();
    let visit = |_: &mut (), path: &Path| {
        assert!(!path.ends_with("0/0/0/file"), "this file fails");
        ControlFlow::Continue(())
    };
    let walked =
        catch_unwind(AssertUnwindSafe(|| walk(root.path(), vec![(); 4], &|_, _| true, &visit)));
    assert!(walked.is_err());
}

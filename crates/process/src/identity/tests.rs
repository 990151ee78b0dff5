use super::*;

#[test]
fn a_process_with_another_start_time_does_not_run() {
    let us = Identity::of_this_process();
    assert!(us.is_running());
    let earlier = Identity { start_ticks: us.start_ticks - 1, ..us.clone() };
    assert!(!earlier.is_running(), "the number was given to somebody else");
    let other_boot = Identity { boot_id: "another".to_owned(), ..us };
    assert!(!other_boot.is_running());
}

#[test]
fn a_process_with_another_identity_gets_no_signal() {
    let us = Identity::of_this_process();
    let namesake = Identity { start_ticks: us.start_ticks + 1, ..us };
    assert!(!namesake.signal(Urgency::Force), "or this test would have died");
    assert!(!namesake.signal_group(Urgency::Force));
}

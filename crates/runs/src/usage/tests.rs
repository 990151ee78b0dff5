use super::*;

fn cost(text: &str) -> Cost {
    text.parse().unwrap()
}

#[test]
fn a_cost_is_the_sum_of_uncached_cached_and_output_tokens() {
    let price = Price { input: cost("1.25"), cached_input: cost("0.125"), output: cost("10") };
    let usage = Usage { input: 2_000_000, cached_input: 1_000_000, output: 500_000 };
    assert_eq!(price.of(usage), cost("6.375"));
    assert_eq!(price.of(Usage { input: 1, ..Usage::default() }).to_string(), "0.0000");
}

#[test]
fn amounts_are_decimal_numbers_of_at_least_zero() {
    assert_eq!(serde_json::to_string(&cost("2.5")).unwrap(), "2.5");
    assert_eq!(serde_json::from_str::<Cost>("2.5").unwrap(), cost("2.50"));
    for bad in ["-1", "x", "nan", "inf", "1e300"] {
        assert_eq!(bad.parse::<Cost>(), Err(BadCost), "{bad}");
    }
}

#[test]
fn a_cap_is_exceeded_by_more_than_its_value_and_used_up_by_its_value() {
    let used = |tokens, turns, cost| TotalUse {
        tokens: Usage { input: tokens, ..Usage::default() },
        turns,
        cost: Some(cost),
    };
    let tokens = SessionBudget {
        caps: Caps { max_tokens: Some(10), ..Caps::default() },
        ..SessionBudget::default()
    };
    let turns = SessionBudget {
        caps: Caps { max_turns: Some(2), ..Caps::default() },
        ..SessionBudget::default()
    };
    let money = SessionBudget {
        caps: Caps { max_cost: Some(cost("1")), ..Caps::default() },
        ..SessionBudget::default()
    };
    for (budget, at, above) in [
        (tokens, used(10, 1, cost("0")), used(11, 1, cost("0"))),
        (turns, used(0, 2, cost("0")), used(0, 3, cost("0"))),
        (money, used(0, 1, cost("1")), used(0, 1, cost("1.01"))),
    ] {
        assert!(budget.exceeded(&at).is_none() && budget.used_up(&at).is_some());
        assert!(budget.exceeded(&above).is_some() && budget.used_up(&above).is_some());
    }
    assert_eq!(SessionBudget::default().used_up(&used(u64::MAX, u64::MAX, cost("9000000"))), None);
}

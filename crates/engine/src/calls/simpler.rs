//! Simpler values in the place of a literal, for reduction: towards 0, false, the empty text, short texts of the letter `a`.

use crate::test::Value;

/// At most so many places of a text are tried one by one.
const PLACES: usize = 16;

/// Values that are simpler than this one, the simplest first. Following them from any value always comes to an end.
pub fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Nothing | Value::Bool(false) => Vec::new(),
        Value::Bool(true) => vec![Value::Bool(false)],
        Value::Int(number) => ints(*number).into_iter().map(Value::Int).collect(),
        Value::Float(number) => floats(*number).into_iter().map(Value::Float).collect(),
        Value::Text(text) => texts(text).into_iter().map(Value::Text).collect(),
    }
}

/// Smaller in amount, or positive instead of negative.
fn ints(number: i64) -> Vec<i64> {
    let sign = number.signum();
    let amount = number.unsigned_abs();
    let mut simpler = Vec::new();
    if amount > 0 {
        simpler.push(0);
    }
    if amount > 1 {
        simpler.push(sign);
    }
    if number < 0 {
        simpler.extend(number.checked_neg());
    }
    if amount > 3 {
        simpler.push(number / 2);
    }
    if amount > 2 {
        simpler.push(number - sign);
    }
    simpler
}

/// 0, then 1, then whole numbers, then others, then those that are not finite; smaller in amount, then positive.
fn floats(number: f64) -> Vec<f64> {
    let mut simpler = Vec::new();
    if number.to_bits() == 0.0_f64.to_bits() {
        return simpler;
    }
    simpler.push(0.0);
    if number == 0.0 || number == 1.0 {
        return simpler;
    }
    simpler.push(1.0);
    if number < 0.0 {
        simpler.push(-number);
    }
    if !number.is_finite() {
        return simpler;
    }
    if number.fract() != 0.0 && number.abs() > 1.0 {
        simpler.push(number.trunc());
    }
    if number.abs() > 3.0 {
        simpler.push((number / 2.0).trunc());
    }
    simpler
}

/// Shorter, or of the same length with one more `a`.
fn texts(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut simpler = Vec::new();
    if letters.is_empty() {
        return simpler;
    }
    simpler.push(String::new());
    let half = letters.len() / 2;
    if half > 0 {
        simpler.push(letters[..half].iter().collect());
        simpler.push(letters[half..].iter().collect());
    }
    for place in 0..letters.len().min(PLACES) {
        if letters.len() > 1 {
            let mut shorter = letters.clone();
            shorter.remove(place);
            simpler.push(shorter.iter().collect());
        }
    }
    let other = letters.iter().enumerate().filter(|(_, one)| **one != 'a');
    for (place, _) in other.take(PLACES) {
        let mut plainer = letters.clone();
        plainer[place] = 'a';
        simpler.push(plainer.iter().collect());
    }
    simpler
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Takes the given choice of every list until nothing is simpler; gives the number of steps.
    fn descend(mut value: Value, choices: &[prop::sample::Index]) -> (Value, usize) {
        for steps in 0.. {
            let simpler = simpler(&value);
            if simpler.is_empty() || steps > 100_000 {
                return (value, steps);
            }
            let choice = choices[steps % choices.len()].index(simpler.len());
            value = simpler[choice].clone();
        }
        unreachable!("the loop ends by returning")
    }

    fn values() -> impl Strategy<Value = Value> {
        prop_oneof![
            any::<bool>().prop_map(Value::Bool),
            (-3000i64..3000).prop_map(Value::Int),
            prop_oneof![
                Just(f64::NAN),
                Just(f64::NEG_INFINITY),
                -3000.0..3000.0_f64,
                Just(-0.0)
            ]
            .prop_map(Value::Float),
            ".{0,12}".prop_map(Value::Text),
        ]
    }

    #[test]
    fn the_simplest_value_is_tried_first() {
        assert_eq!(simpler(&Value::Int(-7))[0], Value::Int(0));
        assert_eq!(
            simpler(&Value::Text("xy".into()))[0],
            Value::Text(String::new())
        );
        assert!(simpler(&Value::Int(i64::MIN)).contains(&Value::Int(i64::MIN / 2)));
    }

    proptest! {
        #[test]
        fn simplifying_ends_at_the_simplest_value(
            value in values(), choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..8)
        ) {
            let (end, steps) = descend(value.clone(), &choices);
            prop_assert!(steps < 10_000, "{value:?}: {steps}");
            let simplest = match value {
                Value::Bool(_) => Value::Bool(false),
                Value::Int(_) => Value::Int(0),
                Value::Float(_) => Value::Float(0.0),
                Value::Text(_) => Value::Text(String::new()),
                Value::Nothing => Value::Nothing,
            };
            prop_assert_eq!(end, simplest);
        }
    }
}

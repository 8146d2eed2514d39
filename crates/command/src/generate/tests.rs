//! Generated texts satisfy their own definition.

use super::*;
use crate::expression::Number;
use crate::spec::Spec;
use engine::Seed;
use engine::frames::{Frame, Sampler};
use proptest::prelude::*;
use std::path::Path;

fn make(generator: &Generator, stream: &mut Stream) -> Result<String, Problem> {
    let grammar = Grammar::default();
    make_with(generator, &grammar, stream)
}

fn make_with(
    generator: &Generator,
    grammar: &Grammar,
    stream: &mut Stream,
) -> Result<String, Problem> {
    let mut text = String::new();
    let mut making = Making {
        context: Context::default(),
        stream,
        grammar,
        helpers: &mut |_, _| Err("no helpers here".to_owned()),
        steps: MAX_STEPS,
    };
    generator.make(&mut making, &mut text).map(|()| text)
}

fn spec(text: &str) -> Spec {
    let text = format!("[run]\nprogram = \"p\"\n{text}");
    Spec::parse(Path::new("test.toml"), &text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The texts of the categories of many drawn frames.
fn draw(spec: &Spec, count: usize) -> Vec<Vec<Option<String>>> {
    let sampler = Sampler::new(&spec.space);
    let mut stream = Seed(3).stream();
    let mut all = Vec::new();
    for _ in 0..count {
        let mut frame = Frame(vec![0; spec.categories.len()]);
        sampler.draw(&mut stream, &mut frame.0);
        let made = spec.concretise(&mut frame, &mut stream, &mut |command, seed| {
            Ok(format!("{} {}\n\n", command.join(" "), seed % 10))
        });
        all.extend(made.ok().map(|(fields, _)| fields.0));
    }
    all
}

fn bound(number: i64) -> Bound {
    Bound::Number(Number::Whole(number))
}

/// Regular expressions as they are written, of bounded size.
fn patterns() -> impl Strategy<Value = String> {
    let leaves = prop_oneof![
        "[a-z0-9 é_-]",
        Just(".".to_owned()),
        Just(r"\d".to_owned()),
        Just(r"\w".to_owned()),
        Just(r"\s".to_owned()),
        Just(r"\D".to_owned()),
        Just(r"\S".to_owned()),
        Just(r"\p{Greek}".to_owned()),
        Just(r"\p{Lu}".to_owned()),
        Just("[^a-c]".to_owned()),
        Just("[a-cx-zé]".to_owned()),
        Just(r"[\w&&[^0-9]]".to_owned()),
        Just("[[:upper:][:digit:]]".to_owned()),
        Just("[[:cntrl:]]".to_owned()),
        Just("(?i:ks)".to_owned()),
        Just("(?s:.)".to_owned()),
        Just("(?x: a b # c\n)".to_owned()),
        Just("(?:(?x) a b # c\n)".to_owned()),
        Just("(?-u:[a-f])".to_owned()),
        Just(r"\x41".to_owned()),
        Just(r"\.".to_owned()),
        Just("[\u{d000}-\u{f000}]".to_owned()),
    ];
    leaves.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            prop::collection::vec(inner.clone(), 1..4)
                .prop_map(|parts| format!("({})", parts.join("|"))),
            inner.clone().prop_map(|i| format!("(?:{i})*")),
            inner.clone().prop_map(|i| format!("(?:{i})+?")),
            inner.clone().prop_map(|i| format!("(?:{i})?")),
            (inner.clone(), 0_u32..4, 0_u32..4)
                .prop_map(|(i, low, more)| format!("(?:{i}){{{low},{}}}", low + more)),
            (inner.clone(), 0_u32..4).prop_map(|(i, low)| format!("({i}){{{low},}}")),
            inner.prop_map(|i| format!("(?i){i}")),
        ]
    })
}

proptest! {
    #[test]
    fn a_regex_matches_what_it_gives(pattern in patterns(), spaced: bool, seed: u64) {
        let pattern = if spaced { format!("(?x){pattern} # )") } else { pattern };
        let compiled = match Pattern::compile(&pattern, 2) {
            Ok(compiled) => compiled,
            Err(fault) => {
                let too_large = fault.cause.contains("longer") || fault.cause.contains("bytes");
                prop_assert!(too_large, "{:?}: {}", pattern, fault.cause);
                return Ok(());
            }
        };
        let mut stream = Seed(seed).stream();
        for _ in 0..20 {
            let mut text = String::new();
            compiled.make(&mut stream, &mut text).unwrap();
            prop_assert!(compiled.matches(&text), "{:?} does not match {:?}", pattern, text);
        }
    }

    #[test]
    fn whole_numbers_lie_in_their_range(
        a: i64, b: i64, step in 1_u64..1000, base in 2_u32..=36, width in 0_u32..70, seed: u64,
    ) {
        let range = IntRange { low: bound(a.min(b)), high: bound(a.max(b)), step, width, base };
        let text = make(&Generator::Int(range), &mut Seed(seed).stream()).unwrap();
        let number = i64::from_str_radix(&text, base).unwrap();
        prop_assert!((a.min(b)..=a.max(b)).contains(&number));
        prop_assert_eq!((i128::from(number) - i128::from(a.min(b))) % i128::from(step), 0);
        prop_assert!(text.len() >= width as usize);
        prop_assert!(width > 0 || !text.trim_start_matches('-').starts_with('0') || number == 0);
    }

    #[test]
    fn decimal_numbers_lie_in_their_range(
        a in -1e9..1e9_f64, width in 0.0..1e6_f64, decimals in 0_u32..=17, seed: u64,
    ) {
        let (low, high) = (Number::decimal(a), Number::decimal(a + width));
        let range = FloatRange { low: Bound::Number(low), high: Bound::Number(high), decimals };
        match make(&Generator::Float(range), &mut Seed(seed).stream()) {
            Ok(text) => {
                let number: f64 = text.parse().unwrap();
                prop_assert!(low.to_f64() <= number && number <= high.to_f64(), "{}", text);
                let digits = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                prop_assert_eq!(digits, decimals as usize);
            }
            Err(problem) => {
                prop_assert!(width < 1.0, "{} from {} of width {}", problem, a, width);
            }
        }
    }

    #[test]
    fn lines_have_the_asked_number_order_and_difference(
        low in 0_i64..5, more in 0_i64..5, sorted: bool, unique: bool, seed: u64,
    ) {
        let item = Generator::Int(IntRange {
            low: bound(0), high: bound(99), step: 1, width: 0, base: 10,
        });
        let lines = Lines {
            item,
            count: (bound(low), bound(low + more)),
            end: ";".to_owned(),
            separator: "|".to_owned(),
            sorted,
            unique,
        };
        let text = make(&Generator::Lines(Box::new(lines)), &mut Seed(seed).stream()).unwrap();
        let parts: Vec<&str> = text.split('|').filter(|part| !part.is_empty()).collect();
        prop_assert!((low..=low + more).contains(&(parts.len() as i64)));
        prop_assert!(parts.iter().all(|part| part.ends_with(';')));
        prop_assert!(!sorted || parts.iter().map(|part| &part[..part.len() - 1]).is_sorted());
        let mut different = parts.clone();
        different.sort_unstable();
        different.dedup();
        prop_assert!(!unique || different.len() == parts.len());
    }

    #[test]
    fn derivations_keep_to_their_depth(max_depth in 2_u32..12, seed: u64) {
        let grammar = Grammar::parse("<s> ::= '(' <s> ')' | <e> \n <e> ::= ''", 8).unwrap();
        let symbol = grammar.symbol("s").unwrap();
        let generator = Generator::Grammar { symbol, max_depth };
        let text = make_with(&generator, &grammar, &mut Seed(seed).stream()).unwrap();
        let depth = text.len() / 2;
        prop_assert_eq!(&text, &format!("{}{}", "(".repeat(depth), ")".repeat(depth)));
        prop_assert!(depth as u32 + 2 <= max_depth, "{} of {}", text, max_depth);
    }
}

#[test]
fn every_alternative_of_a_grammar_is_reached() {
    let rules = r#"<s> ::= "a" | /b{2}/ ; [weight 3] | "\n\t\"" | 'c' <t> | "never" ; [weight 0]
        # a comment with "quotes
        <t> ::= "d" | "" "#;
    let grammar = Grammar::parse(rules, 8).unwrap();
    let symbol = grammar.symbol("s").unwrap();
    let generator = Generator::Grammar {
        symbol,
        max_depth: 3,
    };
    let mut stream = Seed(1).stream();
    let mut texts: Vec<String> = (0..500)
        .map(|_| make_with(&generator, &grammar, &mut stream).unwrap())
        .collect();
    let heavy = texts.iter().filter(|text| *text == "bb").count();
    assert!((200..300).contains(&heavy), "{heavy}");
    texts.sort();
    texts.dedup();
    assert_eq!(texts, ["\n\t\"", "a", "bb", "c", "cd"]);
}

#[test]
fn a_grammar_that_would_explode_comes_to_an_end() {
    let grammar = Grammar::parse("<s> ::= <s> <s> <s> | 'x' ; [weight 0.01]", 8).unwrap();
    let symbol = grammar.symbol("s").unwrap();
    let generator = Generator::Grammar {
        symbol,
        max_depth: 1000,
    };
    let mut stream = Seed(1).stream();
    let text = make_with(&generator, &grammar, &mut stream).unwrap();
    assert!(text.len() > 1000 && text.len() < 100_000, "{}", text.len());
}

#[test]
fn assertions_are_satisfied_and_open_classes_are_printable() {
    let mut stream = Seed(1).stream();
    let mut sample = |pattern: &str| {
        let pattern = Pattern::compile(pattern, 8).unwrap();
        let mut text = String::new();
        pattern.make(&mut stream, &mut text).unwrap();
        assert!(pattern.matches(&text));
        text
    };
    for _ in 0..100 {
        assert!(sample(r"^\b.{3}\b$").len() == 3);
        assert!(sample(r"[^x]{5}\w\p{L}\PZ.").is_ascii());
        assert!(sample(r"\s").chars().all(|c| c == ' ' || c == '\t'));
        assert!(!sample("[äöü]").is_ascii());
        assert!(sample("(?i)[k-s]").is_ascii());
        assert!(!sample(r"\p{Greek}").is_ascii());
    }
}

#[test]
fn relations_between_fields_hold_and_order_of_the_file_does_not_matter() {
    let spec = spec(
        r#"
        [category.third]
        choice.x = { text = "{first}<{second}={= second - first}" }
        [category.second]
        choice.above = { int = ["first + 1", "first + 5"] }
        choice.twice = { float = ["first * 2", "first * 2"], decimals = 1 }
        [category.first]
        choice.x = { int = [-9, 9] }
        "#,
    );
    let drawn = draw(&spec, 200);
    assert_eq!(drawn.len(), 200);
    for fields in drawn {
        let text = |index: usize| fields[index].clone().unwrap();
        let (first, second) = (
            text(2).parse::<f64>().unwrap(),
            text(1).parse::<f64>().unwrap(),
        );
        let above = (first + 1.0..=first + 5.0).contains(&second) && !text(1).contains('.');
        let twice = second == 2.0 * first && text(1).ends_with(".0");
        assert!(above || twice, "{first} {second}");
        assert_eq!(
            text(0),
            format!("{}<{}={}", text(2), text(1), second - first)
        );
    }
}

#[test]
fn bounds_that_leave_nothing_are_an_error_of_the_frame() {
    let spec = spec(
        r#"
        [category.a]
        choice.x = { int = [1, 3] }
        [category.b]
        choice.y = { int = ["a + 1", 3] }
        "#,
    );
    let mut stream = Seed(1).stream();
    let made: Vec<_> = (0..50)
        .map(|_| {
            spec.concretise(&mut Frame(vec![1, 1]), &mut stream, &mut |_, _| {
                Err(String::new())
            })
        })
        .collect();
    let errors: Vec<String> = made
        .iter()
        .filter_map(|m| m.as_ref().err())
        .map(ToString::to_string)
        .collect();
    assert!(!errors.is_empty() && errors.len() < 50);
    assert_eq!(
        errors[0],
        "cannot make a text for `b=y`: no number lies between 4 and 3"
    );
}

#[test]
fn decimal_bounds_of_any_size_and_order_are_drawn_from_or_refused() {
    let ends = [f64::MIN, -1e19, -1.0, 0.0, 0.5, 9.3e18, 1e300, f64::MAX];
    let mut stream = Seed(1).stream();
    for (low, high) in ends.iter().flat_map(|low| ends.map(|high| (*low, high))) {
        let range = FloatRange {
            low: Bound::Number(Number::decimal(low)),
            high: Bound::Number(Number::decimal(high)),
            decimals: 1,
        };
        match range.draw(low, high, &mut stream) {
            Some(drawn) => assert!(low <= drawn && drawn <= high, "{low} {drawn} {high}"),
            None => assert!(low > high, "{low} {high}"),
        }
    }
}

#[test]
fn weights_of_any_are_chances_and_helpers_get_a_seed() {
    let spec = spec(
        r#"
        [category.a]
        choice.x = { any = [{ literal = "l", weight = 3 }, { command = ["h", "1"] }, { pick = ["p"], weight = 0 }] }
        "#,
    );
    let drawn = draw(&spec, 400);
    let count = |start: &str| {
        let starts = |fields: &&Vec<Option<String>>| fields[0].as_ref().unwrap().starts_with(start);
        drawn.iter().filter(starts).count()
    };
    assert!((270..330).contains(&count("l")), "{}", count("l"));
    assert_eq!(count("p"), 0);
    // Exactly one final newline is removed.
    let helped = drawn
        .iter()
        .find(|f| f[0].as_ref().unwrap().starts_with("h 1 "))
        .unwrap();
    assert!(helped[0].as_ref().unwrap().ends_with('\n'));
}

#[test]
fn a_failing_helper_is_named() {
    let spec = spec("[category.a]\nchoice.x = { command = [\"gen\", \"-x\"] }\n");
    let made = spec.concretise(&mut Frame(vec![1]), &mut Seed(1).stream(), &mut |_, _| {
        Err("exit code 1".to_owned())
    });
    assert_eq!(
        made.unwrap_err().to_string(),
        "cannot make a text for `a=x`: the helper `gen -x` failed: exit code 1"
    );
}

#[test]
fn texts_are_bounded() {
    let doubling: String = (0..25)
        .map(|i| {
            format!(
                "[category.c{}]\nchoice.x = {{ text = \"{{c{i}}}{{c{i}}}\" }}\n",
                i + 1
            )
        })
        .collect();
    let spec = spec(&format!(
        "[category.c0]\nchoice.x = {{ literal = \"x\" }}\n{doubling}"
    ));
    let made = spec.concretise(
        &mut Frame(vec![1; 26]),
        &mut Seed(1).stream(),
        &mut |_, _| Err(String::new()),
    );
    assert_eq!(made.unwrap_err().problem, Problem::TooLong);
    let lines = Lines {
        item: Generator::Literal("x".repeat(1000)),
        count: (bound(90_000), bound(90_000)),
        end: String::new(),
        separator: String::new(),
        sorted: true,
        unique: false,
    };
    let problem = make(&Generator::Lines(Box::new(lines)), &mut Seed(1).stream());
    assert_eq!(problem.unwrap_err(), Problem::TooLong);
}

#[test]
fn generators_inside_generators_are_bounded_even_where_they_give_nothing() {
    let empty = |item: Generator| {
        Generator::Lines(Box::new(Lines {
            item,
            count: (bound(MAX_LINES), bound(MAX_LINES)),
            end: String::new(),
            separator: String::new(),
            sorted: false,
            unique: false,
        }))
    };
    let nested = empty(empty(empty(Generator::Literal(String::new()))));
    let problem = make(&nested, &mut Seed(1).stream());
    assert_eq!(problem.unwrap_err(), Problem::TooManySteps);
}

#[test]
fn an_input_is_bounded() {
    let args = vec!["\"{a}\""; 100].join(", ");
    let spec = spec(&format!(
        "args = [{args}]\n[category.a]\nchoice.x = {{ lines = {{ regex = \"a{{1000}}\" }}, count = [900, 900] }}\n"
    ));
    let made = spec.concretise(&mut Frame(vec![1]), &mut Seed(1).stream(), &mut |_, _| {
        Err(String::new())
    });
    assert_eq!(
        made.unwrap_err().to_string(),
        "cannot make a text for `[run]`: the input is longer than 67108864 bytes"
    );
}

#[test]
fn too_few_different_lines_are_an_error() {
    let spec = spec(
        "[category.a]\nchoice.x = { lines = { pick = [\"a\", \"b\"] }, unique = true, count = [3, 4] }\n",
    );
    let made = spec.concretise(&mut Frame(vec![1]), &mut Seed(1).stream(), &mut |_, _| {
        Err(String::new())
    });
    let expected = Problem::TooFew {
        found: 2,
        wanted: 3,
    };
    assert_eq!(made.unwrap_err().problem, expected);
}

#[test]
fn observed_texts_are_reused_as_often_as_asked() {
    let mut spec = spec(
        "[learn]\nfolder = \"x\"\nreuse = 0.25\n[category.a]\nchoice.x = { literal = \"new\" }\n",
    );
    spec.categories[0].choices[0].observed = vec!["old".to_owned()];
    let drawn = draw(&spec, 400);
    let old = drawn
        .iter()
        .filter(|fields| fields[0].as_deref() == Some("old"))
        .count();
    assert!((70..130).contains(&old), "{old}");
}

#[test]
fn absent_placeholders_drop_arguments_groups_files_and_variables() {
    let text = r#"
        about = "x"
        [run]
        program = "p"
        args = ["fixed", "{a}", "{a}{b}", ["-g", "{a}", "{b}"], "{b...}", "{= a}", "{= 1}", "{{}}"]
        stdin = "<{a}{b}>"
        files = { one = "{a}", two = "{a}{b}", three = "x" }
        env = { ONE = "{a}", TWO = "{b}" }
        [category.a]
        absent = 1
        choice.x = { literal = "A" }
        [category.b]
        choice.x = { literal = " B  C " }
    "#;
    let spec = Spec::parse(Path::new("t.toml"), text).unwrap_or_else(|errors| panic!("{errors}"));
    let b = Some(" B  C ".to_owned());
    let absent = spec.render(&crate::Fields(vec![None, b.clone()]), "");
    assert_eq!(absent.args, ["fixed", " B  C ", "B", "C", "1", "{}"]);
    assert_eq!(absent.stdin, b"< B  C >");
    assert_eq!(absent.files.keys().collect::<Vec<_>>(), ["three", "two"]);
    assert_eq!(absent.env.keys().collect::<Vec<_>>(), ["TWO"]);
    let present = spec.render(&crate::Fields(vec![Some("A".to_owned()), b]), "");
    let args = [
        "fixed", "A", "A B  C ", "-g", "A", " B  C ", "B", "C", "A", "1", "{}",
    ];
    assert_eq!(present.args, args);
    assert_eq!(present.files.len(), 3);
}

#[test]
fn derived_categories_are_read_off_the_finished_input() {
    let spec = spec(
        r#"
        args = ["{n}", "-d", "{n}{n}"]
        [category.n]
        choice.x = { int = [1, 9] }
        [category.size]
        derived = true
        from = { after = "-d" }
        choice.small = { match = "value < 50" }
        choice.large = { match = "otherwise" }
        [category.none]
        derived = true
        from = { env = "X" }
        choice.any = { match = "otherwise" }
        [category.odd]
        derived = true
        choice.yes = { match = "n % 2 = 1 && len(args) > 3 && size = arg(3)" }
        "#,
    );
    let mut stream = Seed(1).stream();
    for _ in 0..50 {
        let mut frame = Frame(vec![1, 0, 0, 0]);
        let made = spec.concretise(&mut frame, &mut stream, &mut |_, _| Err(String::new()));
        let (fields, input) = made.unwrap();
        let n: i64 = input.args[0].parse().unwrap();
        assert_eq!(frame.0, [1, if n < 5 { 1 } else { 2 }, 0, (n % 2) as u16]);
        assert_eq!(fields.0[1].as_deref(), Some(input.args[2].as_str()));
        assert_eq!(fields.0[2], None);
    }
}

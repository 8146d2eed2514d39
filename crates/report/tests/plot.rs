//! Plots as whole drawings: small samples kept as expected text, and properties that every drawing must have.

use report::plot::{
    Axis, BoxGroup, Boxes, Curves, Entry, Estimate, IntervalRow, Intervals, Mark, Observation,
    Point, Series, Spacing, Style, Svg, legend,
};

fn entry(name: &str, style: usize) -> Entry {
    Entry {
        name: name.to_owned(),
        style: Style(style),
    }
}

/// Values that look spread without any randomness.
fn observations(count: usize, centre: f64) -> Vec<Observation> {
    let value = |index: usize| centre * (0.6 + 0.8 * ((index * 7919) % 97) as f64 / 97.0);
    let mut values: Vec<Observation> = (0..count)
        .map(|index| Observation {
            name: format!("m{index}"),
            value: value(index),
        })
        .collect();
    values.push(Observation {
        name: "far".to_owned(),
        value: centre * 2.6,
    });
    values
}

fn boxes(groups: &[&str], series: &[Entry], spacing: Spacing) -> Boxes {
    let group = |name: &&str| BoxGroup {
        name: (*name).to_owned(),
        values: (0..series.len())
            .map(|index| observations(20, 0.7 + 0.1 * index as f64))
            .collect(),
    };
    Boxes {
        title: String::new(),
        y: Axis::new("F-ratio", spacing),
        series: series.to_vec(),
        groups: groups.iter().map(group).collect(),
        reference: Some(1.0),
        width: 640.0,
        height: 240.0,
    }
}

fn curve(name: &str, style: usize, mark: Mark, rate: f64) -> Series {
    let sizes = (1..10)
        .chain((1..10).map(|n| n * 10))
        .chain((1..=10).map(|n| n * 100));
    let point = |n: u32| {
        let p = 1.0 - (1.0 - rate).powi(n as i32);
        Point {
            band: Some(((p - 0.02).max(0.0), (p + 0.02).min(1.0))),
            ..Point::new(f64::from(n), p)
        }
    };
    Series {
        name: name.to_owned(),
        style: Style(style),
        mark,
        points: sizes.map(point).collect(),
    }
}

fn curves(series: Vec<Series>) -> Curves {
    Curves {
        title: "m17".to_owned(),
        x: Axis::new("tests", Spacing::Log),
        y: Axis::new("P-measure", Spacing::Linear).including(&[0.0, 1.0]),
        series,
        legend: true,
        reference: None,
        width: 340.0,
        height: 200.0,
    }
}

fn intervals(rows: Vec<IntervalRow>, series: Vec<Entry>) -> Intervals {
    let x = Axis::new("geometric mean of F-ratios", Spacing::Log);
    Intervals {
        title: String::new(),
        x,
        series,
        rows,
        reference: Some(1.0),
        width: 640.0,
    }
}

fn row(name: &str, values: &[f64]) -> IntervalRow {
    let estimate = |value: &f64| {
        Some(Estimate {
            value: *value,
            interval: Some((value * 0.9, value * 1.15)),
        })
    };
    IntervalRow {
        name: name.to_owned(),
        estimates: values.iter().map(estimate).collect(),
    }
}

#[test]
fn a_box_plot_of_one_group_is_labelled_by_series() {
    let series = [entry("art-sum", 1), entry("art-mif", 2)];
    insta::assert_snapshot!(boxes(&["cal"], &series, Spacing::Linear).svg().standalone());
}

#[test]
fn a_box_plot_of_many_groups_is_labelled_by_group_and_has_a_legend() {
    let series = [
        entry("art-sum", 1),
        entry("art-mif", 2),
        entry("art-calibrated", 3),
        entry("art-pairs", 4),
    ];
    let groups = [
        "cal",
        "comm",
        "grep",
        "look",
        "a program with quite a long name",
        "schedule",
        "tokens",
    ];
    let text = boxes(&groups, &series, Spacing::Log).svg().standalone();
    assert!(
        groups.iter().all(|group| text.contains(group)),
        "every group is named, at least in a tooltip"
    );
    let boxes = text.matches("c1 box").count();
    assert_eq!(
        boxes,
        groups.len() + 1,
        "one per group and one in the legend"
    );
}

#[test]
fn curves_have_bands_dashes_markers_and_tooltips() {
    let series = vec![
        curve("random", 0, Mark::Line, 0.01),
        curve("art-sum", 1, Mark::Line, 0.02),
    ];
    insta::assert_snapshot!(curves(series).svg().standalone());
}

#[test]
fn steps_of_ten_thousand_points_stay_a_small_drawing() {
    let points = (0..10_000).map(|n| Point::new(f64::from(n), (f64::from(n)).sqrt().floor()));
    let goals = Series {
        name: "branches".into(),
        style: Style(1),
        mark: Mark::Steps,
        points: points.collect(),
    };
    let plot = Curves {
        title: String::new(),
        x: Axis::new("executions", Spacing::Linear),
        y: Axis::new("goals", Spacing::Linear).including(&[0.0]),
        width: 640.0,
        ..curves(vec![goals])
    };
    let text = plot.svg().standalone();
    assert!(text.len() < 30_000, "{}", text.len());
}

#[test]
fn intervals_stand_in_rows_with_a_line_at_one() {
    let series = vec![
        entry("art-sum", 1),
        entry("art-calibrated", 2),
        entry("art-pairs", 3),
    ];
    let rows = vec![
        row("tokenizer", &[0.9, 0.8, 0.7]),
        row("collision", &[1.6, 0.94, 0.9]),
        row("all", &[1.1, 0.9, 0.8]),
    ];
    insta::assert_snapshot!(intervals(rows, series).svg().standalone());
}

#[test]
fn eight_looks_differ() {
    let series = (0..8).map(|style| {
        curve(
            &format!("guide-{style}"),
            style,
            Mark::Line,
            0.002 * 1.8f64.powi(style as i32),
        )
    });
    let plot = Curves {
        width: 640.0,
        height: 300.0,
        ..curves(series.collect())
    };
    let text = plot.svg().standalone();
    for class in [
        "c0 line", "c1 line", "c2 line", "c3 line", "c4 line", "c5 line", "c6 line", "c7 line",
    ] {
        assert!(text.contains(class), "{class}");
    }
}

#[test]
fn no_drawing_holds_undefined_numbers() {
    for values in [
        vec![],
        vec![f64::NAN],
        vec![f64::INFINITY, -1.0],
        vec![0.0],
        vec![1.0],
        vec![1e-300, 1e300],
    ] {
        for spacing in [Spacing::Linear, Spacing::Log] {
            for text in drawings(&values, spacing) {
                assert!(
                    !text.contains("NaN") && !text.contains("inf"),
                    "{values:?}\n{text}"
                );
                assert!(
                    !text.contains("\"-\"") && !text.contains("M-L"),
                    "{values:?}\n{text}"
                );
            }
        }
    }
}

fn drawings(values: &[f64], spacing: Spacing) -> Vec<String> {
    let points: Vec<Point> = values
        .iter()
        .map(|&value| Point {
            band: Some((value, value)),
            ..Point::new(value, value)
        })
        .collect();
    let series = [Mark::Line, Mark::Steps, Mark::Points].map(|mark| Series {
        name: "s".into(),
        style: Style(1),
        mark,
        points: points.clone(),
    });
    let curves = Curves {
        x: Axis::new("x", spacing),
        y: Axis::new("y", spacing),
        reference: Some(1.0),
        ..curves(series.to_vec())
    };
    let observations = values
        .iter()
        .map(|&value| Observation {
            name: "o".into(),
            value,
        })
        .collect();
    let group = BoxGroup {
        name: "g".into(),
        values: vec![observations],
    };
    let boxes = Boxes {
        groups: vec![group],
        ..boxes(&[], &[entry("s", 1)], spacing)
    };
    let estimate = |&value: &f64| {
        Some(Estimate {
            value,
            interval: Some((value, value)),
        })
    };
    let row = IntervalRow {
        name: "r".into(),
        estimates: values.iter().map(estimate).collect(),
    };
    let mut intervals = intervals(vec![row], vec![entry("a", 1), entry("b", 2)]);
    intervals.x.spacing = spacing;
    [curves.svg(), boxes.svg(), intervals.svg()]
        .iter()
        .map(Svg::standalone)
        .collect()
}

#[test]
fn plots_without_any_data_are_still_drawings() {
    let drawings = [
        curves(vec![]).svg(),
        boxes(&[], &[], Spacing::Log).svg(),
        intervals(vec![], vec![]).svg(),
        legend(&[], 300.0),
    ];
    for drawing in drawings {
        assert!(drawing.standalone().ends_with("</svg>\n"));
    }
}

#[test]
fn huge_names_are_cut_but_kept_in_tooltips() {
    let name = "x".repeat(5000);
    let series = [entry(&name, 1), entry("b", 2)];
    let text = boxes(&[&name, "other"], &series, Spacing::Linear)
        .svg()
        .standalone();
    let shown = text.lines().filter(|line| line.starts_with("<text"));
    let longest = shown
        .map(|line| line.split("<title>").next().unwrap_or("").len())
        .max();
    assert!(longest < Some(200), "{longest:?}");
    assert!(text.contains(&name));
}

#[test]
fn drawings_are_well_formed_whatever_the_names() {
    let name = "</svg><script a='b' c=\"d\">&\0\x1b\u{ffff}]]>";
    let series = [entry(name, 1), entry(name, 2)];
    let mut curve = curve(name, 3, Mark::Line, 0.1);
    curve.points[0].name = name.to_owned();
    let curves = Curves {
        title: name.to_owned(),
        x: Axis::new(name, Spacing::Log),
        ..curves(vec![curve])
    };
    let drawings = [
        boxes(&[name, "b"], &series, Spacing::Linear).svg(),
        curves.svg(),
        intervals(vec![row(name, &[0.5, 0.7])], series.to_vec()).svg(),
    ];
    for drawing in drawings {
        let text = drawing.standalone();
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut texts = 0;
        loop {
            match reader.read_event() {
                Ok(quick_xml::events::Event::Eof) => break,
                Ok(quick_xml::events::Event::Start(element)) => {
                    assert!(
                        element.attributes().all(|attribute| attribute.is_ok()),
                        "{element:?}"
                    );
                    texts += usize::from(element.name().as_ref() == "text");
                }
                Ok(_) => {}
                Err(error) => panic!("{error}\n{text}"),
            }
        }
        assert!(texts > 3);
        assert!(!text.contains("<script"));
    }
}

//! Stack traces in the output of sanitizers: which error, and the top frames of the subject. They make two crashes of one
//! cause one failure. Only the text formats of the LLVM and GCC sanitizers are read.

/// How many frames identify a crash.
const FRAMES: usize = 3;

/// A sanitizer's report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanitizerReport {
    /// The kind: `AddressSanitizer: heap-buffer-overflow`, or the message of a run-time error.
    pub kind: String,
    /// The functions on top of the stack, innermost first.
    pub frames: Vec<String>,
}

/// Finds the first report in what a program wrote to standard error.
pub fn sanitizer_report(stderr: &[u8]) -> Option<SanitizerReport> {
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines();
    let kind = lines.by_ref().find_map(report_line)?;
    let frames = lines.filter_map(frame_line).take(FRAMES).collect();
    Some(SanitizerReport { kind, frames })
}

fn report_line(line: &str) -> Option<String> {
    if let Some((_, rest)) = line.split_once("ERROR: ") {
        let (name, rest) = rest.split_once(": ")?;
        let what: String = rest.split([' ', '(']).next().unwrap_or_default().to_owned();
        return name
            .ends_with("Sanitizer")
            .then(|| format!("{name}: {what}"));
    }
    // UndefinedBehaviorSanitizer: `file.c:12:7: runtime error: signed integer overflow: 1 + 2 …`. The place identifies it;
    // the numbers behind the second colon do not.
    let (place, rest) = line.split_once(": runtime error: ")?;
    let what = rest.split(':').next().unwrap_or(rest);
    let words: Vec<&str> = what
        .split(' ')
        .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit() || c == '-'))
        .collect();
    let file = place.rsplit('/').next().unwrap_or(place);
    Some(format!("runtime error: {} at {file}", words.join(" ")))
}

/// `    #0 0x55d1 in parse_line /src/a.c:12:3` gives `parse_line`.
fn frame_line(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('#')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (_, function) = rest[digits..].split_once(" in ")?;
    let name = function.split(' ').next()?;
    // Frames of the sanitizer's own interceptors say nothing about the subject.
    let own = name.starts_with("__interceptor")
        || name.starts_with("__asan")
        || name.starts_with("__sanitizer");
    (!own && !name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_sanitizer_report_gives_kind_and_frames() {
        let stderr = b"reading\n==17==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55\nREAD of size 1\n    #0 0x7f in __interceptor_strlen ../../asan.cpp:1\n    #1 0x55 in parse /src/a.c:12:3\n    #2 0x56 in main /src/a.c:40\n    #3 0x57 in __libc_start_main (/lib/libc.so)\n";
        let report = sanitizer_report(stderr).unwrap();
        assert_eq!(report.kind, "AddressSanitizer: heap-buffer-overflow");
        assert_eq!(report.frames, ["parse", "main", "__libc_start_main"]);
    }

    #[test]
    fn a_runtime_error_is_identified_by_kind_and_place() {
        let stderr = b"/home/x/a.c:12:7: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented\n";
        let report = sanitizer_report(stderr).unwrap();
        assert_eq!(
            report.kind,
            "runtime error: signed integer overflow at a.c:12:7"
        );
    }

    #[test]
    fn other_text_is_no_report() {
        assert_eq!(
            sanitizer_report(b"ERROR: no such file\nerror: x\n\xff"),
            None
        );
    }
}

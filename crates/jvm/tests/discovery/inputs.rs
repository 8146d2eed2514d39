//! What `detective` finds in real JDKs for types that no member under test gives.

use crate::compiler::{compile_text, jdks};
use jvm::discovery::{Discovered, Filters, Inputs, Jdk, Reason, Subject, discover};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Discovers what a class offers and what its inputs can be made by.
fn discovered(home: &Path, class: &str, text: &str) -> Discovered {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in compile_text(home, &[], &format!("{class}.java"), text) {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let jdk = Jdk::open(home).unwrap();
    let subject = Subject::open(&[folder.path().to_owned()], &[], jdk.release()).unwrap();
    let filters = Filters {
        inputs: Inputs::Everywhere,
        ..Filters::default()
    };
    discover(&subject, &jdk, &filters).unwrap()
}

fn names(discovered: &Discovered) -> BTreeSet<&str> {
    let operations = discovered.operations.iter();
    operations.map(|one| one.name.as_str()).collect()
}

/// The parameters of which nothing gives a value.
fn only_null(discovered: &Discovered) -> Vec<&str> {
    let reasons = discovered.reasons.iter();
    let only_null = reasons.filter(|one| one.reason == Reason::ParameterOnlyNull);
    only_null.map(|one| one.detail.as_str()).collect()
}

#[test]
fn documents_of_xml_are_made_by_the_parsers_of_every_jdk() {
    let text = "import org.w3c.dom.*;
        public class Papers {
            public static boolean isEmpty(Document one) { return one.getDocumentElement() == null; }
            public static String name(Element one) { return one.getTagName(); }
            public static short kind(Node one) { return one.getNodeType(); }
        }";
    for home in jdks() {
        let discovered = discovered(&home, "Papers", text);
        let names = names(&discovered);
        for maker in [
            "javax.xml.parsers.DocumentBuilderFactory.newDefaultInstance()",
            "javax.xml.parsers.DocumentBuilderFactory.newDocumentBuilder()",
            "javax.xml.parsers.DocumentBuilder.newDocument()",
            "javax.xml.parsers.DocumentBuilder.getDOMImplementation()",
            "org.w3c.dom.Document.createElement(java.lang.String)",
        ] {
            assert!(names.contains(maker), "{maker} in {home:?}: {names:#?}");
        }
        assert_eq!(only_null(&discovered), Vec::<&str>::new(), "{home:?}");
        let reading = |one: &&&str| one.contains(".parse(") || one.contains(".newInstance");
        assert_eq!(names.iter().find(reading), None, "{home:?}");
    }
}

#[test]
fn handlers_and_sources_of_xml_are_made_without_names_of_files() {
    let text = "import javax.xml.transform.*;
        import org.xml.sax.*;
        public class Readers {
            public static void tell(ContentHandler one) throws SAXException { one.startDocument(); }
            public static int count(Attributes one) { return one.getLength(); }
            public static String from(InputSource one) { return one.getEncoding(); }
            public static String from(Source one) { return one.getSystemId(); }
            public static int kind(javax.xml.stream.XMLStreamReader one) { return one.getEventType(); }
            public static void write(Transformer one) { one.reset(); }
            public static String to(Result one) { return one.getSystemId(); }
        }";
    for home in jdks() {
        let discovered = discovered(&home, "Readers", text);
        let names = names(&discovered);
        for maker in [
            "new org.xml.sax.helpers.DefaultHandler()",
            "new org.xml.sax.helpers.AttributesImpl()",
            "new org.xml.sax.InputSource(java.io.InputStream)",
            "new javax.xml.transform.stream.StreamSource(java.io.Reader)",
            "new javax.xml.transform.stream.StreamResult(java.io.Writer)",
            "javax.xml.transform.TransformerFactory.newTransformer()",
        ] {
            assert!(names.contains(maker), "{maker} in {home:?}: {names:#?}");
        }
        let named = |one: &&&str| {
            let holders = ["InputSource(", "StreamSource(", "StreamResult("];
            let named = one.contains("java.lang.String") || one.contains("java.io.File)");
            one.contains("setSystemId")
                || named && holders.iter().any(|holder| one.contains(holder))
        };
        assert_eq!(names.iter().find(named), None, "{home:?}");
        let reading = |one: &&&str| {
            let read = one.contains("(javax.xml.transform.Source") || one.contains(".create");
            read && one.starts_with("javax.xml.")
        };
        assert_eq!(names.iter().find(reading), None, "{home:?}");
    }
}

#[test]
fn what_opens_windows_runs_or_reflects_makes_nothing() {
    let text = "public class Odd {
            public static String name(java.lang.reflect.Method one) { return one.getName(); }
            public static void run(Runnable one) { one.run(); }
            public static String title(javax.swing.JFrame one) { return one.getTitle(); }
        }";
    for home in jdks() {
        let discovered = discovered(&home, "Odd", text);
        assert_eq!(
            only_null(&discovered),
            ["java.lang.reflect.Method", "javax.swing.JFrame"],
            "{home:?}"
        );
        let names = names(&discovered);
        let thread = |one: &&&str| one.contains("Thread.") || one.contains("newThread");
        assert_eq!(names.iter().find(thread), None, "{home:?}");
    }
}

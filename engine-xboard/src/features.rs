//! What the engine can do, as `feature` lines.

use bartizan_engine::{Engine, NAME, OptionKind as EngineOption, OptionSpec, Options};
use bartizan_protocol::OptionKind;
use bartizan_protocol::xboard::{Feature, Message, OptionDecl};

/// Options for which the protocol has commands of its own (`cores`, `memory`, `hard`, `variant`), or no use. They can be
/// set by `option` all the same.
const OTHERWISE_SET: [&str; 5] = ["Threads", "Hash", "Ponder", "UCI_Chess960", "UCI_ShowWDL"];

/// The answer to `protover`: `done=0` first, since the rest is several lines, and `done=1` last.
pub(crate) fn messages(options: &Options) -> Vec<Message> {
    let flags = [
        ("ping", true),
        ("setboard", true),
        ("playother", true),
        ("usermove", true),
        ("san", false),
        ("time", true),
        ("draw", true),
        ("sigint", false),
        ("sigterm", false),
        ("reuse", true),
        ("analyze", true),
        ("colors", false),
        ("name", true),
        ("ics", true),
        ("debug", true),
        ("nps", true),
        ("memory", true),
        ("smp", true),
        ("exclude", true),
        ("pause", true),
    ];
    let mut lines = vec![Message::Features(vec![Feature::flag("done", false)])];
    lines.push(Message::Features(flags.iter().map(|&(name, on)| Feature::flag(name, on)).collect()));
    lines
        .push(Message::Features(vec![Feature::text("myname", NAME), Feature::text("variants", "normal,fischerandom")]));
    let specs = Engine::option_specs().iter().chain(Engine::manners_specs());
    for spec in specs.filter(|spec| !OTHERWISE_SET.contains(&spec.name)) {
        lines.push(Message::Features(vec![Feature::text("option", declare(spec, options).to_string())]));
    }
    lines.push(Message::Features(vec![Feature::flag("done", true)]));
    lines
}

/// An option with the value that it has now: a settings file may have changed it.
fn declare(spec: &OptionSpec, options: &Options) -> OptionDecl {
    let value = options.value(spec);
    let kind = match spec.kind {
        EngineOption::Check { default } => {
            OptionKind::Check { default: value.map_or(default, |value| value == "true") }
        }
        EngineOption::Spin { default, min, max } => {
            OptionKind::Spin { default: value.and_then(|value| value.parse().ok()).unwrap_or(default), min, max }
        }
        EngineOption::Button => OptionKind::Button,
        EngineOption::File => OptionKind::File { default: value.unwrap_or_default() },
    };
    OptionDecl { name: name_of(spec), kind }
}

/// The name without blanks: python-chess takes a name to end at the first one.
fn name_of(spec: &OptionSpec) -> String {
    spec.name.split_whitespace().collect()
}

/// The option that a client means, with or without the blanks in its name.
pub(crate) fn find(name: &str) -> Option<&'static OptionSpec> {
    let squeezed: String = name.split_whitespace().collect();
    let mut specs = Engine::option_specs().iter().chain(Engine::manners_specs());
    specs.find(|spec| name_of(spec).eq_ignore_ascii_case(&squeezed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_can_be_read_back() {
        let lines = messages(&Options::default());
        let features: Vec<Feature> = lines
            .iter()
            .flat_map(|line| match Message::parse(&line.to_string()) {
                Some(Message::Features(features)) => features,
                other => panic!("{line}: {other:?}"),
            })
            .collect();
        assert_eq!(features.first(), Some(&Feature::flag("done", false)));
        assert_eq!(features.last(), Some(&Feature::flag("done", true)));
        let options = features.iter().filter(|feature| feature.name == "option").map(|feature| match &feature.value {
            bartizan_protocol::xboard::FeatureValue::Text(text) => OptionDecl::parse(text),
            bartizan_protocol::xboard::FeatureValue::Number(_) => None,
        });
        let options: Vec<OptionDecl> = options.collect::<Option<_>>().unwrap();
        assert!(options.iter().any(|option| option.name == "ResignScore"));
        assert_eq!(find("resign score"), find("ResignScore"));
        assert!(find("resign score").is_some() && find("Resign It").is_none());
        assert!(!options.iter().any(|option| option.name == "Hash"));
        for option in options {
            if let OptionKind::Spin { default, min, max } = option.kind {
                assert!((min..=max).contains(&default), "{}", option.name);
            }
        }
    }
}

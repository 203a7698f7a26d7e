//! The `feature` lines.

use bartizan_engine::NAME;
use bartizan_frontend::{Config, options};
use bartizan_protocol::xboard::{Feature, Message, OptionDecl};

/// The answer to `protover`, in several lines: `done=0` comes first, `done=1` last.
pub(crate) fn messages(config: &Config) -> Vec<Message> {
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
    lines.push(Message::Features(vec![
        Feature::text("myname", NAME),
        Feature::text("variants", "normal,fischerandom"),
        Feature::text("egt", "syzygy"),
    ]));
    for row in options::of_xboard() {
        // python-chess reads a name only up to the first space. The declared value is the current one: a settings file
        // may have changed it.
        let name = row.name().split_whitespace().collect();
        let option = OptionDecl { name, kind: row.kind(config) };
        lines.push(Message::Features(vec![Feature::text("option", option.to_string())]));
    }
    lines.push(Message::Features(vec![Feature::flag("done", true)]));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use bartizan_protocol::OptionKind;

    #[test]
    fn every_option_can_be_read_back() {
        let lines = messages(&Config::default());
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
        assert!(!options.iter().any(|option| option.name == "Hash"));
        for option in options {
            if let OptionKind::Spin { default, min, max } = option.kind {
                assert!((min..=max).contains(&default), "{}", option.name);
            }
        }
    }
}

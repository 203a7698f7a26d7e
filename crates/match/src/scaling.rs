//! Measures how the difference between two engines changes with the nodes they search: a match for each number of
//! nodes.

use crate::settings::{MatchSettings, TournamentFormat};
use crate::standing::Standing;
use bartizan_client::EngineSpec;
use bartizan_stats::chart::{Axis, Chart, Series};
use bartizan_stats::{Estimate, LinearTrend, OptionalEstimate, ScoreSample};
use serde::Serialize;
use std::fmt;

/// Separates an engine's name from its nodes.
const SEPARATOR: &str = ", nodes ";

/// The engines of a match, for [`TournamentFormat::Pairs`]: both at each number of nodes, in increasing order.
///
/// ```
/// use bartizan_match::{EngineSpec, scaling};
///
/// let engines = scaling::engines([&EngineSpec::new("a"), &EngineSpec::new("b")], &[20_000, 10_000]);
/// let names: Vec<String> = engines.iter().map(EngineSpec::label).collect();
/// assert_eq!(names, ["a, nodes 10000", "b, nodes 10000", "a, nodes 20000", "b, nodes 20000"]);
/// ```
pub fn engines([first, second]: [&EngineSpec; 2], nodes: &[u64]) -> Vec<EngineSpec> {
    let mut nodes = nodes.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    let names = match (first.label(), second.label()) {
        (one, other) if one == other => [one, format!("{other} (2)")],
        names => names.into(),
    };
    let at = |engine: &EngineSpec, name: &String, nodes: u64| {
        let mut engine = engine.clone().name(format!("{name}{SEPARATOR}{nodes}"));
        engine.nodes = Some(nodes);
        engine
    };
    nodes.iter().flat_map(|&nodes| [at(first, &names[0], nodes), at(second, &names[1], nodes)]).collect()
}

/// A match is not between two engines at several numbers of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not the journal of a match of two engines with several numbers of nodes")]
pub struct NotScaling;

/// The numbers of nodes of a match between [`engines`].
///
/// # Errors
/// [`NotScaling`] if the match has another form.
pub fn nodes_of(settings: &MatchSettings) -> Result<Vec<u64>, NotScaling> {
    let (pairs, rest) = settings.engines.as_chunks::<2>();
    let nodes = |[first, second]: &[EngineSpec; 2]| first.nodes.filter(|_| first.nodes == second.nodes);
    let points: Option<Vec<u64>> = pairs.iter().map(nodes).collect();
    points.filter(|_| settings.format == TournamentFormat::Pairs && rest.is_empty()).ok_or(NotScaling)
}

/// The results at one number of nodes, from the first engine's point of view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScalingPoint {
    /// Nodes per move.
    pub nodes: u64,
    /// Number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Share of the points, 0 to 1.
    pub score: Option<f64>,
    /// The difference, in Elo.
    pub elo: Option<Estimate>,
    /// Number of pairs with 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// Mean reported depth of both engines.
    pub depth: [Option<f64>; 2],
}

/// The results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scaling {
    /// The names of the engines.
    pub engines: [String; 2],
    /// The results with each number of nodes.
    pub points: Vec<ScalingPoint>,
    /// The change in Elo per doubling of the nodes: the slope of a line fitted to the points, weighted by precision.
    pub elo_per_doubling: Option<Estimate>,
    /// That line, over the base-2 logarithm of the nodes.
    #[serde(skip)]
    pub trend: Option<LinearTrend>,
}

impl Scaling {
    /// The results of a match.
    ///
    /// # Errors
    /// [`NotScaling`] if it is not a match between [`engines`].
    pub fn of(settings: &MatchSettings, standing: &Standing) -> Result<Self, NotScaling> {
        let point = |(index, nodes): (usize, u64)| {
            let (first, second) = (2 * index, 2 * index + 1);
            let (games, pairs) = (standing.games_between(first, second), standing.pairs(first, second));
            let depth = |engine: usize| standing.engines.get(engine).and_then(|engine| engine.depth());
            ScalingPoint {
                nodes,
                games: games.total(),
                wins: games.wins,
                draws: games.draws,
                losses: games.losses,
                score: games.score(),
                elo: ScoreSample::from(&pairs).elo(),
                pentanomial: pairs.pairs.0,
                depth: [depth(first), depth(second)],
            }
        };
        let points: Vec<ScalingPoint> = nodes_of(settings)?.into_iter().enumerate().map(point).collect();
        let trend = LinearTrend::fit(points.iter().filter_map(|point| Some(((point.nodes as f64).log2(), point.elo?))));
        let name = |engine: usize| {
            let label = settings.label(engine);
            label.rsplit_once(SEPARATOR).map_or(label.clone(), |(name, _)| name.to_owned())
        };
        Ok(Self { engines: [name(0), name(1)], points, elo_per_doubling: trend.map(|trend| trend.slope), trend })
    }

    /// The results as a chart: Elo against nodes.
    pub fn chart(&self) -> Chart {
        let [first, second] = &self.engines;
        let known = || self.points.iter().filter_map(|point| Some((point.nodes as f64, point.elo?)));
        let ranges: Vec<[f64; 3]> = known()
            .map(|(nodes, Estimate { value, margin })| {
                let margin = margin.unwrap_or(0.0);
                [nodes, value - margin, value + margin]
            })
            .collect();
        let ends = || self.points.iter().map(|point| point.nodes as f64);
        let (least, most) = (ends().fold(f64::INFINITY, f64::min), ends().fold(1.0, f64::max));
        let line = self.trend.map_or_else(Vec::new, |trend| [least, most].map(|x| [x, trend.at(x.log2())]).to_vec());
        let low = ranges.iter().fold(0.0, |low: f64, range| low.min(range[1]));
        let high = ranges.iter().fold(0.0, |high: f64, range| high.max(range[2]));
        let dots = known().map(|(nodes, elo)| [nodes, elo.value]).collect();
        Chart {
            title: format!(
                "{first} against {second}: Elo {} for each doubling",
                OptionalEstimate(self.elo_per_doubling)
            ),
            x: Axis::logarithmic("nodes for each move", 0.8 * least.min(most), 1.25 * most),
            y: Axis::linear("Elo", low, high),
            series: vec![Series { line, dots, ranges, ..Series::default() }],
        }
    }
}

/// A table of the results.
impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.engines;
        writeln!(f, "{first} against {second}\n")?;
        writeln!(f, "{:>9}  games    +    =    -   score  {:>18}  depth  pairs 0 ½ 1 1½ 2", "nodes", "Elo (95 %)")?;
        for ScalingPoint { nodes, games, wins, draws, losses, score, elo, pentanomial: pairs, depth } in &self.points {
            let score = score.map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", 100.0 * score));
            let depth =
                depth.map(|depth| depth.map_or_else(|| "-".to_owned(), |depth| format!("{depth:.1}"))).join("/");
            let elo = OptionalEstimate(*elo).to_string();
            writeln!(
                f,
                "{nodes:>9}  {games:>5} {wins:>4} {draws:>4} {losses:>4} {score:>7}  {elo:>18}  {depth}  {pairs:?}"
            )?;
        }
        write!(f, "\nElo for each doubling of the nodes: {}", OptionalEstimate(self.elo_per_doubling))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_of_nodes_is_a_pairing() {
        let [first, second]: [EngineSpec; 2] = ["cmd=a name=x", "cmd=b"].map(|text| text.parse().unwrap());
        let engines = engines([&first, &second], &[4_000, 1_000, 2_000, 1_000]);
        let settings = MatchSettings { engines, format: TournamentFormat::Pairs, ..MatchSettings::default() };
        assert_eq!(nodes_of(&settings), Ok(vec![1_000, 2_000, 4_000]));
        assert_eq!((settings.label(2).as_str(), settings.label(3).as_str()), ("x, nodes 2000", "b, nodes 2000"));
        let scaling = Scaling::of(&settings, &Standing::new(settings.engines.len())).unwrap();
        let svg = scaling.chart().to_string();
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
        assert_eq!((scaling.engines, scaling.elo_per_doubling), (["x", "b"].map(str::to_owned), None));
        assert_eq!(nodes_of(&MatchSettings { format: TournamentFormat::Gauntlet, ..settings }), Err(NotScaling));
    }
}

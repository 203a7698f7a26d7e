//! The faults that the command line asks for.

use std::time::Duration;

pub(crate) const HELP: &str = "\
An engine for tests. It plays pseudo-random legal moves by UCI; moves are counted from 1.
  --xboard             speak the xboard protocol
  --crash-at N         crash with a message instead of move N; 0: at the start
  --hang-at N          hang instead of move N
  --late MS            take this long for each move
  --illegal-at N       play an illegal move as move N
  --nonsense-at N      play text that is not a move as move N
  --resign-at N        resign instead of move N (xboard)
  --late-resign-at N   resign just after move N (xboard)
  --offer-draw-at N    offer a draw before move N (xboard)
  --claim-at N         claim a draw instead of move N (xboard)
  --refuse-at N        call the move before move N illegal (xboard)
  --junk               print garbage before each move
  --chatter            print a stray line after each move
  --slow-handshake MS  wait before answering the handshake
  --no-handshake       never answer the handshake
  --ignore-quit        keep running after `quit`
  --one-game           exit instead of a second game, or when a game ends (xboard)
  --no-ping, --no-setboard, --no-reuse  lack a feature (xboard)
  --old                speak protocol version 1 (xboard)
  --seed N             seed of the move choice
";

#[derive(Default)]
pub(crate) struct Faults {
    pub(crate) xboard: bool,
    pub(crate) crash_at: Option<u32>,
    pub(crate) hang_at: Option<u32>,
    pub(crate) late: Duration,
    pub(crate) illegal_at: Option<u32>,
    pub(crate) nonsense_at: Option<u32>,
    pub(crate) resign_at: Option<u32>,
    pub(crate) late_resign_at: Option<u32>,
    pub(crate) offer_draw_at: Option<u32>,
    pub(crate) claim_at: Option<u32>,
    pub(crate) refuse_at: Option<u32>,
    pub(crate) junk: bool,
    pub(crate) chatter: bool,
    pub(crate) slow_handshake: Duration,
    pub(crate) no_handshake: bool,
    pub(crate) ignore_quit: bool,
    pub(crate) one_game: bool,
    pub(crate) no_ping: bool,
    pub(crate) no_setboard: bool,
    pub(crate) no_reuse: bool,
    pub(crate) old: bool,
    pub(crate) seed: u64,
}

impl Faults {
    /// Parses the arguments; `None` for `--help`.
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Option<Self>, String> {
        let mut faults = Self::default();
        while let Some(arg) = args.next() {
            let mut number = || -> Result<u32, String> {
                let value = args.next().ok_or_else(|| format!("missing number after '{arg}'"))?;
                value.parse().map_err(|_| format!("invalid number '{value}' after '{arg}'"))
            };
            match arg.as_str() {
                "--help" => return Ok(None),
                "--xboard" => faults.xboard = true,
                "--crash-at" => faults.crash_at = Some(number()?),
                "--hang-at" => faults.hang_at = Some(number()?),
                "--late" => faults.late = Duration::from_millis(number()?.into()),
                "--illegal-at" => faults.illegal_at = Some(number()?),
                "--nonsense-at" => faults.nonsense_at = Some(number()?),
                "--resign-at" => faults.resign_at = Some(number()?),
                "--late-resign-at" => faults.late_resign_at = Some(number()?),
                "--offer-draw-at" => faults.offer_draw_at = Some(number()?),
                "--claim-at" => faults.claim_at = Some(number()?),
                "--refuse-at" => faults.refuse_at = Some(number()?),
                "--junk" => faults.junk = true,
                "--chatter" => faults.chatter = true,
                "--slow-handshake" => faults.slow_handshake = Duration::from_millis(number()?.into()),
                "--no-handshake" => faults.no_handshake = true,
                "--ignore-quit" => faults.ignore_quit = true,
                "--one-game" => faults.one_game = true,
                "--no-ping" => faults.no_ping = true,
                "--no-setboard" => faults.no_setboard = true,
                "--no-reuse" => faults.no_reuse = true,
                "--old" => faults.old = true,
                "--seed" => faults.seed = number()?.into(),
                _ => return Err(format!("unknown argument '{arg}'; try --help")),
            }
        }
        Ok(Some(faults))
    }
}

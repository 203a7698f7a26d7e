//! The integration tests in one program, because linking one for each file would take longer than running them.

mod brute_force;
mod check;
mod damage;
mod folders;
mod oracle;

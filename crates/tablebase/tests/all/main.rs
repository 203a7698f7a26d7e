//! The integration tests in one program: to link one for each file would take longer than to run them.

mod brute_force;
mod check;
mod damage;
mod folders;
mod oracle;

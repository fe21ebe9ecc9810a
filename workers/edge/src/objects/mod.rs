//! The objects: each binds one core, or one small index, to the shell.
//!
//! An object is spoken to by messages: a subject and a JSON body in, a JSON body out. The entry script in JavaScript
//! passes them on as method calls between objects.

mod account;
mod address;
mod answering;
mod directory;
mod endpoint;
mod executor;
mod gate;
mod gig;
mod goods;
mod identifier;
mod mandate;
mod meter;
mod mirror;
mod operations;
mod payment;
mod receipt;
mod run;
mod session;
mod signature;
mod tenant;
mod tickets;
mod tunnel;
mod used;
